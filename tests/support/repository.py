"""A git repository that stands in for llama.cpp's: tags, merges, reverts, moved and deleted tags."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_DATE = "2026-06-01T00:00:00Z"


class FakeUpstream:
    """Commits and tags made as a test needs them, with ids that never change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=master")
        self.git("config", "uploadpack.allowFilter", "true")

    @property
    def url(self) -> str:
        """The address over which filters work (a plain path is copied whole)."""
        return self.path.as_uri()

    def git(self, *args: str, stdin: bytes | None = None) -> str:
        """Run git here; standard output, stripped."""
        done = subprocess.run(
            ["git", *args], cwd=self.path, env=_environment(), input=stdin, capture_output=True, check=True
        )
        return done.stdout.decode().strip()

    def commit(self, subject: str, files: Mapping[str, str | None] | None = None, *, body: str = "") -> str:
        """A commit on the current branch that writes (or with None deletes) `files`; its id."""
        for name, text in (files or {}).items():
            target = self.path / name
            if text is None:
                target.unlink()
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text)
        self.git("add", "--all")
        message = f"{subject}\n\n{body}" if body else subject
        self.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", f"--message={message}")
        return self.head()

    def merge(self, branch: str, subject: str) -> str:
        """Merge a branch with a merge commit; its id."""
        self.git("merge", "--quiet", "--no-ff", f"--message={subject}", branch)
        return self.head()

    def branch(self, name: str, start: str = "HEAD", *, orphan: bool = False) -> None:
        """Switch to a new branch; an orphan one shares no history and starts without files."""
        if orphan:
            self.git("switch", "--quiet", "--orphan", name)
        else:
            self.git("switch", "--quiet", "--create", name, start)

    def switch(self, name: str) -> None:
        """Switch to an existing branch."""
        self.git("switch", "--quiet", name)

    def tag(self, name: str, target: str = "HEAD", *, annotated: bool = False) -> None:
        """Set or move a tag."""
        extra = ("--annotate", f"--message={name}") if annotated else ()
        self.git("tag", "--force", *extra, name, target)

    def delete_tag(self, name: str) -> None:
        """Remove a tag."""
        self.git("tag", "--delete", name)

    def head(self) -> str:
        """The current commit's full id."""
        return self.git("rev-parse", "HEAD")

    def line(self, *names: str) -> dict[str, str]:
        """One commit and tag per name, each touching a file of its own; their ids by name."""
        made: dict[str, str] = {}
        for name in names:
            made[name] = self.commit(f"server : step {name} (#{name[1:]})", {f"src/{name}.cpp": f"{name}\n"})
            self.tag(name)
        return made


def _environment() -> dict[str, str]:
    who = {"NAME": "A Dev", "EMAIL": "dev@example.org", "DATE": _DATE}
    fixed = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
    outer = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return {**outer, **fixed, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
