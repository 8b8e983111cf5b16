"""Does a commit remove, change or give another default to a flag that this profile passes?"""

import re
from functools import lru_cache

from bot.changelog.circumstances import Circumstances
from bot.changelog.classify import Reading
from bot.changelog.tables import Flag, tables
from bot.records import Reason

#: What is done to a flag, strongest first; the key names the message `touch-<key>`.
_ACTS = (
    ("removed", re.compile(r"\b(?:remov|drop|delet)\w*\b")),
    ("deprecated", re.compile(r"\bdeprecat\w*\b")),
    ("default", re.compile(r"\bby default\b|\bdefaults?\b")),
    ("changed", re.compile(r"\b(?:renam|replac|refactor|merg|unif|rework)\w*\b")),
)
_TYPES = frozenset({"breaking", "feature", "refactor", "other", "perf"})
_SPEAKS_OF_FLAGS = re.compile(r"\b(?:args?|arguments?|options?|flags?|cli|parameters?|load-mode)\b|--[a-z]")


def touches(reading: Reading, facts: Circumstances) -> tuple[Reason, ...]:
    """One reason per flag of the profile that the commit's subject acts on, as the profile spells it."""
    if reading.type not in _TYPES:
        return ()
    act = next((key for key, words in _ACTS if words.search(reading.text)), None)
    if act is None:
        return ()
    return tuple(
        Reason(code=f"touch-{act}", args={"flag": spelled})
        for name, spelled in facts.spelled.items()
        if _is_meant(reading, act, _flag(name))
    )


def _is_meant(reading: Reading, act: str, flag: Flag) -> bool:
    """Named with its dashes; or by its words, where the commit is about defaults or about flags at all."""
    if _named(flag).search(reading.parsed.full):
        return True
    words = _words(flag)
    if words is None:
        return False
    if act == "default":
        return any(form.search(reading.text) for form in _by_default(words))
    about_flags = reading.area == "args" or _SPEAKS_OF_FLAGS.search(reading.text)
    return bool(about_flags and re.search(words, reading.text))


def _flag(name: str) -> Flag:
    return next((flag for flag in tables().flags if name in flag.names), Flag((name,)))


@lru_cache(maxsize=200)
def _named(flag: Flag) -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in flag.names)
    return re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")


@lru_cache(maxsize=200)
def _words(flag: Flag) -> str | None:
    """The flag without dashes, where that is more than one word; with what the table adds."""
    plain = [name[2:] for name in flag.names if name.startswith("--") and "-" in name[2:].removeprefix("no-")]
    loose = [rf"(?<![\w-]){'[-_ ]'.join(map(re.escape, name.split('-')))}(?![\w-])" for name in plain]
    return "|".join([*loose, *([flag.words] if flag.words else [])]) or None


@lru_cache(maxsize=200)
def _by_default(words: str) -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(
            rf"\b(?:enabl|disabl|us|turn)\w*\b(?:\s\S+){{0,2}}?\s?(?:{words})\s(?:\S+\s){{0,5}}by default"
        ),
        re.compile(rf"\bdefault (?:value )?(?:of |for |to )?(?:{words})|(?:{words}) defaults?\b"),
    )
