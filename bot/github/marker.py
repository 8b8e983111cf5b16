"""The hidden lines by which our own posts are found again, and the sections between them."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.records import Machine, Pair, Profile

NAME = "llama-release-bot"
_ANY = f"<!-- {NAME}:"
_PROFILE = re.compile(rf"^<!-- {NAME}:profile (?P<name>[0-9a-f]{{1,64}}) -->$", re.MULTILINE)
_END_OF_SECTIONS = f"<!-- {NAME}:end -->"


def key_of(pair: Pair, machine: Machine, asked_in: str | None = None) -> str:
    """Which report this is, wherever it stands: the pair, the machine, and the comment that asked (`/bench`).

    The target is no part of it, as the post stands there: an issue that was renamed, moved or converted
    keeps its one report.
    """
    facts = (pair.base.sha, pair.head.sha, machine.id, machine.gpu.id if machine.gpu else "", asked_in or "")
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Marker:
    """The first line of a post; any text without `--` or spaces may be its key."""

    key: str

    @property
    def line(self) -> str:
        """What stands before the post."""
        return f"<!-- {NAME}:v1 key={self.key} -->"

    @property
    def end(self) -> str:
        """What stands after a section of a text that is not all ours."""
        return f"<!-- /{NAME}:v1 key={self.key} -->"

    def starts(self, body: str) -> bool:
        """Whether this post is the one."""
        return body.lstrip("\ufeff").split("\n", 1)[0].rstrip() == self.line

    def put(self, text: str) -> str:
        """The post: the marker, then the text."""
        return f"{self.line}\n\n{text.strip()}\n"

    def section_of(self, body: str) -> str | None:
        """Our section of a text that is not all ours, None where there is none."""
        bounds = self._bounds(body)
        return body[bounds[0] : bounds[1]] if bounds else None

    def replace(self, body: str, text: str) -> str:
        """The body with our section replaced or added at the end; all other bytes stay."""
        section = f"{self.put(text)}\n{self.end}"
        if bounds := self._bounds(body):
            return body[: bounds[0]] + section + body[bounds[1] :]
        return f"{body}\n\n{section}" if body else section

    def _bounds(self, body: str) -> tuple[int, int] | None:
        end = body.find(self.end)
        start = body.rfind(self.line, 0, max(end, 0))
        return (start, end + len(self.end)) if start >= 0 and end >= 0 else None


def is_ours(body: str) -> bool:
    """Whether a comment starts as this program's own do, whoever wrote it."""
    return body.lstrip("\ufeff \t\r\n").startswith(_ANY)


def section_name(profile: Profile) -> str:
    """Which section of the post is this profile's: its name and all that shapes its numbers."""
    return hashlib.sha256(f"{profile.name}\n{profile.hash}".encode()).hexdigest()[:12]


def disarmed(text: str) -> str:
    """A report in which nothing can be taken for a hidden line, also not in a quoted log."""
    return text.replace("<!--", "<!\u200b--")


def join(sections: Iterable[tuple[str, str]]) -> str:
    """One text of several profiles' reports: (profile hash, report)."""
    parts = [f"<!-- {NAME}:profile {name} -->\n\n{text.strip()}" for name, text in sections]
    return "\n\n".join([*parts, _END_OF_SECTIONS])


def split(body: str) -> dict[str, str]:
    """The sections of an earlier post of ours, in order: profile hash -> report."""
    text = body.replace("\r\n", "\n").split(_END_OF_SECTIONS)[0]
    found = list(_PROFILE.finditer(text))
    ends = [*(item.start() for item in found[1:]), len(text)][: len(found)]
    return {item["name"]: text[item.end() : end].strip() for item, end in zip(found, ends, strict=True)}
