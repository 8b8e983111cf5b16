"""SIGTERM as an orderly end of a launch. Standard library only."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

from bot.bench.plan import LaunchStop


class Interrupt:
    """Raises LaunchStop (lost) on SIGTERM, but not where a process would be started and forgotten."""

    def __init__(self) -> None:
        self.is_held = False
        self.is_due = False

    def listen(self) -> None:
        """Take over SIGTERM."""
        signal.signal(signal.SIGTERM, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.is_due = True
        self._raise()

    def _raise(self) -> None:
        if self.is_due and not self.is_held:
            self.is_due = False
            raise LaunchStop("lost", "SIGTERM")

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """A stretch that SIGTERM does not interrupt; it is raised at its end."""
        self.is_held = True
        try:
            yield
        finally:
            self.is_held = False
        self._raise()

    def ignore(self) -> None:
        """From now on the launch is ending anyway."""
        self.is_held = True
