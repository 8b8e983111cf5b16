"""The profile with other flags: a KV quantization, experts in host memory, drafts. A few launches of each."""

from collections.abc import Iterator, Sequence
from itertools import chain

from bot.bench.scenarios import WARMUPS
from bot.build.options import kv_kernel
from bot.flags import replaced
from bot.pipeline.evidence.desk import BUDGET, Desk, not_run
from bot.pipeline.evidence.pairs import ROUNDS, breakage, in_turns, once
from bot.pipeline.launching import Launcher
from bot.records import SIDES, Evidence, Launch, Profile, Reason, Run, Scenario, Side
from bot.stats.variants import measures

_REQUESTS = 3


def gather(desk: Desk) -> Iterator[Evidence]:
    """One piece of evidence per variant, unjudged; a head that breaks where base does not is an alarm."""
    variants = desk.context.profile.variants
    if not variants:
        yield not_run("variant", "variant_none")
    for name, flags in variants.items():
        yield desk.kept("variant", name) or _variant(desk, name, flags)


def _variant(desk: Desk, name: str, flags: tuple[str, ...]) -> Evidence:
    run = _run(desk.run, flags)
    launches = tuple(
        chain.from_iterable(in_turns(desk, lambda side, slot: _launch(desk, run, side, slot, name)))
    )
    if not launches:
        return not_run("variant", BUDGET, label=name)
    cut = Reason(code=BUDGET) if len(launches) < ROUNDS * len(SIDES) else None
    return Evidence(
        kind="variant",
        label=name,
        why=cut,
        measures=measures(launches, run.profile),
        launches=launches,
        notes=(*_notes(desk.run, run, flags), *breakage(launches)),
    )


def _run(run: Run, flags: tuple[str, ...]) -> Run:
    """The run with these flags, and the two scenarios that tell most."""
    profile = run.profile
    kept = tuple(
        item.model_copy(update={"requests": min(item.requests, _REQUESTS)}) for item in _telling(profile)
    )
    changed = {"flags": replaced(profile.flags, flags), "scenarios": kept}
    return run.model_copy(update={"profile": profile.model_copy(update=changed)})


def _telling(profile: Profile) -> Sequence[Scenario]:
    longest = max(profile.scenarios, key=lambda item: item.prompt_tokens)
    decoding = next((item for item in profile.scenarios if "decode" in item.judged), longest)
    return tuple(item for item in profile.scenarios if item in (longest, decoding))


def _launch(desk: Desk, run: Run, side: Side, slot: int, name: str) -> Launch:
    names = [item.name for item in run.profile.scenarios]
    plans = Launcher(desk.context, run, desk.tokens).plans(names, round_index=slot // 2, warmups=WARMUPS)
    return once(desk, run, f"variant-{name}", side=side, slot=slot, scenarios=plans).launch


def _notes(before: Run, run: Run, flags: tuple[str, ...]) -> Iterator[Reason]:
    yield Reason(code="variant_flags", args={"variant_flags": " ".join(flags)})
    pair = kv_kernel(run.profile.flags) if run.profile.backend == "cuda" else ""
    if pair and pair != kv_kernel(before.profile.flags):
        yield Reason(code="variant_no_kernel", args={"cache_types": pair})
