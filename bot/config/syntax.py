"""What is wrong with text that is no YAML, in the reader's words instead of the parser's."""

from pathlib import Path

import yaml

from bot.errors import BotError, usage

#: Longer values are cut in messages, so that the line stays readable in a terminal.
SHOWN = 60
#: Parts of PyYAML's message (its `context` and `problem`) and the kind of mistake each stands for;
#: the sentence for a kind is in the catalogs. The first match counts.
MISTAKES = (
    (r"'\t' that cannot start any token", "tab"),
    ("while scanning a quoted scalar", "quote"),
    ("flow sequence", "bracket"),
    ("flow mapping", "brace"),
    ("mapping values are not allowed here", "colon"),
    ("could not find expected ':'", "key"),
    ("while parsing a block mapping", "indent"),
    ("while parsing a block collection", "indent"),
    ("undefined alias", "alias"),
    ("duplicate anchor", "anchor"),
    ("that cannot start any token", "character"),
    ("special characters are not allowed", "control"),
    ("expected a single document", "documents"),
    ("expected a mapping or list of mappings for merging", "merge"),
)


def syntax_error(path: Path, text: str, error: yaml.YAMLError) -> BotError:
    """The one-line error for what PyYAML refused: where, what stands there, what to write instead."""
    lines = text.splitlines() or [""]
    index = min(_line(text, error), len(lines) - 1)
    while index > 0 and not lines[index].strip():
        index -= 1
    return usage(
        "config-syntax",
        file=str(path),
        line=str(index + 1),
        mistake=_refined(_mistake(error), lines[index]),
        found=one_line(lines[index]),
    )


def one_line(text: str) -> str:
    """The text fit for one line of a terminal: no line breaks or control characters, not too long."""
    flat = "".join(char if char.isprintable() else " " for char in " ".join(text.split()))
    return flat if len(flat) <= SHOWN else flat[: SHOWN - 1] + "…"


def _refined(mistake: str, line: str) -> str:
    """A tab or a misplaced key, which the parser words as other mistakes; the line tells them apart."""
    if line.lstrip(" ").startswith("\t"):
        return "tab"
    return "place" if mistake == "colon" and line.count(": ") < 2 else mistake


def _line(text: str, error: yaml.YAMLError) -> int:
    if isinstance(error, yaml.MarkedYAMLError):
        # An unclosed quote or bracket is found at the end of the file, and mended where it was opened.
        opened = error.context_mark if _mistake(error) in ("quote", "bracket", "brace") else None
        mark = opened or error.problem_mark or error.context_mark
        return int(mark.line) if mark else 0
    position = getattr(error, "position", 0)
    return text.count("\n", 0, position)


def _mistake(error: yaml.YAMLError) -> str:
    said = str(error)
    return next((kind for part, kind in MISTAKES if part in said), "other")
