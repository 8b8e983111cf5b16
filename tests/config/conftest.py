"""Configuration files in a folder of their own, and errors as their reader sees them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from fluent.runtime import FluentBundle, FluentResource

from bot import resources
from bot.errors import BotError

Say = Callable[[BotError, str], str]
Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a config.yml and gives its path; the folder holds a prompt file and an empty one."""
    (tmp_path / "prompt.txt").write_text("Which three herbs grow on a cold sill?")
    (tmp_path / "empty.txt").write_text("  \n")

    def write(text: str) -> Path:
        path = tmp_path / "config.yml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


@cache
def catalog(tag: str) -> FluentBundle:
    """One language alone: what it lacks is not said in another."""
    bundle = FluentBundle([tag], use_isolating=False)
    file = resources.templates() / "locales" / f"{tag}.ftl"
    bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))
    return bundle


@pytest.fixture
def say() -> Say:
    """The sentence for an error in a language."""

    def say(error: BotError, tag: str) -> str:
        bundle = catalog(tag)
        pattern = bundle.get_message(f"error-{error.code}").value
        text, problems = bundle.format_pattern(pattern, error.values)
        assert not problems, problems
        return str(text)

    return say
