"""Which reports a phone was told of, so that none is told twice: kept on this machine, or on a branch."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bot import store
from bot.delivery.watching import STATE, read_state
from bot.github.state import Files, Keeper


class Memory(Protocol):
    """What was told. A name is claimed before it is told: who is killed in between tells nothing twice."""

    def claim(self, name: str) -> bool:
        """Whether nobody claimed it before. Raises BotError where it cannot be remembered."""
        ...

    def release(self, name: str) -> None:
        """It was not told after all; the next attempt may."""
        ...


@dataclass(frozen=True)
class FolderMemory:
    """A folder of this machine with an empty file for each name."""

    folder: Path

    def claim(self, name: str) -> bool:
        """See `Memory`."""
        path = self._path(name)
        if path.exists():
            return False
        store.write_text(path, "")
        return True

    def release(self, name: str) -> None:
        """See `Memory`."""
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.folder / name


@dataclass(frozen=True)
class StateMemory:
    """`noticed` in `state.json`; names hold no address, as the branch may be public."""

    keeper: Keeper

    def claim(self, name: str) -> bool:
        """See `Memory`."""

        def change(files: Files) -> dict[str, str]:
            state = read_state(files.read(STATE))
            return {} if name in state.noticed else {STATE: state.with_notice(name).as_text()}

        return self.keeper.change(change, "told a phone")

    def release(self, name: str) -> None:
        """See `Memory`."""

        def change(files: Files) -> dict[str, str]:
            state = read_state(files.read(STATE))
            return {STATE: state.without_notice(name).as_text()}

        self.keeper.change(change, "a phone was not told")
