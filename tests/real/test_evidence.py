"""Further evidence of two real builds: what is planted is found, named, held, and survives a kill."""

import json
import signal
from pathlib import Path

import pytest

from bot.records import CheckResult, Evidence, Run
from bot.store import load_run
from tests.real.conftest import Desks
from tests.support.instruct_model import instruct_model
from tests.support.proxy import planted
from tests.support.real import Ended, Wrapper, ask, left_running, real_config

pytestmark = pytest.mark.real

#: A chat template with thoughts that shows the model what a call of a tool looks like.
ABLE = Path(__file__).parents[1] / "support" / "able.jinja"
#: Flags that a head seems to have taken on: it forgets every prompt.
FORGETFUL = ("sh", "-c", 'exec "$@" --no-cache-prompt', "sh")


@pytest.fixture
def config(builds: dict[str, Path], tmp_path: Path, tiny: Path) -> Path:
    """A run with the two default kinds."""
    return real_config(tmp_path, tiny, evidence=["warm_chat", "canary"])


def finished(config: Path, wrapper: Wrapper | None = None) -> Ended:
    ended = ask(config, config.parent / "run", wrapper=dict(wrapper or {}))
    assert left_running(config.parent) == []
    return ended


def of(run: Run, kind: str) -> Evidence:
    (found,) = [item for item in run.evidence if item.kind == kind]
    return found


def measured(item: Evidence, name: str) -> list[tuple[float | None, float | None]]:
    return [(part.base, part.head) for part in item.measures if part.name.startswith(name)]


def test_two_real_builds_keep_their_chat_and_their_functions(config: Path) -> None:
    ended = finished(config)
    warm, canary = of(ended.run, "warm_chat"), of(ended.run, "canary")
    assert measured(warm, "reprocessed") == [(0, 0)] * 3
    cached = measured(warm, "cached")
    assert len(cached) == 3
    assert all(base == head and (base or 0) > 300 for base, head in cached)
    assert (warm.outcome, canary.outcome) == ("same", "same")
    results = {check.name: (check.base, check.head) for check in canary.checks}
    assert results["stop"] == ("pass", "pass")
    assert results["tools"] == ("unsupported", "unsupported")
    assert results["end"] == ("fail", "fail")
    assert canary.notes[0].code.startswith("greedy_")
    assert not {"canary_failed", "warm_reprocessing", "evidence_broken"} & set(ended.reasons())
    assert "<summary>More evidence</summary>" in ended.report("en")
    assert "Further evidence afterwards" in ended.said


@pytest.mark.parametrize("template", ["its own", "able"])
def test_a_model_that_follows_instructions_passes_what_its_template_can(
    builds: dict[str, Path], tmp_path: Path, template: str
) -> None:
    scenario = {"prompt": "chat", "prompt_tokens": 16, "n_predict": 8, "requests": 3, "judged": ["ttft"]}
    is_able = template == "able"
    config = real_config(
        tmp_path,
        instruct_model(),
        evidence=["canary"],
        flags="-c 2048 -t 2" + (f" --jinja --chat-template-file {ABLE}" if is_able else ""),
        margin="45%",
        scenarios={"chat": scenario},
    )
    canary = of(finished(config).run, "canary")
    both: dict[str, CheckResult] = {
        "tools": "pass" if is_able else "unsupported",
        "schema": "pass",
        "reasoning": "pass" if is_able else "unsupported",
        "stop": "pass",
        "needle": "pass",
        "end": "pass",
    }
    assert {check.name: (check.base, check.head) for check in canary.checks} == {
        name: (result, result) for name, result in both.items()
    }
    assert (canary.outcome, canary.new_failures) == ("same", ())
    assert [launch.side for launch in canary.launches] == ["base", "head"]


def test_the_chat_runs_with_the_flags_of_every_day(config: Path) -> None:
    flags = "    flags: -c 1024 -t 1 -fa on\n"
    assert flags in config.read_text()
    config.write_text(config.read_text().replace(flags, f"{flags}    daily_flags: -np 1 --cache-ram 64\n"))
    run = finished(config).run
    assert of(run, "warm_chat").outcome == "same"
    for launch in of(run, "warm_chat").launches:
        assert launch.argv[launch.argv.index("--cache-ram") + 1] == "64"
        assert launch.argv[launch.argv.index("-np") + 1] == "1"
    assert {launch.argv[launch.argv.index("--cache-ram") + 1] for launch in run.launches()} == {"0"}


def test_the_chat_is_asked_of_servers_as_their_user_starts_them(config: Path) -> None:
    warm = of(finished(config).run, "warm_chat")
    for launch in warm.launches:
        assert {"-c", "1024", "-fa"} <= set(launch.argv)
        ours = {"--cache-ram", "-cram", "--ctx-checkpoints", "--no-cache-prompt", "-np", "--fit"}
        assert not ours & set(launch.argv)


def test_a_head_that_forgets_its_prompts_is_held(config: Path) -> None:
    ended = finished(config, {"head": FORGETFUL})
    warm = of(ended.run, "warm_chat")
    assert warm.outcome == "worse"
    cached = measured(warm, "cached")
    assert [head for _, head in cached] == [0, 0, 0]
    again = [head for _, head in measured(warm, "reprocessed")]
    assert again == [base for base, _ in cached]
    assert ended.reasons()[0] == "warm_reprocessing"
    assert ended.run.verdict is not None
    assert ended.run.verdict.code == "hold"
    assert f"processes {again[-1]:.0f} tokens of the turns before again (b9553: 0)" in ended.report("en")
    assert f"{again[-1]:.0f} 个 token 重新处理了一遍（b9553 为 0 个）" in ended.report("zh-Hans")


def test_a_head_that_lost_its_stop_words_is_held_after_it_was_asked_again(config: Path) -> None:
    ended = finished(config, {"head": planted("drop", "stop")})
    canary = of(ended.run, "canary")
    assert [(check.name, check.head_detail) for check in canary.new_failures] == [
        ("stop", "stop_word_written")
    ]
    assert [launch.side for launch in canary.launches] == ["base", "head", "head"]
    assert ended.reasons()[0] == "canary_failed"
    assert "b9553 passes and b9601 fails: stop words." in ended.report("en")


def test_a_head_that_dies_of_a_chat_request_is_held(config: Path) -> None:
    ended = finished(config, {"head": planted("die", "tools")})
    canary = of(ended.run, "canary")
    assert [(launch.side, launch.status) for launch in canary.launches] == [
        ("base", "ok"),
        ("head", "crashed_serving"),
        ("head", "crashed_serving"),
    ]
    assert {check.head for check in canary.checks} == {"not_run"}
    assert of(ended.run, "warm_chat").outcome == "same"
    assert ended.reasons()[0] == "evidence_broken"
    told = "In further evidence (functional canary), b9601 crashed while serving a request"
    assert told in ended.report("en")


def test_what_the_budget_has_no_room_for_is_said(config: Path) -> None:
    config.write_text(config.read_text().replace("budget: 20m\n", "budget: 20m\nevidence_budget: 1s\n"))
    ended = finished(config)
    assert [(item.kind, item.outcome) for item in ended.run.evidence] == [
        ("warm_chat", "not_run"),
        ("canary", "not_run"),
    ]
    assert not list((ended.folder / "launches").glob("evidence-*"))
    assert "There was no time left for it." in ended.report("en")


def test_a_run_killed_amid_its_evidence_goes_on_there(desks: Desks) -> None:
    desk = desks("evidence-killed", lambda _: {}, evidence=["warm_chat", "canary"])
    kept = desk.folder / "run" / "evidence" / "warm_chat.json"

    first = desk.run("run", die=("after", "evidence/warm_chat.json"))
    assert first.wait() == -signal.SIGKILL, first.stderr
    assert desk.gone() == []
    before = (kept.read_bytes(), kept.stat().st_mtime_ns)

    second = desk.run("run", die=("after", "launches/evidence-canary-01-head"))
    assert second.wait() == -signal.SIGKILL
    assert desk.gone() == []

    assert desk.run("run").wait() == 0
    assert (kept.read_bytes(), kept.stat().st_mtime_ns) == before
    run = load_run(desk.folder / "run" / "run.json")
    assert [(item.kind, item.outcome) for item in run.evidence] == [("warm_chat", "same"), ("canary", "same")]
    first_sitting = Evidence.model_validate(json.loads(before[0]))
    assert of(run, "warm_chat").measures == first_sitting.measures
    assert not [name for name in ("measure", "prepare") if name not in run.seconds]
