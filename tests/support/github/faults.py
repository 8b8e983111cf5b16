"""What can go wrong between a client and GitHub, each as a switch."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

#: Before the request is done, or (`..._after`) when it is done and stored.
Kind = Literal[
    "502",
    "502_after",
    "timeout",
    "timeout_after",
    "reset",
    "reset_after",
    "slow",
    "primary_403",
    "primary_429",
    "secondary_403",
    "secondary_403_retry_after",
    "secondary_429",
    "secondary_429_retry_after",
    "graphql_rate_limited",
    "graphql_forbidden",
    "redirect_307",
    "not_modified_304",
    "too_long_422",
    "token_expired",
    "malformed",
]
#: The request is done all the same.
STORED = frozenset({"502_after", "timeout_after", "reset_after", "slow"})
#: Those that happen to writes too; half an answer is tried with reads.
KINDS: tuple[Kind, ...] = tuple(kind for kind in Kind.__args__ if kind != "malformed")  # type: ignore[attr-defined]


@dataclass
class Call:
    """One request as it came: for faults to choose by, and for tests to count."""

    method: str
    path: str
    write: bool
    graphql: bool
    at: float
    status: int = 0
    operation: str = ""


@dataclass
class Fault:
    """One switch: happens to the next `times` calls that fit."""

    kind: Kind
    fits: Callable[[Call], bool] = lambda call: call.write
    times: int = 1


@dataclass
class Faults:
    """All that is switched on."""

    pending: list[Fault] = field(default_factory=list)

    def add(self, kind: Kind, fits: Callable[[Call], bool] = lambda call: call.write, times: int = 1) -> None:
        """Switch one on."""
        self.pending.append(Fault(kind, fits, times))

    def take(self, call: Call) -> Kind | None:
        """The fault that happens to this call."""
        for fault in self.pending:
            fitting = call.graphql or not fault.kind.startswith("graphql")
            if fault.times > 0 and fitting and fault.fits(call):
                fault.times -= 1
                return fault.kind
        return None
