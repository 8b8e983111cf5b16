"""What changed between two tags: pure functions over commits and paths.

`highlights` and `suspects` read commits, `worded` puts them into words; `undone` looks earlier credits up;
`by_area` is for sources that hold trees but no commit texts.
"""

from bot.changelog.areas import by_area
from bot.changelog.circumstances import Circumstances, circumstances
from bot.changelog.highlights import highlights
from bot.changelog.ledger import credits, merged, undone
from bot.changelog.lexicon import Lexicon, compile_lexicon
from bot.changelog.overrides import Override, read_overrides
from bot.changelog.suspects import suspects
from bot.changelog.wording import worded

__all__ = [
    "Circumstances",
    "Lexicon",
    "Override",
    "by_area",
    "circumstances",
    "compile_lexicon",
    "credits",
    "highlights",
    "merged",
    "read_overrides",
    "suspects",
    "undone",
    "worded",
]
