"""`changelog BASE..HEAD`: what it prints, and what it says to a mistake."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli import app
from bot.config import load
from bot.errors import BotError
from bot.pipeline import changes
from bot.pipeline.changes import Question, answer, assumed
from bot.progress import Reporter
from bot.report.words import catalog
from tests.support.commits import SHARED, commit

SERVER = "tools/server/server-context.cpp"
CONFIG = "version: 1\nprofiles:\n  a: {model: m.gguf}\n"
KEYS = ["sha", "pr", "area", "type", "needs", "applies", "text"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a config.yml, on a machine without a GPU."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(changes.nvml, "devices", lambda: ())
    monkeypatch.setattr(changes, "find_device", lambda _: None)
    return tmp_path


def listed(folder: Path, *subjects: str, **more: Any) -> Path:
    path = folder / "commits.json"
    rows = [commit(subject, SERVER).model_dump(mode="json") | more for subject in subjects]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(app, ["changelog", *map(str, words)])


def problem(*words: str | Path) -> tuple[str, int]:
    """The sentence (English) and the exit code of a run that fails."""
    result = run(*words)
    assert isinstance(result.exception, BotError), result.output
    return catalog("en").error(result.exception), int(result.exception.exit_code)


def test_json_is_the_contract(tmp_path: Path) -> None:
    path = listed(tmp_path, "server : fix crash of slots (#1)", "server : fix frobnicated MTP (#2)")
    facts = json.loads(run("b1..b2", "--commits", path, "--json").stdout)
    assert list(facts) == ["highlights", "themes", "accounted", "suspects"]
    assert [list(item) for item in facts["highlights"]] == [KEYS, KEYS]
    by_pr = {item["pr"]: item for item in facts["highlights"]}
    assert by_pr[1]["applies"] == "yes"
    assert by_pr[1]["text"] == {"zh-Hans": "修复 slot 的崩溃", "en": "Fix crash of slots"}
    assert (by_pr[2]["applies"], by_pr[2]["needs"]) == ("no", ["spec:mtp"])
    assert by_pr[2]["text"]["zh-Hans"] == "修复 · Server：“fix frobnicated MTP”"
    assert facts["accounted"] == {"not-applicable": 1, "shown": 1}
    assert set(facts["suspects"]) == {"vram", "prefill", "decode", "ttft"}


def test_suspects_are_named_as_if_each_metric_had_moved_with_a_reason_per_language() -> None:
    path = SHARED / "ranges" / "b9556-b9602.json"
    if not path.is_file():
        pytest.skip("LOUD: the real ranges are missing")
    facts = json.loads(run("b9556..b9602", "--commits", path, "--json").stdout)
    (vram,) = facts["suspects"]["vram"]
    assert vram["sha"] == "0f7fada56bea"
    assert vram["reason"]["en"] == (
        "CUDA, its text speaks of memory or the CUDA context; may be related, not bisected"
    )
    assert vram["reason"]["zh-Hans"].endswith("可能有关，尚未二分定位")
    assert {item["pr"]: item["applies"] for item in facts["highlights"]}[24360] == "no"


def test_text_says_what_applies_what_does_not_and_what_became_of_the_rest(tmp_path: Path) -> None:
    path = listed(tmp_path, "server : fix crash of slots (#1)", "server : fix MTP crash (#2)")
    text = run("b1..b2", "--commits", path).stdout
    assert text.splitlines()[:3] == ["b1..b2: 2 commits", "", "- Fix crash of slots (#1)"]
    assert "Not used by this profile:\n- Fix MTP crash (#2) · needs MTP speculative decoding\n" in text
    assert "All commits: not used by this profile 1, shown above 1." in text
    assert "If VRAM changed: no commit is clearly related." in text


def test_nothing_relevant_is_said_with_counts(tmp_path: Path) -> None:
    path = tmp_path / "commits.json"
    path.write_text(json.dumps([{"sha": "a" * 40, "subject": "ci : x", "files": [".github/x.yml"]}]))
    text = run("b1..b2", "--commits", path).stdout
    assert "Nothing in this range is relevant to this profile." in text
    assert "All commits: CI and packaging 1." in text


def test_unknown_keys_and_nulls_of_other_tools_are_passed_over(tmp_path: Path) -> None:
    path = listed(tmp_path, "server : fix crash of slots", author="x", body=None, pr=None)
    facts = json.loads(run("b1..b2", "--commits", path, "--json").stdout)
    assert facts["accounted"] == {"shown": 1}


def test_lone_surrogates_and_controls_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "commits.json"
    subject = "server : fix \ud800 crash \x1b[31m \u202e of slots"
    path.write_text(json.dumps([{"sha": "a" * 40, "subject": subject}]), encoding="ascii")
    for flags in ((), ("--json",)):
        result = run("b1..b2", "--commits", path, *flags)
        assert result.exit_code == 0
        assert not {"\x1b", "\u202e", "\ud800"} & set(result.stdout)


@pytest.mark.parametrize("span", ["b1", "b1...", "..b2", "b1..b2..b3", "", "b1 b2", "-x..y;z"])
def test_a_bad_range_is_one_sentence(span: str, tmp_path: Path) -> None:
    sentence, code = problem("--commits", listed(tmp_path), "--", span)
    assert code == 2
    assert sentence == f"{span} is not a range of two tags. Write it as BASE..HEAD, such as b9556..b9602."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON"),
        ("{}", "holds no list"),
        ("[1]", "Entry 1 of"),
        ('[{"sha": "a"}]', "check subject"),
        ('[{"sha": "a", "subject": "x"}, {"sha": 3, "subject": "y"}]', "Entry 2 of"),
        ('[{"sha": "a", "subject": "x", "files": [{"added": 1}]}]', "check files.0.path"),
        ('[{"sha": "a", "subject": "x", "files": "y"}]', "check files"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_bad_list_is_one_sentence(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "commits.json"
    path.write_text(content, encoding="utf-8")
    sentence, code = problem("b1..b2", "--commits", path)
    assert code == 2
    assert said in sentence
    assert "\n" not in sentence


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    sentence, code = problem("b1..b2", "--commits", tmp_path / "none.json")
    assert (code, "none.json" in sentence) == (2, True)


def test_without_a_config_the_shipped_conditions_are_assumed(tmp_path: Path) -> None:
    found = answer(
        Question("b1..b2", listed(tmp_path), None, Path("config.yml")), Reporter(catalog("en").text)
    )
    assert found.languages == ("zh-Hans", "en")
    facts = assumed(changes._settings(Path("config.yml")), None)
    assert (facts.backend, facts.architecture, facts.quantization, facts.gpus) == (
        "cuda",
        "qwen35",
        "q4_k_m",
        1,
    )
    assert facts.flags["--n-gpu-layers"] == "50"
    assert facts.spelled["--n-gpu-layers"] == "-ngl"


def test_a_config_that_was_named_must_exist(tmp_path: Path) -> None:
    _, code = problem("b1..b2", "--commits", listed(tmp_path), "--config", tmp_path / "none.yml")
    assert code == 2


def test_a_profile_of_the_config_is_used_with_its_corrections(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[1]\ntext.en = "No more crashes"\n')
    (tmp_path / "config.yml").write_text(
        "version: 1\nlanguages: [en]\noverrides: mine.toml\nprofiles:\n"
        "  small: {model: m.gguf}\n  mtp: {model: m.gguf, flags: --spec-type draft-mtp -ngl 99}\n"
    )
    path = listed(tmp_path, "server : fix MTP crash (#1)")
    for name, applies in (("mtp", "yes"), ("small", "no")):
        facts = json.loads(run("b1..b2", "--commits", path, "--profile", name, "--json").stdout)
        assert [(item["applies"], item["text"]) for item in facts["highlights"]] == [
            (applies, {"en": "No more crashes"})
        ]
    sentence, code = problem("b1..b2", "--commits", path, "--profile", "none")
    assert (code, "none" in sentence) == (2, True)


@pytest.mark.parametrize(("content", "said"), [("[1]\ntype = 'x'", "1.type"), ("[", "is not TOML")])
def test_a_mistake_in_the_corrections_is_one_sentence(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(content)
    (tmp_path / "config.yml").write_text(
        "version: 1\noverrides: mine.toml\nprofiles:\n  a: {model: m.gguf}\n"
    )
    sentence, code = problem("b1..b2", "--commits", listed(tmp_path))
    assert (code, said in sentence) == (2, True)


@pytest.mark.parametrize(
    ("backend", "flags", "chosen"),
    [
        ("auto", "-ngl 50", "cuda"),
        ("auto", "-ngl 0", "cpu"),
        ("auto", "-c 2048", "cpu"),
        ("cpu", "-ngl 50", "cpu"),
    ],
)
def test_the_backend_without_a_gpu(backend: str, flags: str, chosen: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yml"
    path.write_text(
        f"version: 1\nmachine: {{backend: {backend}}}\nprofiles:\n  a: {{model: m.gguf, flags: {flags}}}\n"
    )
    assert assumed(load(path), None).backend == chosen
