"""Posts that are not done yet, on disk: a crash, an outage or a limit loses none and doubles none."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock
from pydantic import Field

from bot import store
from bot.github.marker import section_name
from bot.records import Record, Run


class Entry(Record):
    """One post: what it says (as records, never as Markdown) and where it goes.

    `key` is the marker's; `asked_in` the id of the comment that asked, `mention` who wrote that, `reply_to`
    its node id in a discussion, in whose thread the post belongs. `files`: the address of the records and
    charts, where they are published; `images`: by run id, that of the folder with a run's pictures.
    `in_doubt`: it was sent at least once, and whether it arrived is not known. `edit_only`: where no
    such post stands, none is made.
    """

    target: str
    key: str
    runs: tuple[Run, ...]
    asked_in: str | None = None
    mention: str | None = None
    reply_to: str | None = None
    files: str | None = None
    images: dict[str, str] = Field(default_factory=dict)
    in_doubt: bool = False
    edit_only: bool = False

    @property
    def name(self) -> str:
        """The same post has the same name."""
        return hashlib.sha256(f"{self.target.lower()}\n{self.key}".encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Outbox:
    """A folder with one file per post."""

    folder: Path

    @contextmanager
    def locked(self) -> Iterator[None]:
        """One process posts at a time: two that look at once would both find nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(self.folder / "lock"):
            yield

    def add(self, entry: Entry) -> Entry:
        """Keep a post before anything is sent. Raises BotError (exit 4) where the disk is full.

        One that is waiting is renewed: its reports of other profiles stay.
        """
        waiting = self._waiting(entry)
        if waiting:
            fresh = {section_name(run.profile) for run in entry.runs}
            older = tuple(run for run in waiting.runs if section_name(run.profile) not in fresh)
            kept = {"in_doubt": waiting.in_doubt, "edit_only": entry.edit_only and waiting.edit_only}
            both = {"runs": (*older, *entry.runs), "images": waiting.images | entry.images}
            entry = entry.model_copy(update=both | kept)
        store.save(self._path(entry), entry)
        return entry

    def sending(self, entry: Entry) -> None:
        """Remember, before it is sent, that from now on it may have arrived."""
        store.save(self._path(entry), entry.model_copy(update={"in_doubt": True}))

    def done(self, entry: Entry) -> None:
        """Forget a post that is made, or that will never be."""
        self._path(entry).unlink(missing_ok=True)

    def waiting(self) -> list[Entry]:
        """Every post that is not done, oldest first."""
        files = sorted(self.folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        return [store.load(path, Entry) for path in files]

    def _waiting(self, entry: Entry) -> Entry | None:
        path = self._path(entry)
        return store.load(path, Entry) if path.is_file() else None

    def _path(self, entry: Entry) -> Path:
        return self.folder / f"{entry.name}.json"
