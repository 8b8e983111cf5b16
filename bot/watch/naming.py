"""What an issue's text names: versions of llama.cpp, and pull requests. Pure; precise rather than complete.

A number alone names nothing. Naming says nothing about cause: the version may be the one that works.
"""

import re
from collections.abc import Iterator

#: The spellings of a version that people and programs write: `b9602` and `B9602`, also in file names;
#: `version: 9602 (1a2b3c4)` of `--version`, `(build 10621, commit 1a2b3c4)` of newer ones; `build: 9602`,
#: `build = 9602` and `build_number: 9602` of logs.
_VERSIONS = (
    re.compile(r"(?i)(?<![0-9a-z])b([1-9][0-9]{3,5})(?![0-9a-z])", re.ASCII),
    re.compile(r"(?i)\bversion\s{0,3}[:=]?\s{0,3}([1-9][0-9]{3,5})\s{0,3}\([0-9a-f]{7,40}\)", re.ASCII),
    re.compile(r"(?i)\(\s?build\s([1-9][0-9]{3,5}),\s?commit\b", re.ASCII),
    re.compile(
        r"(?i)(?<![a-z])build(?:[_ ]number)?\s{0,3}[:=]\s{0,3}([1-9][0-9]{3,5})(?![0-9A-Za-z.])", re.ASCII
    ),
)
_NUMBER = r"([1-9][0-9]{0,6})(?![0-9A-Za-z])"
#: What GitHub links, of this repository: not `other/repo#1`, and no anchor or entity such as `&#39`.
_PLAIN = re.compile(rf"(?i)(?:(?<![\w/&#.-])#|(?<![\w-])GH-){_NUMBER}", re.ASCII)
_BACKENDS = re.compile(r"(?m)^### GGML backends[ \t]*(?:\r?\n)+[ \t]*([^\r\n#]{1,200})\r?$")


def versions(text: str, low: int, high: int) -> tuple[int, ...]:
    """The build numbers from `low` to `high` that a text names, ascending.

    The bounds keep out what only looks like one: the build of an operating system, a part of an id.
    """
    found = {int(match[1]) for pattern in _VERSIONS for match in pattern.finditer(text)}
    return tuple(sorted(number for number in found if low <= number <= high))


def pulls(text: str, repository: str) -> tuple[int, ...]:
    """The numbers of issues or pull requests of `repository` (`owner/name`) that a text links, in order."""
    return tuple(dict.fromkeys(_pulls(text, re.escape(repository))))


def backends(text: str) -> tuple[str, ...]:
    """The backends that upstream's form for bugs lists; none where it was not used."""
    match = _BACKENDS.search(text)
    if match is None or match[1].strip().startswith("_"):
        return ()
    return tuple(name for part in match[1].split(",") if (name := part.strip()[:20]))[:12]


def _pulls(text: str, repository: str) -> Iterator[int]:
    page = rf"github\.com/{repository}/(?:pull|issues)/"
    named = re.compile(rf"(?i)(?:{page}|(?<![\w./-]){repository}#){_NUMBER}", re.ASCII)
    for pattern in (_PLAIN, named):
        yield from (int(match[1]) for match in pattern.finditer(text))
