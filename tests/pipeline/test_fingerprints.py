"""What changed since the last run on this machine, and what the two builds do not share."""

from pathlib import Path

import pytest

from bot.config import Settings
from bot.pipeline import fingerprints
from bot.records import Difference, Run
from bot.report.render import render
from bot.store import write_text
from tests.support import facts, runs


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_construct(cache=tmp_path)


def fingerprinted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, found: dict[str, str], **changes: object
) -> Run:
    monkeypatch.setattr(fingerprints, "machine_facts", lambda _device: found)
    return fingerprints.compared(settings, None, facts.run(**changes))


def test_what_changed_since_the_last_run_is_named(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fingerprinted(settings, monkeypatch, {"gpu.driver": "550.54", "host.smt": "1"}, id="first")
    assert (first.changed, first.changed_since) == ((), None)
    fingerprints.remember(settings, first)
    again = fingerprinted(settings, monkeypatch, {"gpu.driver": "610.57", "gpu.ecc": "on"}, id="second")
    assert again.changed == (Difference(name="gpu.driver", base="550.54", head="610.57", blocks=False),)
    assert again.changed_since == "first"


def test_a_run_that_is_taken_up_again_has_not_changed_against_itself(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    fingerprints.remember(settings, fingerprinted(settings, monkeypatch, {"gpu.driver": "1"}, id="one"))
    assert fingerprinted(settings, monkeypatch, {"gpu.driver": "2"}, id="one").changed == ()


def test_another_profile_is_no_change(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    fingerprints.remember(settings, fingerprinted(settings, monkeypatch, {}, id="one"))
    other = facts.profile().model_copy(update={"name": "other", "flags": ("-c", "9")})
    assert fingerprinted(settings, monkeypatch, {}, id="two", profile=other).changed == ()
    same = facts.profile().model_copy(update={"flags": ("-c", "9")})
    changed = fingerprinted(settings, monkeypatch, {}, id="two", profile=same).changed
    assert [(item.name, item.base, item.head) for item in changed] == [
        ("profile.test.flags", "-c 2048", "-c 9")
    ]


def test_a_damaged_note_is_no_obstacle(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    write_text(fingerprints.place(settings, facts.run()), "{")
    assert fingerprinted(settings, monkeypatch, {"gpu.driver": "1"}).fingerprint["gpu.driver"] == "1"


def test_a_kept_build_of_an_older_compiler_is_shown_as_a_difference() -> None:
    builds = (
        runs.build("base"),
        runs.build("head", tools=(runs.build("head").tools[0].model_copy(update={"version": "14.1"}),)),
    )
    found = fingerprints.between_sides(runs.run(builds=builds))
    assert [(item.name, item.base, item.head, item.blocks) for item in found] == [
        ("build:gcc", "12.2.0", "14.1", False)
    ]


def test_it_stands_before_the_numbers_in_both_languages() -> None:
    changed = (
        Difference(name="gpu.driver", base="550.54", head="610.57", blocks=False),
        Difference(name="gpu2.ecc", base="off", head="on", blocks=False),
        Difference(name="tool.gcc", base="12", head="13", blocks=False),
    )
    files = render(runs.run(changed=changed, changed_since="b1-b2-abc"))
    said = (
        "Changed on this machine since the last run (b1-b2-abc): "
        "NVIDIA driver `550.54` → `610.57`, GPU2 ECC `off` → `on`, gcc `12` → `13`."
    )
    english = files["report.en.md"]
    assert said in english
    assert english.index(said) < english.index("|:--|")
    assert (
        "与本机上一次运行（b1-b2-abc）相比有变化：NVIDIA 驱动 `550.54` → `610.57`"
        in files["report.zh-Hans.md"]
    )
    assert "Changed on" not in render(runs.run())["report.en.md"]
