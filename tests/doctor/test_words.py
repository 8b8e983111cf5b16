"""Every finding has its words, in every language, with the same values in them."""

import re

import pytest

from bot.doctor.examine import CHECKS
from bot.doctor.finding import Finding
from bot.doctor.show import LABELS, detail, remedy
from bot.report.words import catalog, languages
from bot.resources import templates
from tests.doctor.samples import every_finding

FINDINGS = tuple(every_finding())
FRAME = re.compile(r"doctor-(label-|status-|sum-|looking$|line$)")


def test_the_samples_leave_no_sentence_out() -> None:
    text = (templates() / "locales" / "en.ftl").read_text(encoding="utf-8")
    keys = {key for key in re.findall(r"^(doctor-[\w-]+) =", text, re.MULTILINE) if not FRAME.match(key)}
    said = {item.message for item in FINDINGS}
    said |= {f"{item.message}-remedy" for item in FINDINGS if item.status != "ok"}
    assert keys - said == set()


@pytest.mark.parametrize("language", languages())
def test_whatever_is_not_well_has_a_remedy(language: str) -> None:
    words = catalog(language)
    for item in FINDINGS:
        assert not detail(item, words).startswith("doctor-"), item
        if item.status != "ok" and item.error is None:
            assert remedy(item, words) and not remedy(item, words).startswith("doctor-"), item
        else:
            assert remedy(item, words) == "", item


def test_both_languages_carry_the_same_values() -> None:
    for item in FINDINGS:
        said = [spoken_values(item, language) for language in ("en", "zh-Hans")]
        assert said[0] == said[1], item


def spoken_values(item: Finding, language: str) -> set[str]:
    words = catalog(language)
    text = f"{detail(item, words)} {remedy(item, words)}"
    # Counts of one are words in English.
    return {name for name, value in item.args.items() if str(value) in text and str(value) not in ("1", "")}


@pytest.mark.parametrize("language", languages())
def test_every_check_has_a_name(language: str) -> None:
    known = set(LABELS)
    assert {item.check for item in FINDINGS} <= known
    assert set(CHECKS) <= known
    programs = {"git", "cmake", "ninja", "ccache", "nvcc"}
    assert {name for name in known if not catalog(language).has(f"doctor-label-{name}")} == programs
