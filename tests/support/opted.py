"""Evidence that only some profiles ask for, as a run's record holds it."""

from collections.abc import Callable

from bot.records import BenchColumns, Check, Evidence, Measure, Reason, Run, Side

from .evidences import launches
from .runs import run

#: (test, base, its error, head, its error), tokens per second.
BENCHED = (
    ("pp512", 1204.31, 3.12, 1211.08, 2.74),
    ("tg128", 14.62, 0.02, 14.61, 0.03),
    ("pp512 @ d4096", 1098.44, 2.95, 1102.73, 3.31),
    ("tg128 @ d4096", 13.97, 0.02, 13.98, 0.02),
    ("pp512 @ d16384", 842.16, 2.08, 845.09, 1.87),
    ("tg128 @ d16384", 12.31, 0.01, 12.30, 0.02),
)
FASTER = "tokens_per_second"


def llama_bench() -> Evidence:
    """Six of eight cases; the deepest ran out of memory on head."""
    notes = (
        Reason(code="bench_out_of_memory", args={"bench_case": "pp512 @ d32768"}),
        Reason(
            code="bench_failed",
            args={
                "side": "head",
                "bench_case": "pp512 @ d32768",
                "status": "out_of_memory",
                "log_line": "cudaMalloc failed: out of memory",
            },
        ),
        Reason(code="bench_left_out", args={"bench_flags": "--spec-type"}),
        Reason(code="bench_cases", args={"done": 6, "cases": 8}),
    )
    measures = tuple(
        Measure(name=name, unit=FASTER, base=base, head=head, base_error=below, head_error=above)
        for name, base, below, head, above in BENCHED
    )
    return Evidence(
        kind="llama_bench",
        measures=measures,
        notes=notes,
        bench=(columns("base", "0fac87b (9556)"), columns("head", "1c26250 (9602)")),
    )


def columns(side: Side, build: str) -> BenchColumns:
    """What stands before the rates of one side."""
    told = {
        "model": "qwen35 27B Q4_K - Medium",
        "size": "15.65 GiB",
        "params": "27.10 B",
        "backend": "CUDA",
        "ngl": "50",
        "fa": "1",
    }
    return BenchColumns(side=side, columns=told, build=build)


def likelihood(head: float | None = 6.4127, failed: bool = False) -> Evidence:
    """Nearly the same on both sides, or nonsense on head."""
    measure = Measure(name="perplexity", base=6.4119, head=head, base_error=0.0713, head_error=0.0714)
    if failed:
        check = Check(name="likelihood", base="pass", head="fail", base_detail="6.412", head_detail="nan")
        return Evidence(kind="likelihood", outcome="worse", measures=(measure,), checks=(check,))
    return Evidence(
        kind="likelihood",
        outcome="same",
        measures=(measure.model_copy(update={"outcome": "same"}),),
        notes=(
            Reason(code="likelihood_paired", args={"delta": 0.00012, "delta_error": 0.00021, "chunks": 9}),
        ),
    )


def load() -> Evidence:
    """Seconds."""
    measure = Measure(
        name="load_time", unit="seconds", base=4.81, head=4.63, base_error=0.06, head_error=0.07
    )
    return Evidence(kind="load", measures=(measure,))


def energy() -> Evidence:
    """Joules per token."""
    measure = Measure(
        name="energy", unit="joules_per_token", base=1.83, head=1.82, base_error=0.01, head_error=0.01
    )
    return Evidence(kind="energy", measures=(measure,))


def variant() -> Evidence:
    """Drafted tokens on the side that can draft; base does not know the flag."""
    return Evidence(
        kind="variant",
        label="mtp",
        measures=(
            Measure(name="decode", unit=FASTER, head=21.74, head_error=0.21),
            Measure(name="vram_peak", unit="mib", head=15892.0, head_error=3.0),
            Measure(name="acceptance", head=0.684, head_error=0.004),
        ),
        launches=launches(("base", "refused_flag"), ("head", "ok"), ("head", "ok"), ("base", "refused_flag")),
        notes=(
            Reason(code="variant_flags", args={"variant_flags": "--spec-type draft-mtp"}),
            Reason(
                code="launch_broke",
                args={
                    "side": "base",
                    "status": "refused_flag",
                    "log_line": "error: invalid argument: --spec-type",
                },
            ),
        ),
    )


def slots() -> Evidence:
    """Four at a time."""
    numbers = (
        ("slots_total", FASTER, 38.42, 38.61),
        ("slots_slowest", FASTER, 9.71, 9.78),
        ("slots_fastest", FASTER, 9.94, 9.97),
        ("slots_fairness", "", 0.9998, 0.9999),
    )
    return Evidence(
        kind="slots",
        measures=tuple(
            Measure(name=name, unit=unit, base=base, head=head) for name, unit, base, head in numbers
        ),
        launches=launches(("base", "ok"), ("head", "ok"), ("head", "ok"), ("base", "ok")),
        notes=(Reason(code="slots_streams", args={"streams": 4}),),
    )


def leak(head: float = 0.02, outcome: str = "same") -> Evidence:
    """Memory per 100 requests; on the GPU as given."""
    rss = Measure(
        name="rss_growth",
        unit="mib",
        base=0.03,
        head=0.02,
        base_error=0.01,
        head_error=0.01,
        outcome="same",
    )
    vram = {"name": "vram_growth", "head": head, "outcome": outcome, "base": 0.0, "base_error": 0.0}
    return Evidence.model_validate(
        {
            "kind": "leak",
            "outcome": outcome,
            "measures": (rss, rss.model_copy(update=vram)),
            "launches": launches(("base", "ok"), ("head", "ok")),
            "notes": (Reason(code="leak_requests", args={"requests": 200}),),
        }
    )


def _all() -> Run:
    without = Evidence(kind="energy", outcome="not_run", why=Reason(code="energy_no_counter"))
    return run(evidence=(llama_bench(), likelihood(), load(), without, variant(), slots(), leak()))


OPTED: dict[str, Callable[[], Run]] = {
    "optional-more-evidence": _all,
    "hold-likelihood": lambda: run(evidence=(likelihood(head=None, failed=True), energy())),
    "hold-leak": lambda: run(evidence=(leak(12.4, "worse"),)),
}
