"""Which run this is, and where it lives: the same question is answered once."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bot import store
from bot.errors import BotError, usage
from bot.pipeline.checkpoint import RunFolder
from bot.records import Pair


@dataclass(frozen=True)
class Identity:
    """The question: this pair, this profile, this machine. `attempt` counts `--again` from 1.

    `sources` says where the sides' binaries come from, "" where both are built here.
    """

    pair: Pair
    profile_hash: str
    machine_id: str
    attempt: int = 1
    sources: str = ""

    @property
    def id(self) -> str:
        """`b9553-b9601-1a2b3c4d`, with `-2` for the second attempt."""
        suffix = f"-{self.attempt}" if self.attempt > 1 else ""
        return f"{self.stem}{suffix}"

    @property
    def stem(self) -> str:
        """The id without the attempt."""
        parts = (self.pair.base.sha, self.pair.head.sha, self.profile_hash, self.machine_id)
        question = "\n".join((*parts, self.sources) if self.sources else parts)
        digest = hashlib.sha256(question.encode()).hexdigest()[:8]
        names = "-".join(re.sub(r"[^\w.]", "_", tag.name)[:20] for tag in (self.pair.base, self.pair.head))
        return f"{names}-{digest}"

    @property
    def seed(self) -> int:
        """See `seed_of`."""
        return seed_of(self.id)


def seed_of(run_id: str) -> int:
    """The order of the launches follows from the id, so that a resumed run goes on in the same order."""
    return int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:4])


def choose(identity: Identity, runs: Path, *, again: bool) -> tuple[Identity, RunFolder]:
    """The folder below `runs` to work in: the last attempt's, or with `again` a new one."""
    attempts = [number for number, _ in _attempts(identity, runs)]
    last = max(attempts, default=0)
    attempt = last + 1 if again or last == 0 else last
    chosen = replace(identity, attempt=attempt)
    return chosen, RunFolder(runs / chosen.id)


def choose_in(identity: Identity, out: Path, *, again: bool) -> tuple[Identity, RunFolder]:
    """As `choose`, in a folder that the user named; `RunFolder.start` sets the earlier attempt aside.

    Raises BotError (exit 2) when another run lives there.
    """
    folder = RunFolder(out)
    found = _attempt_of(folder, identity)
    if found is None:
        return identity, folder
    attempt = found + 1 if again else found
    return replace(identity, attempt=attempt), folder


def _attempts(identity: Identity, runs: Path) -> Iterator[tuple[int, Path]]:
    shape = re.compile(re.escape(identity.stem) + r"(?:-(\d+))?")
    for path in runs.glob(f"{identity.stem}*"):
        if match := shape.fullmatch(path.name):
            yield int(match.group(1) or 1), path


def _attempt_of(folder: RunFolder, identity: Identity) -> int | None:
    intent = folder.path / "intent.json"
    if not intent.is_file():
        if folder.record.exists():
            raise usage("foreign-folder", path=str(folder.path))
        return None
    try:
        found = store.load_run(intent).id
    except BotError as error:
        raise usage("foreign-folder", path=str(folder.path)) from error
    match = re.fullmatch(re.escape(identity.stem) + r"(?:-(\d+))?", found)
    if not match:
        raise usage("other-run-here", path=str(folder.path), found=found, wanted=identity.stem)
    return int(match.group(1) or 1)
