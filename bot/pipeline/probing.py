"""`--probe`: what the memory left is computed to buy, proven by starting head's server there."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from bot import store
from bot.bench.guards import MEMORY_MIB, judged
from bot.bench.plan import ScenarioPlan
from bot.bench.prompts import TokenizedText, nonce_of, prompt_for
from bot.bench.runner import LaunchRequest, run_launch
from bot.flags import canonical, parse
from bot.pipeline.context import Context
from bot.pipeline.launching import checked, expected, load_tokens, request_for
from bot.pipeline.preparing import TOKENS
from bot.progress import clock
from bot.records import Launch, MemoryComparison, MemoryTrace, Probe, ProbeStart, Run
from bot.report.costs import context_of
from bot.report.headroom import Candidate, candidates
from bot.stats.memory import compare_memory
from bot.stats.search import MOST_STARTS, Line, best_step, next_step

#: The longest that proving may take in all (seconds); it is said before.
BOUND_S = 900.0
#: A start is not begun with less than this share of its estimated time left.
_ENOUGH = 0.8
#: Prefill slows down as the context fills, so only this share of the measured rate is counted on.
_SLOWER = 0.5
#: Room of the context that the prompt leaves: the answer, and what a chat template would add.
_ANSWER, _SPARE = 8, 64
#: Memory that grows with a prompt has grown by then; longer ones only take time.
_LONGEST_PROMPT = 131072
#: Guards that speak of memory; a launch that was only disturbed in its speed proves memory all the same.
_OF_MEMORY = frozenset({"foreign_process", "memory_not_back", "sampler_lost", "nvml_lost", "wrong_device"})


def probe(context: Context, run: Run, bound_s: float = BOUND_S) -> Run:
    """The run with what head's server was seen to do at each computed setting, within `bound_s` seconds.

    Where there is nothing to prove it says so in one sentence and goes on. A start that runs out of memory is
    a result. Raises BotError (exit 4) only where the machine itself is to blame, as any launch does.
    """
    memory = compare_memory(run.valid_rounds)
    wanted = candidates(run.model_copy(update={"memory": memory}))
    if memory is None or not wanted:
        host = memory is not None and memory.source == "rss"
        context.reporter.say("progress-probe-host" if host else "progress-probe-nothing")
        return run
    tokens = load_tokens(context.folder.path / TOKENS)
    text = max(tokens.values(), key=lambda item: len(item.ids))
    bench = _Bench(context, run, memory, text, time.monotonic() + bound_s, bound_s / len(wanted) / 2)
    context.reporter.say(
        "progress-probe-cost",
        count=MOST_STARTS * len(wanted),
        each=clock(max(bench.estimate_s(item) for item in wanted)),
        bound=clock(bound_s),
    )
    with context.reporter.stage("progress-probe") as advance:
        probes = []
        for place, item in enumerate(wanted):
            advance(place, len(wanted))
            probes.append(_kept(context, item) or bench.prove(item))
        advance(len(wanted), len(wanted))
    return run.model_copy(update={"probes": tuple(probes)})


@dataclass(frozen=True)
class _Bench:
    """One run's proving. `deadline` is monotonic; `start_s` what one start may take of the whole."""

    context: Context
    run: Run
    memory: MemoryComparison
    text: TokenizedText
    deadline: float
    start_s: float

    def prove(self, item: Candidate) -> Probe:
        """The search over one flag, on disk when it is finished."""
        line = Line(item.computed, item.least, item.most)
        starts: list[ProbeStart] = []
        fits: dict[int, bool] = {}
        is_short = False
        while len(starts) < MOST_STARTS and (step := next_step(line, fits)) is not None:
            if is_short := self._left_s() < _ENOUGH * self.estimate_s(item):
                break
            start = self._start(item, item.value(step), len(starts))
            if is_short := start.status == "hung_serving" and self._left_s() <= 0:
                break
            starts.append(start)
            if start.invalid is None:
                fits[step] = start.keeps(self.run.profile.reserve_mib)
        found = _found(item, fits, starts, is_short=is_short)
        if not is_short:
            store.save(_place(self.context, item), found)
        return found

    def estimate_s(self, item: Candidate) -> float:
        """What one start takes: loading as measured, a prompt that fills the context or the time there is."""
        load = median(launch.seconds.get("load", 0.0) for launch in self._measured())
        return load + self._prompt_tokens(item, item.value(item.computed)) / (_SLOWER * self._rate())

    def _start(self, item: Candidate, value: int, number: int) -> ProbeStart:
        prompt_tokens = self._prompt_tokens(item, value)
        request = self._request(item, value, number, prompt_tokens)
        began = time.monotonic()
        launch = checked(run_launch(request, side="head", slot=number), request.folder)
        launch = judged(launch, (), expected(self.context))
        peak = self._peak(launch)
        return ProbeStart(
            value=value,
            status=launch.status,
            detail=launch.detail,
            invalid=self._invalid(item, value, launch),
            prompt_tokens=prompt_tokens,
            peak_mib=peak,
            headroom_mib=self.memory.total_mib - peak if peak and launch.status == "ok" else None,
            seconds=round(time.monotonic() - began, 3),
        )

    def _request(self, item: Candidate, value: int, number: int, prompt_tokens: int) -> LaunchRequest:
        flags = with_flag(self.run.profile.flags, item.flag, value)
        profile = self.run.profile.model_copy(update={"flags": flags})
        there = self.run.model_copy(update={"profile": profile})
        name = f"probe{item.flag}-{number}"
        made = request_for(self.context, there, "head", name, (self._scenario(prompt_tokens, number),))
        left = max(1.0, self._left_s())
        # a long prompt is silent for minutes: only the deadline ends it
        return replace(made, deadline_s=left, timeouts={**made.timeouts, "stall_s": left})

    def _scenario(self, prompt_tokens: int, number: int) -> ScenarioPlan:
        nonce = nonce_of(-1, 9, number)
        prompt = prompt_for(self.text.ids, prompt_tokens, nonce=nonce, prefix=self.text.prefix)
        return {
            "name": "probe",
            "n_predict": _ANSWER,
            "settle": "prefill",
            "min_warmups": 0,
            "warmups": [],
            "prompts": [list(prompt)],
        }

    def _prompt_tokens(self, item: Candidate, value: int) -> int:
        """The whole context where the time allows: memory grows while a prompt is processed."""
        context = value if item.flag == "-c" else self._context()
        longest = max(scenario.prompt_tokens for scenario in self.run.profile.scenarios)
        affordable = int(_SLOWER * self._rate() * self.start_s)
        room = context - _ANSWER - _SPARE
        return max(min(room, _LONGEST_PROMPT, max(longest, affordable)), _SPARE)

    def _invalid(self, item: Candidate, value: int, launch: Launch) -> str | None:
        trace = _gpu(launch)
        if trace and trace.baseline_mib > self.memory.baseline_mib + MEMORY_MIB:
            return "memory_taken"
        guards = (guard.code for guard in launch.guards if guard.code in _OF_MEMORY and guard.invalidates)
        if code := next(guards, None):
            return code
        if launch.status in ("lost", "port_taken") or (launch.status == "ok" and trace is None):
            return launch.invalid or "no_memory"
        return "other_setting" if launch.status == "ok" and not _took(item, value, launch) else None

    def _peak(self, launch: Launch) -> float | None:
        """At the common baseline, like the numbers of the table."""
        trace = _gpu(launch)
        return self.memory.baseline_mib + trace.own_mib if trace else None

    def _measured(self) -> Sequence[Launch]:
        return [launch for launch in self.run.launches("head") if launch.is_valid]

    def _context(self) -> int:
        return next((found for item in self._measured() if (found := context_of(item.facts))), _SPARE)

    def _rate(self) -> float:
        """Tokens per second of prefill, over the requests of all valid launches."""
        samples = [item for launch in self._measured() for item in launch.samples if item.prompt_ms > 0]
        return median(item.prefill for item in samples) if samples else 1.0

    def _left_s(self) -> float:
        return self.deadline - time.monotonic()


def with_flag(flags: tuple[str, ...], name: str, value: int) -> tuple[str, ...]:
    """The user's flags with this one at `value`, whatever spelling or value it had."""
    replaced = {canonical(name)} | ({"--cpu-moe", "-cmoe"} if canonical(name) == "--n-cpu-moe" else set())
    kept = [
        word
        for spelled, values in parse(flags)
        if canonical(spelled) not in replaced
        for word in (spelled, *values)
        if word
    ]
    return (*kept, name, str(value))


def _found(item: Candidate, fits: dict[int, bool], starts: Sequence[ProbeStart], *, is_short: bool) -> Probe:
    best = best_step(fits)
    return Probe(
        flag=item.flag,
        measured=item.measured,
        computed=item.value(item.computed),
        proven=None if best is None else item.value(best),
        cut_short=is_short,
        starts=tuple(starts),
    )


def _took(item: Candidate, value: int, launch: Launch) -> bool:
    """Whether the server really runs with that setting; one that its log does not tell is believed."""
    facts = launch.facts
    if item.flag == "-c":
        return context_of(facts) in (None, value)
    return item.flag != "-ngl" or facts.offloaded is None or facts.offloaded[0] == value


def _gpu(launch: Launch) -> MemoryTrace | None:
    return next((trace for trace in launch.memory if trace.source == "nvml"), None)


def _place(context: Context, item: Candidate) -> Path:
    return context.folder.path / "probes" / f"{item.flag.lstrip('-')}.json"


def _kept(context: Context, item: Candidate) -> Probe | None:
    """What an earlier sitting of this run finished."""
    path = _place(context, item)
    return store.load(path, Probe) if path.is_file() else None
