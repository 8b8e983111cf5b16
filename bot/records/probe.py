"""What the memory that is left was proven to buy: head's server, started there."""

from bot.records.base import Record
from bot.records.launch import LaunchStatus


class ProbeStart(Record):
    """One start of head's server with the flag at `value`, and one prompt of `prompt_tokens`.

    `peak_mib` and `headroom_mib` are at the run's common baseline; None where the start did not come to them.
    `invalid`: what happened beside it, so that it says nothing of the memory.
    """

    value: int
    status: LaunchStatus
    detail: str = ""
    invalid: str | None = None
    prompt_tokens: int
    peak_mib: float | None = None
    headroom_mib: float | None = None
    seconds: float = 0.0

    def keeps(self, reserve_mib: float) -> bool:
        """Whether it ran and left the reserve."""
        ran = self.status == "ok" and self.invalid is None and self.headroom_mib is not None
        return ran and (self.headroom_mib or 0.0) >= reserve_mib


class Probe(Record):
    """One flag: `measured` is its value in the run, `computed` what was tried first.

    `proven` is the best value that ran and kept the reserve, None where no start did. `cut_short`: the time
    for proving was spent before the search ended.
    """

    flag: str
    measured: int
    computed: int
    proven: int | None = None
    cut_short: bool = False
    starts: tuple[ProbeStart, ...] = ()
