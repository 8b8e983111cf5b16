"""Progress on stderr: stage, elapsed time, estimate. A live line on a terminal, else few lines."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

Text = Callable[..., str]
#: Without a terminal, a long stage still says that it lives, this often.
QUIET_S = 60.0


class Reporter:
    """Says what a run is doing; every sentence comes from the catalogs through `text`."""

    def __init__(self, text: Text, console: Console | None = None) -> None:
        self.text = text
        self.console = console or Console(stderr=True, highlight=False, soft_wrap=True)
        self._started = time.monotonic()

    def say(self, message: str, **args: str | int | float) -> None:
        """One line that stays."""
        self.console.print(f"[dim]{self._elapsed()}[/dim]  {_plain(self.text(message, **args))}")

    @contextmanager
    def stage(self, message: str, **args: str | int | float) -> Iterator[Callable[[float, float], None]]:
        """A stage with a bar: call the result with (done, total). The estimate comes from the rate so far."""
        label = self.text(message, **args)
        if not self.console.is_terminal:
            yield self._lines(label)
            return
        with self._bar() as bar:
            task = bar.add_task(_plain(label), total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
        self.console.print(f"[dim]{self._elapsed()}[/dim]  {_plain(label)}")

    def _lines(self, label: str) -> Callable[[float, float], None]:
        self.console.print(f"{self._elapsed()}  {_plain(label)}")
        began = last = time.monotonic()

        def advance(done: float, total: float) -> None:
            nonlocal last
            now = time.monotonic()
            if now - last < QUIET_S or not done or not total:
                return
            last = now
            left = (now - began) * (total - done) / done
            self.console.print(
                f"{self._elapsed()}  {_plain(label)} {done / total:.0%} · "
                f"{self.text('progress-left', time=clock(left))}"
            )

        return advance

    def _bar(self) -> Progress:
        return Progress(
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            TextColumn(self.text("progress-left-label")),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
        )

    def _elapsed(self) -> str:
        return clock(time.monotonic() - self._started)


def clock(seconds: float) -> str:
    """Seconds as m:ss, or h:mm:ss from one hour on."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _plain(text: str) -> str:
    return text.replace("[", "\\[")
