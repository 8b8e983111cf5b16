"""Launches for evidence: the same door as a measured one, with errands in place of scenarios."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.bench.guards import judged
from bot.bench.plan import Json
from bot.bench.runner import Answered, launch_limit_s, run_errands
from bot.pipeline.evidence.desk import Desk
from bot.pipeline.launching import checked, expected, request_for
from bot.records import BROKEN_STATUSES, EvidenceKind, Launch, Reason, Run, Side, Value
from bot.report.breakage import is_wreck

#: One broken launch may be a fluke of the machine; two of the same build are a finding.
TRIES = 2
#: Where every answer was one token, decode is taken to be so much slower than prefill (a judgement).
_READS_PER_WRITE = 50
#: Requests of one errand at most.
_REQUESTS = 8


@dataclass
class Series:
    """The launches of one kind of evidence, in the order run. Servers run as their user starts them."""

    desk: Desk
    kind: EvidenceKind
    launches: list[Launch] = field(default_factory=list)

    def launch(self, side: Side, *errands: Json) -> Answered:
        """One launch, made again where the server broke. Raises BotError where the machine ended it."""
        for _ in range(TRIES):
            answered = self._once(side, errands)
            if answered.launch.status not in BROKEN_STATUSES:
                break
        return answered

    def _once(self, side: Side, errands: tuple[Json, ...]) -> Answered:
        slot = len(self.launches)
        name = f"evidence-{self.kind}-{slot:02}-{side}"
        request = request_for(self.desk.context, self.desk.run, side, name, as_user=True)
        longest = len(errands) * _REQUESTS * request.timeouts["request_s"]
        limit = launch_limit_s(request) + min(longest, self.desk.left_s)
        asked = replace(request, errands=errands, deadline_s=limit)
        answered = run_errands(asked, side=side, slot=slot)
        answered = Answered(told(answered.launch, self.desk, request.folder), answered.extras)
        self.launches.append(answered.launch)
        return answered

    def affords(self, seconds: float) -> bool:
        """Whether so many more seconds fit into the budget."""
        return seconds <= self.desk.left_s


def told(launch: Launch, desk: Desk, folder: Path) -> Launch:
    """The launch; with its guards where the server broke, because a stranger who took the memory is no build.

    Raises BotError where the machine ended it.
    """
    checked(launch, folder)
    if launch.status not in BROKEN_STATUSES:
        return launch
    return judged(launch, tuple(desk.run.launches()), expected(desk.context))


def broke(answers: Iterable[Answered]) -> Reason | None:
    """Whose server broke, and how, though it was started twice; None where none did."""
    broken = next((item.launch for item in answers if item.launch.status in BROKEN_STATUSES), None)
    if broken is None:
        return None
    args: dict[str, Value] = {"side": broken.side, "status": broken.status}
    return Reason(code="evidence_server_broke", args=args)


def head_broke(answers: Iterable[Answered]) -> bool:
    """Whether that happened to head, and was its own doing."""
    return any(item.launch.side == "head" and is_wreck(item.launch) for item in answers)


@dataclass(frozen=True)
class Pace:
    """What the slower side took in the warm-up pair: seconds to start and stop, tokens per second."""

    start_s: float
    prefill: float
    decode: float

    def seconds(self, prompt: float, answer: float) -> float:
        """Of one launch that reads and writes so many tokens."""
        return self.start_s + prompt / self.prefill + answer / self.decode


def pace(run: Run) -> Pace:
    """From the warm-up pair, which every run with a plan has."""
    assert run.warmup is not None
    launches = [launch for launch in run.warmup.launches if launch.samples]
    samples = [sample for launch in launches for sample in launch.samples]
    spent = [
        launch.seconds.get("total", 0.0) - sum(item.wall_ms for item in launch.samples) / 1000
        for launch in launches
    ]
    return Pace(
        start_s=max(0.0, *spent),
        prefill=min(item.prefill for item in samples),
        decode=min(
            (item.decode for item in samples if item.predicted_n > 1),
            default=min(item.prefill for item in samples) / _READS_PER_WRITE,
        ),
    )
