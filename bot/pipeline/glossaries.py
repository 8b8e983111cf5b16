"""What the changelog's words are made with: glossaries of the program, corrections of the maintainer."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from bot import resources
from bot.changelog import Lexicon, Override, compile_lexicon, read_overrides
from bot.errors import usage


def lexicons(languages: Sequence[str]) -> dict[str, Lexicon]:
    """The glossaries of those languages that have one (`templates/glossary/<tag>.toml`)."""
    found = {language: _lexicon(_folder() / f"{language}.toml") for language in languages}
    return {language: lexicon for language, lexicon in found.items() if lexicon is not None}


def overrides(path: Path | None) -> Mapping[int, Override]:
    """The corrections in a file, none without one. BotError (exit 2) names the place of a mistake."""
    if path is None:
        return {}
    try:
        return read_overrides(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise usage("cannot-read", path=str(path), why=error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise usage("overrides-syntax", path=str(path), why=str(error)) from error
    except ValueError as error:
        raise usage("overrides-entry", path=str(path), where=str(error)) from error


def _folder() -> Path:
    return resources.templates() / "glossary"


@cache
def _lexicon(path: Path) -> Lexicon | None:
    return compile_lexicon(tomllib.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None
