"""The command that a refused line was most likely meant to be. Pure; it only ever suggests."""

import difflib
import re
import unicodedata

from bot.github.commands import LONGEST, NOTHING, OPTIONS, TAG, VERBS, Choices, Command, parse_line
from bot.github.own_text import command_line
from bot.upstream import tags

#: Words that people write between two tags.
_FILLERS = ("to", "vs", "vs.", "and", "against", "with", "from", "->", "→")
_DECORATION = "`*_~\"'<>()[]{},;:!?。，、；：「」“”‘’@#"


def nearest(line: str, choices: Choices) -> str | None:
    """A line of the grammar that is close to `line`, spelled anew from its parts; None where none is.

    What it holds was written by the grammar or checked by it, so a reply can show it.
    """
    plain = unicodedata.normalize("NFKC", line[:LONGEST])
    visible = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in plain)
    joined = re.sub(r"\s*(?:\.{2,}|…)\s*", "..", visible)
    words = [mended for word in joined.split()[1:] if (mended := _mended(word, choices))]
    for attempt in (words, words[:3], words[:2], words[:1]):
        command = parse_line(" ".join(["/bench", *attempt]), choices)
        if attempt and command.action != "refuse":
            return command.line()
    return None


def understand(body: str, choices: Choices) -> Command:
    """As `commands.parse`; a refusal's arguments also hold the `nearest` line, empty where there is none."""
    line = command_line(body)
    command = NOTHING if line is None else parse_line(line, choices)
    if line is None or command.reason is None:
        return command
    args = {**command.reason.args, "nearest": nearest(line, choices) or ""}
    return command.model_copy(update={"reason": command.reason.model_copy(update={"args": args})})


def _mended(word: str, choices: Choices) -> str:
    bare = word.strip(_DECORATION)
    if bare.lower() in _FILLERS:
        return ""
    if "=" in bare or ":" in bare:
        return _option(re.sub("[:=]+", "=", bare.lstrip("-"), count=1), choices)
    if ".." in bare:
        return "..".join(_ref(part, choices) for part in bare.split("..", 1))
    return _ref(bare, choices)


def _option(word: str, choices: Choices) -> str:
    name, _, value = word.partition("=")
    alike = difflib.get_close_matches(name.lower(), OPTIONS, n=1)
    if not alike:
        return ""
    known = choices.of(alike[0])
    values = difflib.get_close_matches(value, known, n=1, cutoff=0.4) if known else [value]
    return f"{alike[0]}={values[0]}" if values else ""


def _ref(word: str, choices: Choices) -> str:
    lowered = word.lower()
    numbered = re.fullmatch(r"(?:refs/tags/|tag|build|v|b)?[-_/]?(0*)([0-9]{3,7})", lowered)
    tag = f"b{numbered[2]}" if numbered else lowered
    if TAG.fullmatch(tag):
        known = choices.tags
        return tag if known is None or tag in known else tags.nearest(known, tag) or tag
    alike = difflib.get_close_matches(lowered, VERBS, n=1)
    return alike[0] if alike else lowered
