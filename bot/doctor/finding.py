"""One thing that was checked, and how it stands. Its words stand in the catalogs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from bot.errors import BotError

#: `warning`: a run could start, but something is worth knowing. `missing`: it could not.
Status = Literal["ok", "warning", "missing"]
Value = str | int | float


@dataclass(frozen=True)
class Finding:
    """How one need of a run stands.

    `message` names the sentence in the catalogs, `<message>-remedy` what to do (none where all is well);
    `args` fill both. `error` stands in for them: its own sentence says what is wrong and what to do.
    """

    check: str
    status: Status
    message: str
    args: Mapping[str, Value] = field(default_factory=dict)
    error: BotError | None = None


def ok(check: str, case: str = "ok", /, **args: Value) -> Finding:
    """All is well; `case` chooses among the sentences of this check."""
    return Finding(check, "ok", f"doctor-{check}-{case}", args)


def warning(check: str, case: str, /, **args: Value) -> Finding:
    """A run could start, but its owner should know this."""
    return Finding(check, "warning", f"doctor-{check}-{case}", args)


def missing(check: str, case: str, /, **args: Value) -> Finding:
    """No run can start before this is mended."""
    return Finding(check, "missing", f"doctor-{check}-{case}", args)


def refused(check: str, error: BotError) -> Finding:
    """What a run would be refused with."""
    return Finding(check, "missing", f"error-{error.code}", error.values, error)


def crashed(check: str, error: Exception, status: Status) -> Finding:
    """The check itself failed: nobody knows how this need stands."""
    return Finding(check, status, "doctor-crashed", {"error": f"{type(error).__name__}: {error}"})


def size(mib: float) -> str:
    """Memory or disk as people read it: whole MiB below 1 GiB, then GiB with one decimal."""
    return f"{mib:.0f} MiB" if mib < 1024 else f"{mib / 1024:.1f} GiB"
