"""Profiles as they are run: defaults, where decode is judged, presets, identity, the record."""

from pathlib import Path

import pytest

from bot.config import load, profile_hash, to_record
from bot.config.models import DEFAULT_EVIDENCE
from bot.config.profile import ProfileSettings, ScenarioSettings
from bot.errors import BotError, Exit
from bot.records import Model
from tests.config.conftest import Say, Write

GOOD = "profiles:\n  mine:\n    model: m.gguf\n"
SCENES = (
    GOOD
    + "    scenarios:\n"
    + "      short: {prompt: chat, prompt_tokens: 63}\n"
    + "      long: {prompt: document, prompt_tokens: 704, requests: 7}\n"
    + "      code: {prompt: coding, prompt_tokens: 532}\n"
)
MODEL = Model(name="m.gguf", sha256="ab" * 32, size_mib=241.0)


def judged(path: Path) -> dict[str, tuple[str, ...]]:
    return {item.name: item.judged for item in load(path).profile().scenarios}


def test_decode_is_judged_in_the_last_scenario_alone_unless_asked(write: Write) -> None:
    assert [name for name, kinds in judged(write(SCENES)).items() if "decode" in kinds] == ["code"]
    asked = judged(write(SCENES + "    decode_in: [short, long]\n"))
    assert [name for name, kinds in asked.items() if "decode" in kinds] == ["short", "long"]


def test_a_scenario_may_say_what_is_judged_in_it(write: Write) -> None:
    own = SCENES.replace("tokens: 63}", "tokens: 63, judged: [decode]}")
    assert judged(write(own)) == {
        "short": ("decode",),
        "long": ("ttft", "prefill"),
        "code": ("ttft", "prefill"),
    }
    none = SCENES.replace("tokens: 532}", "tokens: 532, judged: [ttft]}")
    assert judged(write(none))["code"] == ("ttft",)
    both = judged(write(none + "    decode_in: code\n"))
    assert both["code"] == ("ttft", "decode")


def test_the_answer_is_long_only_where_decode_is_judged(write: Write) -> None:
    lengths = [item.n_predict for item in load(write(SCENES + "    decode_in: long\n")).profile().scenarios]
    assert lengths == [8, 64, 8]


def test_quick_keeps_what_the_verdict_needs(write: Write) -> None:
    quick = load(write(SCENES)).profile(preset="quick")

    assert [(item.name, item.requests) for item in quick.scenarios] == [("long", 3), ("code", 3)]
    assert (quick.rounds, quick.looks, quick.preset) == (4, (4,), "quick")


def test_quick_follows_the_primary_metrics_of_the_profile(write: Write) -> None:
    quick = load(write(SCENES + "    primary: ttft:short\n")).profile(preset="quick")

    assert [item.name for item in quick.scenarios] == ["short"]
    assert quick.primary == ("ttft:short",)


def test_a_preset_only_shortens(write: Write) -> None:
    path = write(
        SCENES + "    rounds: 6\npresets:\n  slow: {requests: 6, rounds: 12, scenarios: [short, long]}\n"
    )
    slow = load(path).profile(preset="slow")

    assert [(item.name, item.requests) for item in slow.scenarios] == [("short", 5), ("long", 6)]
    assert slow.rounds == 6


def test_a_preset_that_drops_a_primary_metric_drops_its_claim(write: Write) -> None:
    path = write(SCENES + "    primary: [decode:code, ttft:short]\npresets:\n  one: {scenarios: [short]}\n")

    assert load(path).profile(preset="one").primary == ("ttft:short",)


def test_an_own_quick_replaces_the_built_in_one(write: Write) -> None:
    quick = load(write(SCENES + "presets:\n  quick: {rounds: 8}\n")).profile(preset="quick")

    assert (len(quick.scenarios), quick.rounds, quick.scenarios[1].requests) == (3, 8, 7)


def test_the_profile_is_the_named_the_default_or_the_first(write: Write) -> None:
    text = GOOD + "  yours:\n    model: n.gguf\n"
    assert load(write(text)).profile().name == "mine"
    assert load(write(text + "default_profile: yours\n")).profile().name == "yours"
    assert load(write(text + "default_profile: yours\n")).profile("mine").name == "mine"


@pytest.mark.parametrize(
    ("profile", "preset", "message"),
    [
        ("theirs", None, "There is no profile theirs in the configuration. Allowed: mine."),
        (None, "fast", "There is no preset fast. Allowed: quick | other."),
        (
            None,
            "other",
            "The preset other keeps no scenario of the profile mine. List one of its scenarios in the "
            "preset, or choose another preset.",
        ),
    ],
)
def test_unknown_names_are_usage_errors(
    write: Write, say: Say, profile: str | None, preset: str | None, message: str
) -> None:
    two = "  yours:\n    model: n\n    scenarios: {talk: {prompt: chat, prompt_tokens: 63}}\n"
    path = write(GOOD + two.replace("yours", "zz") + "presets:\n  other: {scenarios: [talk]}\n")

    with pytest.raises(BotError) as caught:
        load(path).profile(profile, preset)

    assert caught.value.exit_code == Exit.USAGE
    assert say(caught.value, "en") == message.replace("Allowed: mine.", "Allowed: mine | zz.")
    assert say(caught.value, "zh-Hans") != message


def test_the_flags_of_every_day_may_hold_what_the_measurement_sets(write: Write, say: Say) -> None:
    text = GOOD + "    daily_flags: -np 1 --cache-ram 2048 --fit on\n"
    assert load(write(text)).profile().daily_flags == ("-np", "1", "--cache-ram", "2048", "--fit", "on")
    for flag in ("--port 80", "-m other.gguf", "--verbose"):
        with pytest.raises(BotError) as caught:
            load(write(GOOD + f"    daily_flags: {flag}\n"))
        assert "profiles.mine.daily_flags" in say(caught.value, "en")


def test_the_hash_changes_with_all_that_the_measurement_depends_on(write: Write) -> None:
    variants = [
        SCENES,
        SCENES + "    flags: -fa on\n",
        SCENES + "    margin: 5%\n",
        SCENES + "    rounds: 8\n",
        SCENES + "    decode_in: long\n",
        SCENES + "    primary: ttft:short\n",
        SCENES.replace("704", "705"),
        SCENES.replace("requests: 7", "requests: 6"),
        SCENES.replace("prompt: chat", "prompt: prompt.txt"),
        SCENES.replace("tokens: 63", "tokens: 63, n_predict: 9"),
    ]
    hashes = [profile_hash(load(write(text)).profile(), MODEL.sha256, "cpu") for text in variants]
    settings = load(write(SCENES))
    hashes += [
        profile_hash(settings.profile(), MODEL.sha256, "cuda"),
        profile_hash(settings.profile(), "cd" * 32, "cpu"),
        profile_hash(settings.profile(preset="quick"), MODEL.sha256, "cpu"),
    ]

    assert len(set(hashes)) == len(hashes)
    assert all(len(value) == 64 for value in hashes)


def test_a_profile_of_the_first_records_keeps_their_hash(tmp_path: Path) -> None:
    prompt = tmp_path / "p.txt"
    prompt.write_text("a word " * 99)
    scenario = ScenarioSettings(
        name="chat", prompt=prompt, prompt_tokens=63, n_predict=32, requests=5, judged=("ttft", "decode")
    )
    profile = ProfileSettings(
        name="mine",
        model=Path("m.gguf"),
        flags=("-c", "4096"),
        scenarios=(scenario,),
        margin=0.03,
        primary=(),
        rounds=12,
        reserve_mib=300,
        evidence=DEFAULT_EVIDENCE,
    )
    first = "391af9572e5d05998750d423f9c56477a510b0c8bb46dd38103cb6abd01f6183"
    assert profile_hash(profile, MODEL.sha256, "cpu") == first
    daily = profile.model_copy(update={"daily_flags": ("-np", "1")})
    none = profile.model_copy(update={"evidence": ()})
    other = profile.model_copy(update={"evidence": ("canary",)})
    hashes = [profile_hash(item, MODEL.sha256, "cpu") for item in (profile, daily, none, other)]
    assert len(set(hashes)) == 4
    idle = none.model_copy(update={"daily_flags": ("-np", "1")})
    assert profile_hash(idle, MODEL.sha256, "cpu") == hashes[2]


def test_the_hash_does_not_change_with_names_places_or_spelling(write: Write, tmp_path: Path) -> None:
    first = load(write(SCENES + "    flags: -fa on\n    margin: 3%\n"))
    other = tmp_path / "other"
    other.mkdir()
    path = other / "config.yml"
    path.write_text(
        SCENES.replace("mine", "yours").replace("m.gguf", "/n.gguf")
        + "    margin: 0.03\n    flags: [-fa, 'on']\nmachine: {reserve_mib: 500}\nbudget: 5m\n"
    )
    second = load(path)

    assert profile_hash(first.profile(), MODEL.sha256, "cpu") == profile_hash(
        second.profile(), MODEL.sha256, "cpu"
    )


def test_the_record_holds_the_conditions(write: Write) -> None:
    path = write(SCENES + "    flags: -fa on\n    primary: decode:code\nmachine: {reserve_mib: 512}\n")
    settings = load(path).profile(preset="quick")
    record = to_record(settings, MODEL, "cuda")

    assert (record.name, record.model, record.backend) == ("mine", MODEL, "cuda")
    assert (record.flags, record.margin, record.primary) == (("-fa", "on"), 0.03, ("decode:code",))
    assert (record.reserve_mib, record.preset) == (512, "quick")
    assert [item.model_dump() for item in record.scenarios] == [
        {
            "name": "code",
            "prompt_tokens": 532,
            "n_predict": 64,
            "requests": 3,
            "judged": ("ttft", "prefill", "decode"),
        }
    ]
    assert record.hash == profile_hash(settings, MODEL.sha256, "cuda")
    assert str(path.parent) not in record.model_dump_json()
