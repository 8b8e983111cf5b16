"""The grammar of `/bench`. Pure: a comment's text in, what it asks for out.

    /bench [HEAD [BASE] | BASE..HEAD | self] [profile=NAME] [preset=NAME] [machine=NAME]
    /bench status | cancel [ID] | retry [ID] | help

Options stand anywhere after `/bench`. HEAD and BASE are release tags (`b9602`) or full commit ids.
"""

import re
from typing import Literal

from bot.github.own_text import command_line
from bot.records import Reason, Record

Action = Literal["bench", "status", "cancel", "retry", "help", "ignore", "refuse"]

#: A build number has five digits; more than seven would let an all-digit commit id pass as a tag.
TAG = re.compile(r"b(?:0|[1-9][0-9]{0,6})")
SHA = re.compile(r"[0-9a-f]{40}")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
VERBS: dict[str, Action] = {
    "status": "status",
    "cancel": "cancel",
    "retry": "retry",
    "help": "help",
    "self": "bench",
}
WITH_ID = ("cancel", "retry")
OPTIONS = ("profile", "preset", "machine")
#: Three options with names of 64 characters and two commit ids have room; a pasted log has not.
LONGEST = 400


class Choices(Record):
    """What may be named; None where it is not known here, and then every name passes the grammar."""

    profiles: tuple[str, ...] | None = None
    presets: tuple[str, ...] | None = None
    machines: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None

    def of(self, option: str) -> tuple[str, ...] | None:
        """The names that an option of `OPTIONS` may have."""
        return {"profile": self.profiles, "preset": self.presets, "machine": self.machines}[option]


class Command(Record):
    """What a comment asks for. `reason` says why it is ignored or refused, else None.

    Of a refused line, `reason.args` holds what was found (fit to be shown in a reply, or empty).
    """

    action: Action
    head: str | None = None
    base: str | None = None
    is_self: bool = False
    profile: str | None = None
    preset: str | None = None
    machine: str | None = None
    id: str | None = None
    reason: Reason | None = None

    def facts(self) -> dict[str, str | bool | None]:
        """As `command` prints it; null where absent."""
        return {
            "action": self.action,
            "head": self.head,
            "base": self.base,
            "self": self.is_self or None,
            "profile": self.profile,
            "preset": self.preset,
            "machine": self.machine,
            "id": self.id,
            "reason": self.reason.code if self.reason else None,
        }

    def line(self) -> str:
        """The line that asks for this, in the grammar's own spelling."""
        verb = next((word for word, action in VERBS.items() if action == self.action != "bench"), "")
        words = ["/bench", verb, "self" if self.is_self else "", self.id, self.head, self.base]
        words += [f"{name}={value}" for name in OPTIONS if (value := getattr(self, name))]
        return " ".join(word for word in words if word)


class GrammarError(Exception):
    """The line is not in the grammar."""

    def __init__(self, code: str, found: str = "") -> None:
        super().__init__(code, found)
        self.reason = Reason(code=code, args={"found": shown(found)})


NOTHING = Command(action="ignore", reason=Reason(code="no-command"))


def parse(body: str, choices: Choices | None = None) -> Command:
    """What the comment asks for: `ignore` without a command, `refuse` for one that is not in the grammar."""
    line = command_line(body)
    return NOTHING if line is None else parse_line(line, choices or Choices())


def parse_line(line: str, choices: Choices) -> Command:
    """What one line that starts with `/bench` asks for."""
    try:
        return _command(_words(line), choices)
    except GrammarError as error:
        return Command(action="refuse", reason=error.reason)


def shown(found: str) -> str:
    """What was found, where a reply can quote it without harm; else nothing."""
    return found if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._=-]{0,39}", found) else ""


def _words(line: str) -> list[str]:
    if len(line) > LONGEST:
        raise GrammarError("too-long")
    if not re.fullmatch(r"[\t -~]*", line):
        raise GrammarError("odd-characters")
    return re.findall(r"[^ \t]+", line)[1:]


def _command(words: list[str], choices: Choices) -> Command:
    options = _options([word for word in words if "=" in word], choices)
    plain = [word for word in words if "=" not in word]
    if plain and plain[0] in VERBS:
        return _verb(plain[0], plain[1:], options)
    head, base = _range(plain[0], plain[1:]) if plain and ".." in plain[0] else _pair(plain)
    for ref in (head, base):
        _check_ref(ref, choices)
    return Command(action="bench", head=head, base=base, **options)


def _verb(verb: str, rest: list[str], options: dict[str, str]) -> Command:
    if verb == "self":
        if rest:
            raise GrammarError("too-many-words", rest[0])
        return Command(action="bench", is_self=True, **options)
    if options:
        raise GrammarError("needless-option", next(iter(options)))
    if len(rest) > (verb in WITH_ID):
        raise GrammarError("too-many-words", rest[-1])
    if rest and not NAME.fullmatch(rest[0]):
        raise GrammarError("bad-id", rest[0])
    return Command(action=VERBS[verb], id=rest[0] if rest else None)


def _pair(words: list[str]) -> tuple[str | None, str | None]:
    if len(words) > 2:
        raise GrammarError("too-many-words", words[2])
    head, base, *_ = [*words, None, None]
    return head, base


def _range(word: str, rest: list[str]) -> tuple[str, str]:
    base, _, head = word.partition("..")
    if rest:
        raise GrammarError("too-many-words", rest[0])
    if not (base and head) or "." in base + head:
        raise GrammarError("bad-range", word)
    return head, base


def _check_ref(ref: str | None, choices: Choices) -> None:
    if ref is None or SHA.fullmatch(ref):
        return
    if re.fullmatch(r"[0-9a-fA-F]{7,64}", ref) and not TAG.fullmatch(ref):
        raise GrammarError("not-a-full-id", ref)
    if not TAG.fullmatch(ref):
        raise GrammarError("unknown-word", ref)
    if choices.tags is not None and ref not in choices.tags:
        raise GrammarError("unknown-tag", ref)


def _options(words: list[str], choices: Choices) -> dict[str, str]:
    options: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        known = choices.of(name) if name in OPTIONS else ()
        if name not in OPTIONS:
            raise GrammarError("unknown-option", name)
        if name in options:
            raise GrammarError("repeated-option", name)
        if not NAME.fullmatch(value):
            raise GrammarError("bad-value", name)
        if known is not None and value not in known:
            raise GrammarError(f"unknown-{name}", value)
        options[name] = value
    return options
