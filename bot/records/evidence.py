"""What was seen besides speed and memory: one `Evidence` per kind that the profile asks for."""

from typing import Literal

from bot.records.base import Reason, Record, Side
from bot.records.launch import Launch

EvidenceKind = Literal[
    "warm_chat",
    "canary",
    "llama_bench",
    "likelihood",
    "load",
    "energy",
    "variant",
    "slots",
    "leak",
]

#: `unsupported`: this build does not know the feature; `not_run`: the launch ended before it.
CheckResult = Literal["pass", "fail", "unsupported", "not_run"]


class Measure(Record):
    """One quantity on both sides, in `unit` (a key of the catalogs' `unit-…`, empty for a plain number).

    None: that side gave no value. Errors are standard errors in the same unit. `unjudged` says nothing of
    better or worse: it is there to be read.
    """

    name: str
    unit: str = ""
    base: float | None = None
    head: float | None = None
    base_error: float | None = None
    head_error: float | None = None
    outcome: Literal["same", "better", "worse", "unjudged"] = "unjudged"


class Check(Record):
    """One functional request, passed or failed by each side; details are codes, or short outside text."""

    name: str
    base: CheckResult
    head: CheckResult
    base_detail: str = ""
    head_detail: str = ""

    @property
    def is_new_failure(self) -> bool:
        """Head fails what base passed."""
        return self.base == "pass" and self.head == "fail"


class BenchColumns(Record):
    """What stands before test and rate in llama-bench's own table of one side: heading -> value, in order.

    `build` is the line below that table, such as "1c26250 (9601)".
    """

    side: Side
    columns: dict[str, str]
    build: str


class Evidence(Record):
    """One kind of evidence of both sides.

    `label` tells several of a kind apart (a variant's name). `why` says what was not run or cut short.
    `launches` are those made for it, base before head within a repetition. `seconds` is wall time.
    """

    kind: EvidenceKind
    label: str = ""
    outcome: Literal["same", "better", "worse", "unjudged", "not_run"] = "unjudged"
    why: Reason | None = None
    measures: tuple[Measure, ...] = ()
    checks: tuple[Check, ...] = ()
    launches: tuple[Launch, ...] = ()
    notes: tuple[Reason, ...] = ()
    bench: tuple[BenchColumns, ...] = ()
    seconds: float = 0.0

    @property
    def new_failures(self) -> tuple[Check, ...]:
        """Checks that head fails and base passed."""
        return tuple(check for check in self.checks if check.is_new_failure)
