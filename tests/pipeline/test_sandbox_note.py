"""A first run on a system without a sandbox goes on, and says so with the way to have one."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from bot.config import Settings
from bot.config.models import MachineConfig
from bot.isolation import Level, Means
from bot.pipeline import building
from bot.progress import Reporter
from bot.report.words import catalog

REFUSAL = "bwrap: setting up uid map: Permission denied"


def said(level: Level, found: Means, language: str, patch: pytest.MonkeyPatch) -> str:
    patch.setattr(building, "means", lambda: found)
    output = io.StringIO()
    settings = Settings.model_construct(machine=MachineConfig(isolation=level), profiles={})
    building.say_sandbox(settings, Reporter(catalog(language).text, Console(file=output, width=400)))
    return output.getvalue()


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_where_bubblewrap_lacks_the_way_to_install_it_is_told(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = said("auto", Means(None), language, monkeypatch)
    assert "sudo apt install bubblewrap" in text
    assert text.count("\n") == 1


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_where_the_system_refuses_its_word_and_doctor_are_told(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = said("auto", Means(None, REFUSAL), language, monkeypatch)
    assert REFUSAL in text
    assert "llama-release-bot doctor" in text
    assert "apt install" not in text


@pytest.mark.parametrize(
    ("level", "found"),
    [("auto", Means(Path("/usr/bin/bwrap"))), ("none", Means(None)), ("required", Means(None))],
)
def test_nothing_is_said_where_there_is_one_or_none_was_wanted(
    level: Level, found: Means, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(level, found, "en", monkeypatch) == ""
