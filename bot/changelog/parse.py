"""A commit subject, taken apart: scopes, text, pull request, conventional type, revert.

The forms are those of 4,000 real subjects: `x : y`, `x: y`, `[X] y`, `` `x`: y ``,
`a + b: y`, `a/b: y`, `a, b: y`, `(Bugfix, x) y`, `feat(x): y`, `x : y : z`, `X/y z`, and none at all.
"""

import re
from dataclasses import dataclass

from bot.records import Commit

_FLAG = re.compile(r"\[\s*(?:no ci|no release|skip ci|ci skip)\s*\]", re.IGNORECASE)
_NUMBER = re.compile(r"\(#(\d{1,7})\s*(?:([\w-]{2,20})\s*:)?\s*\)")
_FOREIGN = re.compile(r"\((ggml|whisper)/(\d+)\)", re.IGNORECASE)
_BRACKET = re.compile(r"^\[([^\]\[]{1,30})\]\s*[:/-]?\s*(.+)$")
_ROUND = re.compile(r"^\(([\w ,+/-]{2,40})\)\s*[:]?\s*(.+)$")
_CONVENTIONAL = re.compile(r"^(\w{2,20})\s*\(([\w ,+/.-]{1,40})\)\s*!?:\s*(.+)$")
_PREFIX = re.compile(r"^(`?[\w.][\w .+/,&`-]{0,47}?)\s*!?:\s+(.+)$")
_PATHLIKE = re.compile(r"^([A-Za-z]{2,12})/([\w-]+)\s+(.+)$")
_SEPARATOR = re.compile(r"\s*[+,&]\s*|\s*/\s*")
_VERB = re.compile(
    r"^(?:add|adds|added|update|fix for|remove|make|use|support|enable|disable|move|improve|introduce|"
    r"implement|note|allow|revert to|change|replace|rename|why|this|the)\b",
    re.IGNORECASE,
)
_REVERT = re.compile(r"^(?:\(revert\)|revert(?:s|ed)?\b)(?!\s*:?\s*to\b)\s*:?\s*(.*)$", re.IGNORECASE)
_REVERT_TEXT = re.compile(r"^revert(?:s|ed)?\b(?!\s+to\b)", re.IGNORECASE)
_QUOTED = re.compile(r"^[\"'“](.+)[\"'”]", re.DOTALL)
_REFERENCE = re.compile(r"#(\d{1,7})")
_REVERTS_SHA = re.compile(r"This reverts commit ([0-9a-f]{7,40})")

#: Conventional-commit types and the words used in their place, to the keys of `type-<key>`.
KINDS = {
    "fix": "bugfix",
    "bugfix": "bugfix",
    "hotfix": "bugfix",
    "feat": "feature",
    "feature": "feature",
    "perf": "perf",
    "refactor": "refactor",
    "build": "build",
    "docs": "docs",
    "chore": "chore",
    "revert": "revert",
    "style": "refactor",
}
_LONGEST = 400
_PATHLIKE_HEADS = frozenset({"ui", "ggml", "common", "server", "llama", "feat"})


@dataclass(frozen=True)
class Revert:
    """What a revert names: a SHA (from the body), a pull request, the quoted subject; any may be missing."""

    sha: str | None
    pr: int | None
    subject: str | None

    @property
    def is_named(self) -> bool:
        """Whether there is anything to look the target up by."""
        return bool(self.sha or self.pr or self.subject)


@dataclass(frozen=True)
class Parsed:
    """A subject's parts. `scopes` are lower-cased; `text` is what is left to read."""

    scopes: tuple[str, ...]
    text: str
    pr: int | None
    kind: str | None = None
    revert: Revert | None = None
    is_sync: bool = False
    no_ci: bool = False
    references: tuple[int, ...] = ()

    @property
    def full(self) -> str:
        """Scopes and text, as rules look at them."""
        return f"{' + '.join(self.scopes)}: {self.text}" if self.scopes else self.text


def parse(commit: Commit) -> Parsed:
    """Read one commit's subject (and its body for a revert's SHA). Never fails, whatever the text."""
    subject = " ".join(commit.subject[:_LONGEST].split())
    bare, numbers, late_scope = _strip(subject)
    pr = commit.pr if commit.pr is not None else next((n for n in reversed(numbers) if n), None)
    scopes, text, kind = _prefix(bare)
    revert = _revert(bare, text, commit.body, pr)
    if late_scope and not scopes:
        scopes = (late_scope.lower(),)
    if revert and revert.subject:
        inner, _, _ = _strip(revert.subject)
        scopes, text, _ = _prefix(inner)
    return Parsed(
        scopes=scopes,
        text=text,
        pr=pr,
        kind="revert" if revert else kind,
        revert=revert,
        is_sync=_is_sync(scopes, text),
        no_ci=bool(_FLAG.search(subject)),
        references=tuple(int(n) for n in _REFERENCE.findall(bare)),
    )


def _strip(subject: str) -> tuple[str, list[int], str | None]:
    """Without flags and the numbers at the end; the numbers; a scope that stands behind a number."""
    bare = _FLAG.sub("", subject).strip()
    quoted_end = max(bare.rfind('"'), bare.rfind("”"))
    tail = bare[quoted_end + 1 :]
    numbers = [int(match.group(1)) for match in _NUMBER.finditer(tail)]
    late = next((match.group(2) for match in _NUMBER.finditer(tail) if match.group(2)), None)
    tail = _FOREIGN.sub("", _NUMBER.sub("", tail))
    bare = " ".join((bare[: quoted_end + 1] + tail).split())
    return bare.rstrip(" .") or subject, numbers, late


def _prefix(text: str) -> tuple[tuple[str, ...], str, str | None]:
    """Scopes, the rest, and the conventional type; up to three prefixes one behind the other."""
    scopes: list[str] = []
    kind: str | None = None
    for _ in range(3):
        found = _one_prefix(text)
        if found is None:
            break
        names, text = found
        kinds = [KINDS[name] for name in names if name in KINDS]
        kind = kind or next(iter(kinds), None)
        scopes += [name for name in names if name not in KINDS or name == "build"]
    return tuple(dict.fromkeys(scopes)), text, kind


def _one_prefix(text: str) -> tuple[list[str], str] | None:
    conventional = _CONVENTIONAL.match(text)
    if conventional:
        outer, inner, rest = conventional.groups()
        return [outer.lower(), *_names(inner)], rest
    for form in (_BRACKET, _ROUND, _PREFIX, _PATHLIKE):
        found = form.match(text)
        if found:
            *heads, rest = found.groups()
            head = "/".join(heads)
            if _is_scope(head, form is _PATHLIKE):
                return _names(head), rest
    return None


def _is_scope(head: str, pathlike: bool) -> bool:
    if _VERB.match(head) or len(head.split()) > 5:
        return False
    return not pathlike or head.lower().partition("/")[0] in _PATHLIKE_HEADS


def _names(head: str) -> list[str]:
    whole = head.strip(" `").lower()
    parts = [part.strip(" `") for part in _SEPARATOR.split(whole)]
    names = [part for part in parts if part]
    return [whole, *names] if "/" in whole and len(names) > 1 else names


def _revert(bare: str, text: str, body: str, pr: int | None) -> Revert | None:
    whole = _REVERT.match(bare)
    said = whole.group(1) if whole else None
    if said is None:
        if not _REVERT_TEXT.match(text):
            return None
        said = text
    quoted = _QUOTED.match(said.strip())
    sha = _REVERTS_SHA.search(body)
    target = [int(number) for number in _REFERENCE.findall(said)]
    other = [number for number in target if number != pr]
    return Revert(
        sha=sha.group(1) if sha else None,
        pr=other[-1] if other else None,
        subject=quoted.group(1) if quoted else (said.strip() if whole and said.strip() else None),
    )


def _is_sync(scopes: tuple[str, ...], text: str) -> bool:
    return "sync" in scopes or bool(re.match(r"sync\b(?!hron)", text, re.IGNORECASE))
