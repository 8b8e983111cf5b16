"""llama-bench of both builds at several depths, each case a process of its own: base and head take turns."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from bot.bench.bench_flags import BenchFlags, bench_flags, bench_help, with_case
from bot.bench.bench_output import BenchLine, read
from bot.bench.conditions import Capabilities
from bot.bench.tool import tool_help
from bot.build.layout import BENCH
from bot.pipeline.evidence import tools
from bot.pipeline.evidence.depths import room_for
from bot.pipeline.evidence.desk import BUDGET, Desk
from bot.pipeline.identity import seed_of
from bot.records import SIDES, BenchColumns, Evidence, Measure, Reason, Side
from bot.stats.bench import rate
from bot.stats.order import orders

DEPTHS = (0, 4096, 16384, 32768)
PROMPT, GENERATED = 512, 128
#: One repetition more than five: the first is dropped (facts/measurement 5.2).
_REPETITIONS = 7
#: A deeper case takes longer than the one before it: the depth is filled first, and attention costs more.
_DEEPER = 2.0


@dataclass(frozen=True)
class Case:
    """One test as llama-bench names it."""

    prompt: int
    generated: int
    depth: int

    @property
    def name(self) -> str:
        """As in upstream's own table: `pp512 @ d4096`."""
        test = f"pp{self.prompt}" if self.prompt else f"tg{self.generated}"
        return f"{test} @ d{self.depth}" if self.depth else test


CASES = tuple(Case(*test, depth) for depth in DEPTHS for test in ((PROMPT, 0), (0, GENERATED)))


def gather(desk: Desk) -> Iterator[Evidence]:
    """One piece of evidence with a measure for each case that a build brought to its end."""
    bench = _Bench(desk)
    for place, (case, order) in enumerate(zip(CASES, orders(seed_of(desk.run.id), len(CASES)), strict=True)):
        stop = bench.obstacle(case)
        if stop:
            bench.notes.append(stop)
            break
        bench.run(case, SIDES if order == "AB" else SIDES[::-1])
        desk.context.reporter.say("progress-bench-case", case=case.name, done=place + 1, cases=len(CASES))
    yield bench.evidence()


@dataclass(frozen=True)
class CaseEnd:
    """One process; `line` is None where it brought no samples, `status` and `detail` then tell why."""

    line: BenchLine | None
    seconds: float
    status: str
    detail: str


@dataclass
class _Bench:
    """The cases run so far, in their order."""

    desk: Desk
    ends: dict[Case, dict[Side, CaseEnd]] = field(default_factory=dict)
    notes: list[Reason] = field(default_factory=list)

    @cached_property
    def known(self) -> dict[Side, Capabilities]:
        box = tools.box(self.desk)
        return {side: tool_help(self._program(side), bench_help, "-m", box) for side in SIDES}

    @cached_property
    def flags(self) -> dict[Side, BenchFlags]:
        context, flags = self.desk.context, self.desk.run.profile.flags
        return {
            side: bench_flags(known, flags, backend=context.backend, threads=context.threads)
            for side, known in self.known.items()
        }

    def _program(self, side: Side) -> tuple[str, ...]:
        return tools.program(self.desk, side, BENCH)

    def obstacle(self, case: Case) -> Reason | None:
        """Why this case and those after it are not run; None where nothing stands in the way."""
        for side in SIDES:
            missing = self.flags[side].unknown or (("-d",) if self._lacks_depth(side, case) else ())
            if missing:
                return Reason(code="bench_unsupported", args={"side": side, "bench_flags": missing[0]})
        full = next((item for item in self.ends if self._is_full(item)), None)
        if full is not None and case.depth > full.depth:
            return Reason(code="bench_out_of_memory", args={"bench_case": full.name})
        if not room_for(self.desk.run, case.depth + case.prompt + case.generated):
            return Reason(code="bench_no_room", args={"bench_case": case.name})
        if self._expected_s(case) >= self.desk.left_s:
            return Reason(code=BUDGET)
        return None

    def _lacks_depth(self, side: Side, case: Case) -> bool:
        return bool(case.depth) and self.known[side].spelling("-d") is None

    def _is_full(self, case: Case) -> bool:
        return any(end.status == "out_of_memory" for end in self.ends[case].values())

    def _expected_s(self, case: Case) -> float:
        """Seconds of both sides, from the same test at the depth before; 0 where there was none."""
        before = [ends for item, ends in self.ends.items() if item.prompt == case.prompt]
        return _DEEPER * sum(end.seconds for end in before[-1].values()) if before else 0.0

    def run(self, case: Case, sides: tuple[Side, ...]) -> None:
        """One process of each side."""
        model = str(self.desk.context.profile.model)
        for side in sides:
            words = with_case(
                self.known[side], prompt=case.prompt, generated=case.generated, depth=case.depth
            )
            asked = ("-m", model, *self.flags[side].words, *words, "-r", str(_REPETITIONS), "-o", "jsonl")
            end = tools.run(self.desk, (*self._program(side), *asked))
            line = read(end.stdout) if end.status == "ok" else None
            self.ends.setdefault(case, {})[side] = CaseEnd(line, end.seconds, end.status, end.detail)

    def evidence(self) -> Evidence:
        """What the cases brought, failures as notes: llama-bench never turns a verdict."""
        measures = tuple(_measure(case, ends) for case, ends in self.ends.items() if _has_rate(ends))
        left_out = [name for side in SIDES for name in self.flags[side].left_out]
        notes = [*self.notes, *self._failures()]
        if left_out:
            notes.append(
                Reason(code="bench_left_out", args={"bench_flags": " ".join(dict.fromkeys(left_out))})
            )
        whole = sum(all(end.line for end in ends.values()) for ends in self.ends.values())
        notes.append(Reason(code="bench_cases", args={"done": whole, "cases": len(CASES)}))
        return Evidence(
            kind="llama_bench",
            outcome="unjudged" if measures else "not_run",
            why=None if measures else notes[0],
            measures=measures,
            notes=tuple(notes) if measures else tuple(notes[1:]),
            bench=tuple(self._columns()),
        )

    def _failures(self) -> Iterator[Reason]:
        for case, ends in self.ends.items():
            for side, end in ends.items():
                if end.line is None and end.status != "timeout":
                    what: dict[str, str] = {"side": side, "bench_case": case.name, "status": end.status}
                    yield Reason(code="bench_failed", args={**what, "log_line": end.detail[:200]})

    def _columns(self) -> Iterator[BenchColumns]:
        for side in SIDES:
            lines = [ends[side].line for ends in self.ends.values() if side in ends]
            line = next((item for item in lines if item), None)
            if line:
                yield BenchColumns(side=side, columns=line.columns, build=line.build)


def _has_rate(ends: dict[Side, CaseEnd]) -> bool:
    return any(end.line for end in ends.values())


def _measure(case: Case, ends: dict[Side, CaseEnd]) -> Measure:
    found = {side: rate(end.line.samples_ns, end.line.tokens) for side, end in ends.items() if end.line}
    base, head = found.get("base"), found.get("head")
    return Measure(
        name=case.name,
        unit="tokens_per_second",
        base=base[0] if base else None,
        head=head[0] if head else None,
        base_error=base[1] if base else None,
        head_error=head[1] if head else None,
    )
