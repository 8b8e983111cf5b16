"""The base of all records, and the words they share."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

SCHEMA = 1


Side = Literal["base", "head"]


Backend = Literal["cpu", "cuda"]


MetricKind = Literal["prefill", "ttft", "decode"]


Outcome = Literal["regression", "improvement", "within", "inconclusive"]


VerdictCode = Literal["upgrade", "optional", "hold", "unknown"]


SIDES: tuple[Side, Side] = ("base", "head")


Value = str | int | float | bool


class Record(BaseModel):
    """Base of all records: immutable, and strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Reason(Record):
    """A code with its numbers; the sentence for it stands in the catalogs."""

    code: str
    args: dict[str, Value] = {}
