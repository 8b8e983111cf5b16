"""A bare mirror of a llama.cpp repository: tags, commits and trees, nothing checked out.

The remote's tags are taken once. One that moves or vanishes later is put aside under `refs/moved` or
`refs/vanished` and never chosen again: what was measured under a name stays what that name meant.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from bot.errors import BotError, environment, usage
from bot.records import Commit, FileChange, Pair, Tag
from bot.upstream import export, history, tags
from bot.upstream.git import LIST_S, Git, Progress, public
from bot.upstream.remote import address, clone, transfer, web_address

_SHA = re.compile(r"[0-9a-f]{40}")


def mirror_path(cache: Path, url: str) -> Path:
    """Where the mirror of that remote lies in the program's cache."""
    return cache / "mirrors" / f"{hashlib.sha256(url.encode()).hexdigest()[:12]}.git"


@dataclass(frozen=True)
class Moved:
    """A tag that names another object than when it was first seen (`was`)."""

    name: str
    was: str
    now: str


@dataclass(frozen=True)
class Update:
    """What the remote's tags did since the mirror last asked."""

    added: tuple[str, ...] = ()
    moved: tuple[Moved, ...] = ()
    vanished: tuple[str, ...] = ()


class Mirror:
    """One remote's tags and commits on this machine. Make it with `Mirror.open`."""

    def __init__(self, url: str, path: Path) -> None:
        self.url = url
        self.path = path
        self._git = Git(path, url)
        self._lock = _lock(path)

    @classmethod
    def open(cls, url: str, path: Path, *, progress: Progress | None = None) -> "Mirror":
        """The mirror at `path`, cloned first where there is none (without blobs, where the remote allows it).

        Another process that opens the same path waits. Raises BotError (exit 4) when the remote cannot be
        read, or when `path` holds something else.
        """
        path, url = path.absolute(), address(url)
        with _lock(path):
            if not path.exists():
                clone(url, path, progress)
        mirror = cls(url, path)
        mirror._must_be_of(url)
        return mirror

    def update(self, *, progress: Progress | None = None) -> Update:
        """Fetch new tags; put aside those that moved or vanished. Raises BotError (exit 4)."""
        with self._lock:
            known, remote = self._seen(), self._remote()
            added = {name: sha for name, sha in remote.items() if name not in known}
            moved = {name: sha for name, sha in remote.items() if known.get(name, sha) != sha}
            vanished = {name: sha for name, sha in known.items() if name not in remote}
            self._fetch(added, moved, progress)
            self._put_aside(known, moved, vanished)
        return Update(
            added=tuple(sorted(added)),
            moved=tuple(Moved(name, known[name], moved[name]) for name in sorted(moved)),
            vanished=tuple(sorted(vanished)),
        )

    def tags(self) -> tuple[str, ...]:
        """The release tags that can be chosen, oldest first."""
        aside = self._refs("moved")
        return tuple(name for name in tags.releases(self._refs("tags")) if name not in aside)

    def resolve(self, name: str) -> Tag:
        """A tag by its exact name, with its full commit id.

        Raises BotError (exit 2) for a tag that is missing (naming the nearest), moved or deleted upstream.
        """
        known, moved = self._refs("tags"), self._refs("moved")
        if name in moved:
            raise usage("tag-moved", tag=name, was=known[name], now=moved[name])
        if name not in known:
            raise self._missing(name)
        sha = self._git.text("rev-parse", "--verify", "--end-of-options", f"refs/tags/{name}^{{commit}}")
        return Tag(name=name, sha=sha.strip(), number=tags.parse(name))

    def commit(self, sha: str) -> Tag:
        """A commit by its full id; fetched where the mirror does not have it. Raises BotError (exit 2)."""
        if not _SHA.fullmatch(sha):
            raise usage("not-a-full-sha", sha=sha)
        if not self._has(sha):
            self._fetch_commit(sha)
        return Tag(name=sha, sha=sha)

    def pair(self, base: str | None = None, head: str | None = None) -> Pair:
        """Base and head by tag name or full commit id; the newest tag and the one before it by default."""
        choice = self.tags()
        chosen = head or tags.newest(choice)
        if chosen is None:
            raise environment("no-tags", url=public(self.url))
        head_tag = self.named(chosen)
        base_tag = self.named(base or self._before(choice, head_tag.name))
        ancestor = history.ancestor(self._git, base_tag.sha, head_tag.sha)
        return Pair(
            base=base_tag,
            head=head_tag,
            ancestor=ancestor,
            skipped=tags.between(choice, base_tag.name, head_tag.name),
            commits=None if ancestor is None else self.count(base_tag.sha, head_tag.sha),
            web=web_address(self.url),
        )

    def find(self, number: int | None, commit: str | None) -> Tag | None:
        """The tag or commit that a build names by its number and an abbreviated commit; None for one unknown.

        The number alone is not believed: of a shallow clone it is 1, of a fork another commit's.
        """
        if commit is None:
            return None
        name = f"b{number}"
        if number is not None and name in self.tags() and self.resolve(name).sha.startswith(commit):
            return self.resolve(name)
        # Only objects are looked at: `rev-parse` alone would take a tag of that name.
        listed = self._git.text("rev-parse", f"--disambiguate={commit}").split()
        known = [sha for sha in listed if self._git.text("cat-file", "-t", sha).strip() == "commit"]
        return self.commit(known[0]) if len(known) == 1 else None

    def is_ancestor(self, base: str, head: str) -> bool:
        """Whether `base` is in the history of `head` (full commit ids)."""
        return history.is_ancestor(self._git, base, head)

    def is_accepted(self, tag: Tag) -> bool:
        """Whether upstream has taken this code: a release tag, or a commit in the history of one.

        What was merged after the newest tag counts as not yet taken: that is the side on which an error costs
        only time.
        """
        if tag.number is not None:
            return True
        asked = ("--contains", tag.sha, "--format=%(refname:lstrip=2)", "refs/tags/")
        found = self._git.text("for-each-ref", *asked)
        return any(tags.parse(name) is not None for name in found.splitlines())

    def count(self, base: str, head: str) -> int:
        """How many commits of the first-parent line `head` is ahead of `base`."""
        return history.count(self._git, base, head)

    def commits(self, base: str, head: str) -> tuple[Commit, ...]:
        """The commits of the first-parent line of `head` that are not in `base`, newest last.

        Paths without line counts: those would need every blob. Raises BotError (exit 4).
        """
        return history.commits(self._git, base, head)

    def tree_diff(self, base: str, head: str) -> tuple[FileChange, ...]:
        """The paths that differ between two trees; line counts where their blobs are on this machine."""
        return history.tree_diff(self._git, base, head)

    def export(self, sha: str, folder: Path) -> Path:
        """The tree of a commit as files under `folder`, all of it or nothing; blobs are fetched as needed."""
        with self._lock:
            return export.export(self._git, sha, folder)

    def named(self, name: str) -> Tag:
        """A tag, or a commit by its full id. Raises BotError (exit 2)."""
        return self.commit(name) if _SHA.fullmatch(name) else self.resolve(name)

    def _before(self, choice: Iterable[str], head: str) -> str:
        found = tags.previous(choice, head)
        if found is None:
            raise usage("no-previous-tag", tag=head)
        return found

    def _missing(self, name: str) -> BotError:
        gone = self._refs("vanished").get(name)
        if gone:
            return usage("tag-vanished", tag=name, was=gone)
        near = tags.nearest(self.tags(), name)
        if near is None:
            return environment("no-tags", url=public(self.url))
        return usage("no-such-tag", tag=name, nearest=near, url=public(self.url))

    def _must_be_of(self, url: str) -> None:
        if not (self.path / "objects").is_dir():
            raise environment("mirror-damaged", path=str(self.path))
        found = self._git.text("config", "--default", "", "remote.origin.url").strip()
        if found != url:
            raise environment("mirror-of-another", path=str(self.path), found=public(found), url=public(url))

    def _refs(self, kind: str) -> dict[str, str]:
        lines = self._git.text(
            "for-each-ref", "--format=%(objectname) %(refname:lstrip=2)", f"refs/{kind}/"
        ).splitlines()
        return {name: sha for sha, _, name in (line.partition(" ") for line in lines)}

    def _seen(self) -> dict[str, str]:
        return self._refs("vanished") | self._refs("tags")

    def _remote(self) -> dict[str, str]:
        listed = self._git.network("ls-remote", "--tags", "--refs", "origin", timeout_s=LIST_S)
        pairs = (line.split("\trefs/tags/", 1) for line in listed.splitlines() if "\trefs/tags/" in line)
        return {name: sha for sha, name in pairs}

    def _fetch(self, added: Mapping[str, str], moved: Mapping[str, str], progress: Progress | None) -> None:
        wanted = [f"refs/tags/{name}:refs/tags/{name}" for name in added]
        wanted += [f"+refs/tags/{name}:refs/moved/{name}" for name in moved]
        if wanted:
            transfer(self._git, wanted, progress)

    def _put_aside(
        self, known: Mapping[str, str], moved: Mapping[str, str], vanished: Mapping[str, str]
    ) -> None:
        tagged = self._refs("tags")
        orders = [f"delete refs/moved/{name}" for name in self._refs("moved") if name not in moved]
        for name in vanished:
            orders += [f"update refs/vanished/{name} {known[name]}"]
            orders += [f"delete refs/tags/{name}"] if name in tagged else []
        for name in self._refs("vanished"):
            if name not in vanished:
                orders += [f"update refs/tags/{name} {known[name]}", f"delete refs/vanished/{name}"]
        if orders:
            self._git.raw("update-ref", "--stdin", stdin="\n".join([*orders, ""]).encode())

    def _has(self, sha: str) -> bool:
        # `cat-file -e` would ask the remote of a partial clone; this looks at what lies here.
        found = self._git.text("rev-list", "--no-walk", "--missing=allow-any", "--ignore-missing", sha)
        return found.strip() == sha

    def _fetch_commit(self, sha: str) -> None:
        try:
            with self._lock:
                transfer(self._git, [f"{sha}:refs/commits/{sha}"], None)
        except BotError as error:
            if error.code != "upstream-unreachable":
                raise
            raise usage(
                "no-such-commit", sha=sha, url=public(self.url), why=str(error.values["why"])
            ) from error


def _lock(path: Path) -> FileLock:
    path.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(f"{path}.lock")
