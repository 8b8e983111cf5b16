"""Further evidence as a run's record holds it: what most runs find, and what speaks against head."""

from collections.abc import Callable

from bot.records import Check, CheckResult, Evidence, EvidenceKind, Launch, Measure, Reason, Run, Side

from .runs import run

#: The prompt of each turn of a warm chat, in tokens.
TURNS = (2061, 2103, 2146)
CHECKS = ("tools", "schema", "reasoning", "stop", "needle", "end")


def launches(*statuses: tuple[Side, str]) -> tuple[Launch, ...]:
    """Launches of one kind, by side and status."""
    return tuple(
        Launch.model_validate({"side": side, "slot": slot, "status": status})
        for slot, (side, status) in enumerate(statuses)
    )


def warm_chat(*again: int) -> Evidence:
    """Head processes so many tokens of each turn again; base none."""
    counts = again or (0, 0, 0)
    measures = []
    for place, (total, count) in enumerate(zip(TURNS, counts, strict=True), 2):
        ttft = 96.0 + count * 1.32
        worse = "worse" if count else "same"
        measures += [
            Measure.model_validate(
                {"name": f"reprocessed:{place}", "unit": "tokens", "base": 0, "head": count, "outcome": worse}
            ),
            Measure(name=f"cached:{place}", unit="tokens", base=total, head=total - count),
            Measure.model_validate(
                {
                    "name": f"warm_ttft:{place}",
                    "unit": "ms",
                    "base": 95.4,
                    "head": ttft,
                    "outcome": "worse" if count else "unjudged",
                }
            ),
        ]
    return Evidence(
        kind="warm_chat",
        outcome="worse" if any(counts) else "same",
        measures=tuple(measures),
        launches=launches(("base", "ok"), ("head", "ok"), ("head", "ok"), ("base", "ok")),
        seconds=71.0,
    )


def check(name: str, base: CheckResult = "pass", head: CheckResult = "pass", detail: str = "") -> Check:
    """One check; the detail is that of each side that did not pass."""
    return Check(
        name=name,
        base=base,
        head=head,
        base_detail="" if base == "pass" else detail,
        head_detail="" if head == "pass" else detail,
    )


def canary(*changed: Check, note: Reason | None = None) -> Evidence:
    """All six checks pass on both sides, but those given."""
    by_name = {item.name: item for item in changed}
    checks = tuple(by_name.get(name, check(name)) for name in CHECKS)
    return Evidence(
        kind="canary",
        outcome="worse" if any(item.is_new_failure for item in checks) else "same",
        checks=checks,
        launches=launches(("base", "ok"), ("head", "ok")),
        notes=(note or Reason(code="greedy_same", args={"tokens": 64}),),
        seconds=88.0,
    )


def not_run(kind: EvidenceKind) -> Evidence:
    """One that the budget had no room for."""
    return Evidence(kind=kind, outcome="not_run", why=Reason(code="evidence_budget"))


def _quiet() -> Run:
    parts = Reason(code="greedy_parts", args={"token": 41, "tokens": 64})
    small = check("needle", "fail", "fail", "needle")
    plain = check("reasoning", "unsupported", "unsupported", "no_reasoning")
    return run(evidence=(warm_chat(), canary(small, plain, note=parts), not_run("likelihood")))


def _canary() -> Run:
    broken = check("tools", "pass", "fail", 'call_arguments:get_weather {"city": "Par')
    return run(evidence=(warm_chat(), canary(broken, check("schema", "pass", "fail", "finish:length"))))


def _broken() -> Run:
    wrecks = launches(("base", "ok"), ("head", "crashed_serving"), ("head", "crashed_serving"))
    checks = (
        check("tools"),
        *(check(name, "pass", "not_run") for name in CHECKS[1:]),
    )
    why = Reason(code="evidence_server_broke", args={"side": "head", "status": "crashed_serving"})
    broken = Evidence(kind="canary", outcome="worse", why=why, checks=checks, launches=wrecks)
    return run(evidence=(warm_chat(), broken))


EVIDENCES: dict[str, Callable[[], Run]] = {
    "optional-evidence": _quiet,
    "hold-canary": _canary,
    "hold-warm-chat": lambda: run(evidence=(warm_chat(2033, 2075, 2118), canary())),
    "hold-evidence-broken": _broken,
}
