"""Files on an orphan branch of one's own repository, changed by git alone: no API request, no conflict.

A change is a function of the files as they are. Where another job pushed first, its files are fetched and the
function is called again, so nothing is merged and nothing is lost.
"""

import base64
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bot import store
from bot.errors import BotError, Exit
from bot.http import Clock, SystemClock
from bot.upstream.git import TRANSFER_S, Git
from bot.upstream.remote import address

#: Pushes that may lose the race before it is given up; each loss means that somebody else's push won.
TRIES = 8
_WHO = "llama-release-bot <llama-release-bot@users.noreply.github.com>"
_REF = "refs/heads/work"


class Files(Protocol):
    """The branch as it is now."""

    def read(self, path: str) -> str | None:
        """A file's text; None where there is none."""
        ...


#: Given the files as they are, the ones to write (path to text). Called again where another push came first.
Change = Callable[[Files], Mapping[str, str]]


class Keeper(Protocol):
    """Where state is kept."""

    def read(self, path: str) -> str | None:
        """One file's text, None where it is not there. Raises BotError."""
        ...

    def change(self, change: Change, message: str) -> bool:
        """Write files; False where they are there already. Raises BotError."""
        ...


@dataclass(frozen=True)
class StateFolder:
    """State at home, where no job runs beside another: a folder of this machine."""

    folder: Path

    def read(self, path: str) -> str | None:
        """One file's text; None where it is not there."""
        file = self.folder / path
        return file.read_text(encoding="utf-8") if file.is_file() else None

    def change(self, change: Change, message: str) -> bool:
        """Write files, each in one step; `message` is for branches."""
        wanted = {path: text for path, text in change(self).items() if self.read(path) != text}
        for path, text in wanted.items():
            store.write_text(self.folder / path, text)
        return bool(wanted)


@dataclass(frozen=True)
class StateBranch:
    """The branch `name` of the repository at `url`. `token` may be empty for reading a public one."""

    url: str
    name: str
    token: str = field(default="", repr=False)
    clock: Clock = field(default_factory=SystemClock)

    def read(self, path: str) -> str | None:
        """One file's text, its lines ended by a line feed; None where it, or the whole branch, is not there.

        Raises BotError (exit 4) where the remote cannot be read.
        """
        with self._copy() as copy:
            copy.fetch()
            return copy.read(path)

    def change(self, change: Change, message: str) -> bool:
        """Write files; False where the branch holds them already. The first change makes the branch.

        Raises BotError: exit 4 where the remote cannot be read, exit 5 where it takes no push.
        """
        with self._copy() as copy:
            failure: BotError | None = None
            for _ in range(TRIES):
                if not copy.fetch() and failure:
                    break  # nobody else pushed: the remote refuses us
                wanted = {path: text for path, text in change(copy).items() if copy.read(path) != text}
                if not wanted:
                    return False
                copy.commit(wanted, message, int(self.clock.now()))
                try:
                    copy.push()
                except BotError as error:
                    failure = error
                else:
                    return True
        assert failure
        why = str(failure.values.get("why", ""))
        raise BotError("state-not-pushed", Exit.GITHUB, branch=self.name, why=why) from None

    @contextmanager
    def _copy(self) -> Iterator["_Copy"]:
        with tempfile.TemporaryDirectory() as folder:
            copy = _Copy(Git(Path(folder) / "state.git", self.url), self.name, self._environment())
            copy.make(address(self.url))
            yield copy

    def _environment(self) -> dict[str, str]:
        """The token as git's own setting, in the environment: never in an address or an argument."""
        if not self.token:
            return {}
        secret = base64.b64encode(f"x-access-token:{self.token}".encode()).decode()
        return {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": f"http.{self.url}.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {secret}",
        }


class _Copy:
    """A bare repository with the branch's last commit; files are fetched when they are read."""

    def __init__(self, git: Git, branch: str, environment: dict[str, str]) -> None:
        self._git = git
        self._branch = branch
        self._environment = environment
        self._tip: str | None = None

    def make(self, url: str) -> None:
        self._git.path.mkdir()
        self._git.raw("init", "--bare", "--quiet", "--object-format=sha1", str(self._git.path))
        self._git.raw("config", "remote.origin.url", url)

    def fetch(self) -> bool:
        """Get the branch as it is now; whether it has changed since the last look."""
        before = self._tip
        listed = self._network("ls-remote", "--heads", "origin", f"refs/heads/{self._branch}")
        self._tip = listed.split("\t")[0] if listed.strip() else None
        if self._tip and self._tip != before:
            self._network(
                *("fetch", "--quiet", "--depth=1", "--filter=blob:none", "--no-tags", "origin", self._tip)
            )
        return self._tip != before

    def read(self, path: str) -> str | None:
        if not self._tip or not self._git.text("ls-tree", self._tip, "--", path).strip():
            return None
        return self._network("cat-file", "blob", f"{self._tip}:{path}")

    def commit(self, files: Mapping[str, str], message: str, now: int) -> None:
        """All files in one commit on the tip; without one, the first of a branch without history."""
        stream = [f"commit {_REF}\ncommitter {_WHO} {now} +0000\n".encode(), _data(message)]
        stream += [f"from {self._tip}\n".encode()] if self._tip else []
        for path, text in sorted(files.items()):
            stream += [f"M 100644 inline {path}\n".encode(), _data(text)]
        reset = [] if self._tip else [f"reset {_REF}\n".encode()]
        self._git.raw("fast-import", "--quiet", "--force", stdin=b"".join([*reset, *stream, b"\n"]))

    def push(self) -> None:
        self._network("push", "--quiet", "origin", f"{_REF}:refs/heads/{self._branch}")

    def _network(self, *args: str) -> str:
        return self._git.network(*args, timeout_s=TRANSFER_S, env=self._environment)


def _data(text: str) -> bytes:
    content = text.encode()
    return b"data %d\n%b\n" % (len(content), content)
