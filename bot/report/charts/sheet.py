"""A sheet to draw on, in CSS pixels from the top left. matplotlib draws; no reader's word passes through it.

Its fonts lack Han characters, and it measures text with what this machine has installed. So it places
ASCII keys by their anchors alone, and `bot.report.charts.svg` puts the words where the keys stand.
"""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from rich.cells import cell_len

from bot.report.charts import captions, palette, svg

#: Narrow enough to be read at the width of a phone, where a picture is shrunk to 360 px or less.
WIDTH = 440
EDGE = 16

#: Pixels that markers measure, so that they look equally large.
_SIZES = {"o": 5.2, "x": 6.0, "|": 6.0, "s": 5.0, "D": 5.0, "^": 7.0, "v": 7.0, "<": 7.0, ">": 7.0}

Align = Literal["left", "center", "right"]


@contextmanager
def defaults() -> Iterator[None]:
    """matplotlib's own settings (not a user's matplotlibrc), text kept as text, ids that do not change."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "llama-release-bot"})
        yield


class Sheet:
    """One picture of a fixed width."""

    def __init__(self, height: float) -> None:
        self.height = height
        self.texts: dict[str, str] = {}
        self._figure = Figure(figsize=(WIDTH / 72, height / 72), dpi=72, facecolor=palette.PANEL)
        self.page = self.axes(0, 0, WIDTH, height)
        self.page.set(xlim=(0, WIDTH), ylim=(height, 0))
        self.page.plot(
            [0.5, WIDTH - 0.5, WIDTH - 0.5, 0.5, 0.5],
            [0.5, 0.5, height - 0.5, height - 0.5, 0.5],
            color=palette.GRID,
            linewidth=1,
        )

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """Bare axes over that part of the sheet; their scales are the caller's."""
        box = (left / WIDTH, 1 - bottom / self.height, (right - left) / WIDTH, (bottom - top) / self.height)
        axes = self._figure.add_axes(box)
        axes.set_axis_off()
        return axes

    def say(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12,
        color: str = palette.INK,
        align: Align = "left",
        weight: str = "normal",
        axes: Axes | None = None,
    ) -> None:
        """Text at its baseline; in the scales of `axes`, else in pixels."""
        key = f"words{len(self.texts)}"
        self.texts[key] = text
        (axes or self.page).text(
            x, y, key, fontsize=size, color=color, ha=align, va="baseline", fontweight=weight
        )

    def title(self, text: str) -> None:
        """The picture's own title, smaller where it would not fit."""
        size = 15 if cell_len(text) <= captions.cells(WIDTH - 2 * EDGE, 15) else 12.5
        most = captions.cells(WIDTH - 2 * EDGE, size)
        self.say(EDGE, 26, captions.shortened(text, most), size=size, weight="bold")

    def lines(self, y: float, lines: list[str], *, size: float = 11, leading: float = 15) -> float:
        """Lines of muted text from a baseline downwards; returns the next baseline."""
        for number, line in enumerate(lines):
            self.say(EDGE, y + number * leading, line, size=size, color=palette.MUTED)
        return y + len(lines) * leading

    def finish(self, *, title: str, description: str, language: str, titles: Mapping[str, str]) -> str:
        """The SVG document; `titles` names elements by their gid."""
        written = io.BytesIO()
        self._figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
        return svg.polished(
            written.getvalue().decode(),
            texts=self.texts,
            titles=titles,
            about=svg.About(title=title, description=description, language=language),
            size=(WIDTH, self.height),
        )


def mark(
    axes: Axes, x: float, y: float, marker: str, color: str, *, hollow: bool = False, gid: str | None = None
) -> None:
    """One marker. A rim of the panel's colour keeps neighbours apart; crosses and bars have none."""
    thin = marker in ("x", "|")
    axes.plot(
        [x],
        [y],
        linestyle="none",
        marker=marker,
        markersize=_SIZES[marker],
        markerfacecolor=palette.PANEL if hollow else color,
        markeredgecolor=color if hollow or thin else palette.PANEL,
        markeredgewidth=1.2 if hollow or thin else 0.6,
        clip_on=False,
        gid=gid,
    )


def strokes(axes: Axes, segments: list[tuple[float, float, float, float]], **style: Any) -> None:  # noqa: ANN401 - as above
    """Many straight segments (x0, y0, x1, y1) as one path."""
    gap = float("nan")
    xs = [x for one in segments for x in (one[0], one[2], gap)]
    ys = [y for one in segments for y in (one[1], one[3], gap)]
    axes.plot(xs, ys, clip_on=False, solid_capstyle="butt", **style)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers within a range."""
    values = MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    return [round(float(value), 10) for value in values if low <= value <= high]
