"""A whole record for every outcome that a report has to tell."""

from collections.abc import Callable
from typing import Any

from bot.records import Difference, Highlight, Model, Pair, Reason, Recheck, Run, UpstreamTrouble

from . import self_tests
from .changelogs import busy_commits, busy_highlights, highlights, trees
from .evidences import EVIDENCES
from .opted import OPTED
from .runs import (
    BASE,
    CRASH,
    HEAD,
    SCENARIOS,
    WEB,
    Changed,
    archive_build,
    build,
    comparison,
    comparisons,
    failed_build,
    host_memory,
    machine,
    memory,
    own_build,
    plan,
    profile,
    rounds,
    run,
    unmeasured,
)
from .trials import TRIALS
from .troubles import change, looked_up, newer, recheck, trouble, undone


def _head_broken() -> Run:
    return unmeasured(
        plan=plan(),
        rounds=rounds(2, head=CRASH),
        notes=(Reason(code="stopped_broken", args={"side": "head", "count": 2}),),
    )


def _demo() -> Run:
    """Two shared cores, a small model, trees without history."""
    scenarios = tuple(
        item.model_copy(update={"prompt_tokens": tokens, "requests": 3})
        for item, tokens in zip(SCENARIOS, (63, 256, 160), strict=True)
    )
    gemma = Model(name="gemma-3-270m-it-Q4_K_M.gguf", sha256="a" * 64, size_mib=241.4, architecture="gemma3")
    return run(
        profile=profile(
            name="demo",
            model=gemma,
            backend="cpu",
            flags=("-c", "2048", "-t", "2"),
            scenarios=scenarios,
            margin=0.10,
        ),
        machine=machine(cpu="Intel Xeon Processor", cores=2, ram_mib=7950.0, gpu=None, virtual=True),
        pair=Pair(base=BASE, head=HEAD),
        memory=host_memory(),
        changes=trees(),
        rounds=rounds(4),
        plan=plan(max_rounds=4, looks=(4,)),
        seconds={"build": 6.0, "rounds": 231.0},
        asked_by="demo",
        notes=(Reason(code="demo"),),
    )


def _single_runs() -> Run:
    """The example's own short chat: 150 -> 144 t/s and 0.42 -> 0.44 s, from one run each."""
    one: Changed = {"outcome": "inconclusive", "rounds": 1, "frozen": False, "rounds_needed": None}
    chat = {
        "ttft_chat": comparison("ttft", "chat", 440 / 420 - 1, base=420.0, head=440.0, **one),
        "prefill_chat": comparison("prefill", "chat", 144 / 150 - 1, base=150.0, head=144.0, **one),
    }
    others = {
        f"{item.kind}_{item.scenario}": item.model_copy(update=one)
        for item in comparisons()
        if item.scenario != "chat"
    }
    return run(comparisons=comparisons(**others, **chat), rounds=rounds(1))


def _fixed() -> Run:
    """The same speed, and a crash fixed that concerns this profile."""
    return run(
        memory=memory(15359.0),
        highlights=highlights(
            suspects={},
            accounted={"ci": 2, "not-applicable": 1, "shown": 1},
            items=(
                Highlight(
                    sha="2" * 40,
                    pr=24411,
                    area="server",
                    type="bugfix",
                    severity="crash",
                    applies="yes",
                    text="fix crash when a slot is reused",
                    score=9.0,
                ),
            ),
        ),
    )


def _faster() -> Run:
    return run(
        comparisons=comparisons(
            decode_coding=comparison("decode", "coding", 0.062, "improvement", slow_base=1),
            prefill_document=comparison("prefill", "document", 0.041, "improvement"),
            ttft_document=comparison("ttft", "document", -0.040, "improvement"),
        ),
        highlights=highlights(suspects={"decode": (), "vram": ()}),
    )


def _told(made: Run, found: UpstreamTrouble, again: Recheck | None = None) -> Run:
    return made.model_copy(update={"upstream_trouble": found, "recheck": again})


def _self_test(**changes: Any) -> Run:
    same = {"pair": Pair(base=HEAD, head=HEAD, ancestor=True, commits=0, web=WEB), "memory": memory(15359.0)}
    return run(**(same | {"changes": None} | changes))


OUTCOMES: dict[str, Callable[[], Run]] = {
    **TRIALS,
    "optional": lambda: run(highlights=highlights()),
    "optional-reservation": lambda: run(
        comparisons=comparisons(
            ttft_chat=comparison("ttft", "chat", 0.019, "inconclusive", rounds_needed=15)
        ),
        memory=memory(15359.0),
        rounds=rounds(12),
    ),
    "optional-trees": lambda: run(pair=Pair(base=BASE, head=HEAD), changes=trees(), memory=memory(15359.0)),
    "optional-less-memory": lambda: run(memory=memory(15359.0, 15659.0)),
    "optional-reverts": lambda: run(
        memory=memory(15359.0), changes=busy_commits(), highlights=busy_highlights()
    ),
    "optional-irrelevant": lambda: run(
        memory=memory(15359.0), highlights=highlights(items=(), accounted={"ci": 3, "docs": 1}, suspects={})
    ),
    "upgrade": _faster,
    "upgrade-fix": _fixed,
    "upgrade-newer-trouble": lambda: _told(
        _faster(), looked_up(change(27020), newer(27010), newer(27009, backends=("Vulkan",), elsewhere=True))
    ),
    "upgrade-trouble": lambda: _told(
        _faster(),
        looked_up(
            trouble(27001),
            trouble(26999, title="llama-server: wrong answers", backends=()),
            newer(27010),
            trouble(27002, backends=("Metal",), elsewhere=True),
            complete=False,
        ),
    ),
    "upgrade-fix-trouble": lambda: _told(_fixed(), looked_up(change())),
    "upgrade-unanswered": lambda: _told(_faster(), looked_up(answered=False, complete=False)),
    "upgrade-rechecked": lambda: _told(_fixed(), looked_up(), recheck(undone())),
    "hold-regression": lambda: run(
        comparisons=comparisons(
            decode_coding=comparison("decode", "coding", -0.052, "regression", slow_head=2, rounds=8),
            ttft_chat=comparison("ttft", "chat", 0.044, "regression"),
            prefill_chat=comparison("prefill", "chat", -0.01, "inconclusive", rounds_needed=14),
        ),
        memory=memory(15359.0),
        rounds=rounds(8),
    ),
    "hold-headroom": lambda: run(memory=memory(15535.0, 16088.0)),
    "head-broken": _head_broken,
    "head-build-failed": lambda: unmeasured(builds=(build("base"), failed_build("head"))),
    "base-build-failed": lambda: unmeasured(builds=(failed_build("base"), build("head"))),
    "both-build-failed": lambda: unmeasured(builds=(failed_build("base"), failed_build("head"))),
    "base-broken": lambda: unmeasured(plan=plan(), rounds=rounds(2, base=CRASH)),
    "both-broken": lambda: unmeasured(
        plan=plan(), rounds=rounds(2, base=CRASH, head={"status": "out_of_memory", "samples": ()})
    ),
    "cannot-tell": lambda: run(
        comparisons=comparisons(
            decode_coding=comparison("decode", "coding", -0.021, "inconclusive", rounds_needed=19, rounds=8)
        ),
        rounds=rounds(8),
        memory=memory(15359.0),
        notes=(Reason(code="budget_spent", args={"rounds": 8}),),
    ),
    "cannot-tell-single-runs": _single_runs,
    "cannot-tell-too-close": lambda: run(
        comparisons=comparisons(
            decode_coding=comparison("decode", "coding", -0.029, "inconclusive", too_close=True, rounds=12)
        ),
        rounds=rounds(12),
        memory=memory(15359.0),
    ),
    "cannot-tell-noisy": lambda: run(
        comparisons=comparisons(
            decode_coding=comparison(
                "decode", "coding", -0.10, "inconclusive", too_close=True, rounds=12, half=0.13
            )
        ),
        rounds=rounds(12),
        memory=memory(15359.0),
    ),
    "cannot-tell-unmeasured": lambda: run(
        comparisons=comparisons(
            decode_coding=comparison("decode", "coding", 0.0, "inconclusive", rounds=0, base=0.0, head=0.0)
        ),
        memory=memory(15359.0),
    ),
    "not-comparable": lambda: unmeasured(
        plan=plan(),
        rounds=rounds(1),
        differences=(
            Difference(name="n_ctx", base="98304", head="65536", blocks=True),
            Difference(name="build_info", base="b9556", head="b9602", blocks=False),
        ),
    ),
    "sources-differ": lambda: run(
        builds=(own_build(), archive_build()), comparisons=(), rounds=rounds(4), plan=plan(looks=(4,))
    ),
    "unstable": lambda: unmeasured(
        plan=plan(),
        rounds=rounds(3, head={"invalid": "foreign_process"}),
        notes=(Reason(code="environment_unstable", args={"reruns": 5}),),
    ),
    "nothing-measured": lambda: unmeasured(
        plan=plan(), rounds=rounds(1, base={"status": "no_space", "samples": ()})
    ),
    "quick": lambda: run(
        profile=profile(preset="quick"),
        rounds=rounds(4),
        memory=memory(15359.0),
        plan=plan(max_rounds=4, looks=(4,), cuts=(Reason(code="cut_requests", args={"requests": 3}),)),
    ),
    "demo": _demo,
    "self-test-passed": _self_test,
    "self-test-found": lambda: _self_test(
        comparisons=comparisons(decode_coding=comparison("decode", "coding", -0.041, "regression"))
    ),
    "self-test-open": lambda: _self_test(
        comparisons=comparisons(
            decode_coding=comparison("decode", "coding", -0.012, "inconclusive", rounds_needed=17, rounds=12)
        ),
        rounds=rounds(12),
    ),
    "self-test-before": self_tests.passed,
    "cannot-resolve": self_tests.blind,
    "false-alarm": self_tests.alarmed,
    "cannot-resolve-aside": self_tests.blind_aside,
    **EVIDENCES,
    **OPTED,
}
