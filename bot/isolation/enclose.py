"""From a box to the words before its command. See bwrap(1)."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from bot.isolation import devices, places
from bot.isolation.box import Box

#: Where a command finds a folder of its own for temporary files; it vanishes with the sandbox.
TEMPORARY = Path("/tmp")  # noqa: S108 - a tmpfs within the sandbox
#: A namespace of users: root's own rights stay outside. First with none to be made within, because who makes
#: one has every right in it, and so reaches parts of the kernel that are closed to users (from bubblewrap 0.8
#: on, unless it is set-user-ID), then as far as it goes.
USERS: tuple[tuple[str, ...], ...] = (("--unshare-user", "--disable-userns"), ("--unshare-user-try",))
#: Every other namespace there is. The command is process 1.
_NAMESPACES = (
    *("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-cgroup-try"),
    *("--die-with-parent", "--as-pid-1", "--cap-drop", "ALL"),
)
#: /proc too: root without any capability may still write to the kernel's settings in there, of which
#: core_pattern names a program that is started outside.
_SEALED = ("--remount-ro", "/proc", "--remount-ro", "/")

Mount = tuple[str, ...]


def enclose(bwrap: Path, box: Box, cwd: Path | None, users: tuple[str, ...] = USERS[0]) -> list[str]:
    """The words that go before the command; `users` is one of `USERS`.

    Makes the folders of `box.writes`. Raises OSError.
    """
    for path in box.writes:
        path.mkdir(parents=True, exist_ok=True)
    words = [str(bwrap), *users, *_NAMESPACES]
    for mount in _in_order(_mounts(box)):
        words += mount
    return [*words, *_SEALED, "--chdir", str(cwd.absolute() if cwd else TEMPORARY), "--"]


def inner_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables without those that name folders which are not there."""
    kept = {name: value for name, value in variables.items() if not name.startswith("XDG_")}
    return {**kept, "TMPDIR": str(TEMPORARY)}


def _mounts(box: Box) -> Iterator[tuple[Path, Mount]]:
    """Each place with what is laid there; a later one of the same place wins."""
    for path in (TEMPORARY, places.home()):
        yield path, ("--tmpfs", str(path))
    reads = (path for path in _both(box.reads) if path.exists() and not places.is_too_wide(path))
    for path in _outermost([*places.system(), *reads]):
        yield path, _shown(path)
    yield Path("/proc"), ("--proc", "/proc")
    yield Path("/dev"), ("--dev", "/dev")
    for path in devices.cards():
        yield path, ("--tmpfs", str(path))
    for path in devices.gpus() if box.gpus else ():
        yield path, ("--dev-bind", str(path), str(path))
    for path in _both(box.writes):
        yield path, ("--bind", str(path), str(path))


def _shown(path: Path) -> Mount:
    if path.is_symlink() and path.parent == Path("/"):  # /bin -> usr/bin
        return "--symlink", str(path.readlink()), str(path)
    return "--ro-bind-try", str(path), str(path)


def _both(paths: Iterable[Path]) -> Iterator[Path]:
    """Each path as it is named and as it is: programs ask for either."""
    for path in paths:
        yield from dict.fromkeys((path.absolute(), path.resolve()))


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Those that lie in no other: what is in a folder is shown with it, and a link on the way there leads
    out of the sandbox while it is laid out (bwrap then finds no such place)."""
    kept: dict[Path, None] = {}
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if not any(parent in kept for parent in path.parents):
            kept[path] = None
    return list(kept)


def _in_order(mounts: Iterable[tuple[Path, Mount]]) -> list[Mount]:
    """Outer places first: what is laid later hides what lies in it."""
    by_place = dict(mounts)
    return [by_place[place] for place in sorted(by_place, key=lambda place: (len(place.parts), str(place)))]
