"""What changed between two tags: pure functions over commits and paths.

`highlights` and `suspects` read commits; `by_area` is for sources that hold trees but no commit texts.
"""

from bot.changelog.areas import by_area
from bot.changelog.circumstances import Circumstances, circumstances
from bot.changelog.rank import highlights
from bot.changelog.suspects import suspects

__all__ = ["Circumstances", "by_area", "circumstances", "highlights", "suspects"]
