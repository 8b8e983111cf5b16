"""Names of llama.cpp's release tags: `b` and the build number. Pure.

The digits grow (b9999, then b10000), so the order is numeric and never that of the text.
"""

import difflib
import re
from collections.abc import Collection, Iterable

_RELEASE = re.compile(r"b(0|[1-9][0-9]*)", re.ASCII)


def parse(name: str) -> int | None:
    """The build number of `bN`; None for every other tag (`v0.3.0`, `master-1a2b3c4`, ...)."""
    match = _RELEASE.fullmatch(name)
    return int(match[1]) if match else None


def releases(names: Iterable[str]) -> tuple[str, ...]:
    """The release tags among `names`, oldest first."""
    numbered = {name: number for name in names if (number := parse(name)) is not None}
    return tuple(sorted(numbered, key=numbered.__getitem__))


def newest(names: Iterable[str]) -> str | None:
    """The release tag with the highest number."""
    ordered = releases(names)
    return ordered[-1] if ordered else None


def previous(names: Iterable[str], head: str) -> str | None:
    """The release tag just below `head` (which need not be among `names`); None where there is none."""
    number = parse(head)
    if number is None:
        return None
    below = [name for name in releases(names) if _number(name) < number]
    return below[-1] if below else None


def between(names: Iterable[str], base: str, head: str) -> tuple[str, ...]:
    """The release tags that an upgrade from `base` to `head` skips, both ends excluded, oldest first."""
    low, high = parse(base), parse(head)
    if low is None or high is None:
        return ()
    return tuple(name for name in releases(names) if low < _number(name) < high)


def nearest(names: Collection[str], wanted: str) -> str | None:
    """The tag that `wanted` was most likely meant to be: nearest number, else most alike spelling."""
    number = parse(wanted)
    ordered = releases(names)
    if number is not None and ordered:
        return min(ordered, key=lambda name: abs(_number(name) - number))
    alike = difflib.get_close_matches(wanted, names, n=1, cutoff=0.5)
    return alike[0] if alike else newest(names)


def _number(name: str) -> int:
    number = parse(name)
    assert number is not None
    return number
