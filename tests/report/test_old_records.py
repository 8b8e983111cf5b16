"""A record of the first version, before there was further evidence, is read and told as it was."""

from pathlib import Path

from bot.report.render import render
from bot.report.verdict import conclude, reconsidered
from bot.store import load_run

FIRST = Path(__file__).with_name("records") / "first.json"


def test_a_record_without_evidence_is_told_with_its_verdict() -> None:
    run = load_run(FIRST)
    assert run.verdict is not None
    assert (run.evidence, run.probes, run.self_test) == ((), (), None)
    assert conclude(run) == reconsidered(run) == run.verdict
    files = render(run)
    for name, heading in (("en", "More evidence"), ("zh-Hans", "更多证据")):
        text = files[f"report.{name}.md"]
        assert text.splitlines()[2].startswith("### b9556 → b9602")
        assert heading not in text
