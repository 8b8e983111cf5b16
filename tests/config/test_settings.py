"""What a good config.yml becomes: the shipped one, the smallest one, and each kind of value."""

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot import resources
from bot.config import Settings, demo_settings, load
from tests.config.conftest import Write

GOOD = "profiles:\n  mine:\n    model: m.gguf\n"


def test_the_shipped_file_holds_the_conditions_of_the_example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    settings = load(resources.example_config())
    profile = settings.profile()

    assert profile.model == Path("/home/someone/models/Qwen3.6-27B-Q4_K_M.gguf")
    assert profile.flags == ("-ngl", "50", "-c", "98304", "-b", "1024", "-fa", "on")
    assert [(item.name, item.prompt_tokens, item.n_predict, item.requests) for item in profile.scenarios] == [
        ("chat", 63, 8, 5),
        ("document", 704, 8, 5),
        ("coding", 532, 64, 5),
    ]
    assert [item.judged for item in profile.scenarios] == [
        ("ttft", "prefill"),
        ("ttft", "prefill"),
        ("ttft", "prefill", "decode"),
    ]
    assert (profile.margin, profile.rounds, profile.looks) == (0.03, 12, (4, 6, 8, 10, 12))
    assert (profile.reserve_mib, profile.primary, profile.preset) == (300, (), None)
    assert (settings.budget_s, settings.languages) == (2700, ("zh-Hans", "en"))
    assert settings.cache == Path("/home/someone/.cache/llama-release-bot")
    assert settings.upstream.url == "https://github.com/ggml-org/llama.cpp"


def test_the_shipped_file_says_what_the_defaults_are(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    shipped = load(resources.example_config())
    path = write(
        "profiles:\n  qwen3.6-27b:\n    model: ~/models/Qwen3.6-27B-Q4_K_M.gguf\n"
        "    flags: -ngl 50 -c 98304 -b 1024 -fa on\n"
    )
    smallest = load(path)

    assert smallest.profile() == shipped.profile()
    assert smallest.profile(preset="quick") == shipped.profile(preset="quick")
    assert smallest.model_copy(update={"profiles": {}, "presets": {}}) == shipped.model_copy(
        update={"profiles": {}, "presets": {}}
    )


def test_the_demo_has_conditions_that_two_shared_cores_can_decide(tmp_path: Path) -> None:
    settings = demo_settings(tmp_path / "gemma.gguf", upstream=str(tmp_path), cache=tmp_path / "cache")
    profile = settings.profile()

    assert (profile.name, profile.model) == ("demo", tmp_path / "gemma.gguf")
    assert profile.flags == ("-c", "2048", "-t", "1", "-fa", "on", "-b", "512")
    assert [(item.prompt_tokens, item.n_predict, item.requests) for item in profile.scenarios] == [
        (63, 8, 3),
        (256, 8, 3),
        (160, 64, 3),
    ]
    assert [item.name for item in profile.scenarios if "decode" in item.judged] == ["coding"]
    assert (profile.margin, profile.rounds, profile.looks) == (0.1, 4, (4,))
    assert (settings.machine.backend, settings.budget_s) == ("cpu", 480)
    assert (settings.upstream.url, settings.cache) == (str(tmp_path), tmp_path / "cache")


def test_settings_are_frozen(write: Write) -> None:
    settings = load(write(GOOD))

    with pytest.raises(ValidationError):
        settings.budget_s = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("45m", 2700), ("45min", 2700), ("1h30m", 5400), ("24h", 86400), ("1h 5s", 3605)],
)
def test_durations_have_units(write: Write, text: str, seconds: int) -> None:
    assert load(write(GOOD + f"budget: {text}\n")).budget_s == seconds


@pytest.mark.parametrize(("text", "margin"), [("3%", 0.03), ("2.5 %", 0.025), ("0.03", 0.03), ("'10%'", 0.1)])
def test_margins_are_percentages_or_fractions(write: Write, text: str, margin: float) -> None:
    assert load(write(GOOD + f"    margin: {text}\n")).profile().margin == pytest.approx(margin)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("-fa on --no-mmap", ("-fa", "on", "--no-mmap")),
        ("[-fa, on, -ngl, 50, --temp, 0.7]", ("-fa", "on", "-ngl", "50", "--temp", "0.7")),
        ("-ot '.ffn_.*_exps.=CPU' -ngl 99", ("-ot", ".ffn_.*_exps.=CPU", "-ngl", "99")),
        ("", ()),
    ],
)
def test_flags_are_a_line_or_a_list(write: Write, text: str, flags: tuple[str, ...]) -> None:
    assert load(write(GOOD + f"    flags: {text}\n")).profile().flags == flags


def test_files_in_flags_are_found_from_the_folder_of_the_file(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    path = write(GOOD + "    flags: -md ~/draft.gguf --mmproj mm.gguf --lora a.gguf,/b.gguf -fa on\n")

    assert load(path).profile().flags == (
        "-md",
        "/home/someone/draft.gguf",
        "--mmproj",
        str(path.parent / "mm.gguf"),
        "--lora",
        f"{path.parent / 'a.gguf'},/b.gguf",
        "-fa",
        "on",
    )


def test_paths_start_at_the_folder_of_the_file(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(GOOD + "    scenarios: {own: {prompt: prompt.txt, prompt_tokens: 16}}\ncache: ../cache\n")
    monkeypatch.chdir(path.parent)
    settings = load(Path("config.yml"))

    assert settings.profile().model == path.parent / "m.gguf"
    assert settings.cache == path.parent / "../cache"
    assert settings.profile().scenarios[0].text() == "Which three herbs grow on a cold sill?"


def test_the_cache_is_where_the_desktop_says(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(GOOD)
    monkeypatch.setenv("XDG_CACHE_HOME", "/var/tmp/caches")
    assert load(path).cache == Path("/var/tmp/caches/llama-release-bot")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert load(path).cache == Path.home() / ".cache/llama-release-bot"


def test_no_environment_variable_changes_a_setting(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(GOOD + "cache: here\n")
    before = load(path)
    for name in Settings.model_fields:
        for variable in (name, name.upper(), f"LLAMA_RELEASE_BOT_{name.upper()}", f"BOT_{name.upper()}"):
            monkeypatch.setitem(os.environ, variable, "5m")
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")

    assert load(path) == before


def test_anchors_are_plain_yaml(write: Write) -> None:
    text = "profiles:\n  a: &a\n    model: m.gguf\n    rounds: 8\n  b:\n    <<: *a\n    flags: -fa on\n"
    settings = load(write(text))

    assert settings.profile("b").rounds == 8
    assert settings.profile("b").flags == ("-fa", "on")


def test_words_that_yaml_1_1_takes_for_truth_stay_words(write: Write) -> None:
    text = (
        GOOD.replace("mine", "on") + "default_profile: on\nmachine:\n  name: no\n  before: [[a, off, 1:30]]\n"
    )
    settings = load(write(text))

    assert settings.profile().name == "on"
    assert settings.machine.name == "no"
    assert settings.machine.before == (("a", "off", "1:30"),)


def test_a_key_with_nothing_after_it_is_left_out(write: Write) -> None:
    settings = load(write(GOOD + "    flags:\nmachine:\n  before:\n  gpu:\nbudget:\n"))

    assert (settings.budget_s, settings.machine.before, settings.machine.gpu) == (2700, (), "auto")


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())

    assert load(path).profile().name == "mine"


@pytest.mark.parametrize(("actions", "level"), [("true", "required"), ("false", "auto"), (None, "auto")])
def test_in_github_actions_a_sandbox_is_required_unless_the_file_says_otherwise(
    write: Write, monkeypatch: pytest.MonkeyPatch, actions: str | None, level: str
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    if actions is not None:
        monkeypatch.setenv("GITHUB_ACTIONS", actions)
    assert load(write(GOOD)).machine.isolation == level
    assert load(write(f"machine:\n  isolation: none\n{GOOD}")).machine.isolation == "none"
    assert load(resources.example_config()).machine.isolation == level
    assert demo_settings(Path("m.gguf")).machine.isolation == "auto"
