"""Draws the rounds: a strip for each metric above one scale, then the legend."""

import math
from collections.abc import Sequence

from bot.report import numbers
from bot.report.charts import captions, palette
from bot.report.charts.captions import both
from bot.report.charts.identity import gid
from bot.report.charts.points import RoundsStory, half_width
from bot.report.charts.rounds_legend import entries
from bot.report.charts.sheet import EDGE, WIDTH, Sheet
from bot.report.charts.strip import HEIGHT, Strip, percents
from bot.report.phrases import SYMBOLS
from bot.report.words import Words

_TOP = 60.0
_SCALE, _LEGEND = 15.0, 40.0


def draw_rounds(story: RoundsStory, words: Sequence[Words]) -> str:
    """The SVG of every round."""
    half, floor = half_width(story), _TOP + HEIGHT * len(story.metrics)
    legend = entries(story, words, half)
    sheet = Sheet(height=floor + _LEGEND + legend.height)
    _head(sheet, story, words)
    _strips(sheet, story, words, half, floor)
    legend.draw(sheet, floor + _LEGEND)
    return sheet.finish(
        title=both(words, "chart-rounds"),
        description=_description(story, words),
        language=words[0].language,
        titles=_titles(story),
    )


def _head(sheet: Sheet, story: RoundsStory, words: Sequence[Words]) -> None:
    base, head = captions.sides(story.run.pair, most_cells=17)
    sheet.title(both(words, "chart-rounds"))
    sheet.say(EDGE, 45, f"{base} → {head} · head/base − 1", color=palette.MUTED)


def _strips(sheet: Sheet, story: RoundsStory, words: Sequence[Words], half: float, floor: float) -> None:
    plot = sheet.axes(EDGE, _TOP, WIDTH - EDGE, floor)
    plot.set(xlim=(-half * 1.03, half * 1.03), ylim=(floor, _TOP))
    for number, metric in enumerate(story.metrics):
        Strip(sheet, plot, metric, _TOP + number * HEIGHT, half).draw(story.run, words)
    for value in percents(half):
        x, text = math.log1p(value / 100), numbers.signed(f"{value:g}") + "%"
        sheet.say(x, floor + _SCALE, text, size=11, color=palette.MUTED, align="center", axes=plot)


def _titles(story: RoundsStory) -> dict[str, str]:
    """What has a name, and for each round what a pointer shows: which one, and its change."""
    names = [metric.comparison.metric for metric in story.metrics]
    titles = {gid(kind, name): "" for name in names for kind in ("band", "interval", "estimate")}
    for metric in story.metrics:
        for point in metric.points:
            change = numbers.percent(numbers.change(point.log_change))
            titles[gid("round", point.place, metric.comparison.metric)] = f"{point.place}: {change}"
    return titles


def _description(story: RoundsStory, words: Sequence[Words]) -> str:
    base, head = captions.sides(story.run.pair, most_cells=40)
    margin = numbers.share(story.run.profile.margin)
    said = [
        item.text("chart-rounds-description", base_tag=base, head_tag=head, margin=margin) for item in words
    ]
    rows = [
        f"{captions.metric_label(words, metric.row)} {SYMBOLS[metric.row.symbol]} {metric.row.change} "
        f"({numbers.interval(*metric.comparison.change_interval)})"
        for metric in story.metrics
    ]
    return "\n".join([*said, *rows])
