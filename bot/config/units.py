"""Values with units, as people write them: `45m`, `1h30m`, `3%`."""

import re

from bot.config.problem import problem

DURATION = re.compile(r"(?:(?P<h>\d{1,4})h)?\s*(?:(?P<m>\d{1,5})m(?:in)?)?\s*(?:(?P<s>\d{1,6})s)?")
PERCENT = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,6})?)\s*%")
#: The same for a JSON Schema, whose expressions have no named groups.
DURATION_TEXT = r"^(?=.*\d)(\d{1,4}h)?\s*(\d{1,5}m(in)?)?\s*(\d{1,6}s)?$"
PERCENT_TEXT = r"^\d{1,2}(\.\d{1,6})?\s*%$"
LONGEST_S = 24 * 3600
LARGEST = 0.5


def seconds(value: object) -> int:
    """Seconds of a duration with units (`90s`, `45m`, `1h30m`), from 1 s to 24 h."""
    match = DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match and any(match.groups()):
        hours, minutes, rest = (int(match[unit] or 0) for unit in "hms")
        total = hours * 3600 + minutes * 60 + rest
        if 1 <= total <= LONGEST_S:
            return total
    raise problem("duration")


def fraction(value: object) -> float:
    """The fraction that a percentage (`3%`) or a fraction (0.03) stands for, above 0 and below a half."""
    number: float | None = None
    if isinstance(value, str) and (match := PERCENT.fullmatch(value.strip())):
        number = float(match["number"]) / 100
    elif isinstance(value, float):
        number = value
    if number is None or not 0 < number < LARGEST:
        raise problem("margin")
    return number
