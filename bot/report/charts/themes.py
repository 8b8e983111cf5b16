"""A picture for a page whose own theme decides, where the reader's system does not."""

import re

#: The one rule of `bot.report.charts.svg` for dark pages: rules within rules, one level deep.
_RULE = re.compile(r"@media\(prefers-color-scheme:dark\)\{((?:[^{}]*\{[^{}]*\})*)\}")


def light(svg: str) -> str:
    """The picture that stays light."""
    return _RULE.sub("", svg)


def dark(svg: str) -> str:
    """The picture that is always dark."""
    return _RULE.sub(r"\1", svg)
