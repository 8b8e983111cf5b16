"""The self-test (A/A) that came before a comparison, in a compact form."""

from bot.records.asked import Plan
from bot.records.base import Reason, Record
from bot.records.outcome import Comparison, Noise


class SelfTest(Record):
    """Base compared with itself, from two folders, before base and head were compared.

    `rounds` are the valid ones, `launches` all that were made. `requests`: K by scenario as it followed from
    the `noise`. `seconds`: measuring only. `why`: why there was none, or why it ended before it could tell.
    """

    tag: str
    plan: Plan | None = None
    rounds: int = 0
    launches: int = 0
    comparisons: tuple[Comparison, ...] = ()
    noise: tuple[Noise, ...] = ()
    requests: dict[str, int] = {}
    seconds: float = 0.0
    why: Reason | None = None

    @property
    def alarmed(self) -> tuple[str, ...]:
        """The metrics in which one build was called different from itself."""
        return tuple(
            item.metric for item in self.comparisons if item.outcome in ("regression", "improvement")
        )

    @property
    def unresolved(self) -> tuple[str, ...]:
        """The metrics that were not shown equal."""
        return tuple(item.metric for item in self.comparisons if item.outcome != "within")
