"""Evidence that a profile asks for, of two real builds: healthy ones, and a head with planted faults."""

import math
import subprocess
from pathlib import Path
from unittest.mock import patch

import pytest

from bot.pipeline.evidence import llama_bench
from bot.pipeline.evidence.llama_bench import Case
from bot.records import Evidence
from tests.support.real import Ended, ask, left_running, real_builds, real_config

pytestmark = pytest.mark.real

LEAK_KIB = 96
#: Small beside upstream's, so that a busy machine is through soon.
CASES = tuple(Case(*test, depth) for depth in (0, 256, 512) for test in ((64, 0), (0, 16)))
KINDS = ["load", "energy", "llama_bench", "likelihood", "variant", "slots", "leak"]
VARIANTS = {"batch": "-ub 64", "kv_q8": "-ctk q8_0 -ctv q8_0"}
#: Faults of a head's programs: the server takes memory and keeps it, llama-bench runs out of it at a depth,
#: llama-perplexity computes no numbers.
FAULTY = """\
#!/bin/sh
case "$*" in
*llama-bench*"-n 16 -d 256 "*) echo "failed to allocate compute pp buffers" >&2; exit 1 ;;
*llama-bench*"-p 64 -n 0 -d 256 "*) kill -SEGV $$ ;;
*llama-perplexity*-f*) echo "[1]nan,[2]nan,"; exit 0 ;;
*llama-server*) LD_PRELOAD={library} exec "$@" ;;
*) exec "$@" ;;
esac
"""


@pytest.fixture(scope="module")
def healthy(builds: dict[str, Path], tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """b9553 against b9601 with every kind."""
    config = real_config(tmp_path_factory.mktemp("opted"), tiny, evidence=KINDS, variants=VARIANTS)
    with patch.object(llama_bench, "CASES", CASES):
        ended = ask(config, config.parent / "run")
    assert left_running(config.parent) == []
    return ended


@pytest.fixture(scope="module")
def faulty(builds: dict[str, Path], tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """b9553 against a b9601 with the planted faults."""
    folder = tmp_path_factory.mktemp("faulty")
    library, script = folder / "leak.so", folder / "faulty"
    source = Path(__file__).parents[1] / "support" / "leak.c"
    command = [
        "cc",
        "-shared",
        "-fPIC",
        "-O1",
        f"-DLEAK_KIB={LEAK_KIB}",
        "-o",
        str(library),
        str(source),
        "-ldl",
    ]
    subprocess.run(command, check=True)
    script.write_text(FAULTY.format(library=library))
    script.chmod(0o755)
    kinds = ["llama_bench", "likelihood", "leak"]
    config = real_config(folder, tiny, evidence=kinds, machine={"isolation": "none"})
    with patch.object(llama_bench, "CASES", CASES):
        return ask(config, folder / "run", wrapper={"head": (str(script),)})


def of(ended: Ended, kind: str, label: str = "") -> Evidence:
    (found,) = [item for item in ended.run.evidence if (item.kind, item.label) == (kind, label)]
    return found


def notes(item: Evidence) -> dict[str, dict[str, object]]:
    return {note.code: dict(note.args) for note in item.notes}


def test_llama_bench_runs_each_case_of_both_builds(healthy: Ended) -> None:
    found = of(healthy, "llama_bench")
    assert [measure.name for measure in found.measures] == [case.name for case in CASES]
    assert found.measures[2].name == "pp64 @ d256"
    assert all((measure.base or 0) > 0 and (measure.head or 0) > 0 for measure in found.measures)
    assert notes(found)["bench_cases"] == {"done": len(CASES), "cases": len(CASES)}
    assert [side.build.split()[1] for side in found.bench] == ["(9553)", "(9601)"]
    assert found.bench[0].columns | {"backend": "CPU", "threads": "1", "fa": "1"} == found.bench[0].columns


def test_upstreams_own_table_stands_in_the_report(healthy: Ended) -> None:
    report = healthy.report("en")
    assert "(9601)\n```" in report
    heading = next(line for line in report.splitlines() if line.startswith("| model "))
    assert [cell.strip() for cell in heading.strip("|").split("|")] == [
        "model",
        "size",
        "params",
        "backend",
        "threads",
        "fa",
        "test",
        "t/s",
    ]


def test_the_perplexity_of_both_builds_is_computed_and_paired(healthy: Ended) -> None:
    found = of(healthy, "likelihood")
    (measure,) = found.measures
    assert (found.outcome, found.checks) == ("same", ())
    assert measure.base is not None
    assert measure.head is not None
    assert abs(math.log(measure.head / measure.base)) < 1e-3
    assert 400 < measure.base < 2000  # of 512 tokens, at random
    chunks = notes(found)["likelihood_paired"]["chunks"]
    assert isinstance(chunks, int)
    assert chunks > 20


def test_asking_for_perplexity_leaves_the_builds_what_they_are(healthy: Ended) -> None:
    keys = {build.key for build in healthy.run.builds}
    assert keys == {folder.parents[1].name for folder in real_builds().values()}
    assert all("llama-perplexity" in build.binaries for build in healthy.run.builds)


def test_load_time_comes_from_the_launches_that_were_made_anyway(healthy: Ended) -> None:
    found = of(healthy, "load")
    (measure,) = found.measures
    assert found.launches == ()
    assert 0 < (measure.base or 0) < 30
    assert 0 < (measure.head or 0) < 30


def test_energy_without_a_counter_is_not_made_up(healthy: Ended) -> None:
    found = of(healthy, "energy")
    assert found.outcome == "not_run"
    assert found.why is not None
    assert found.why.code == "energy_no_counter"


def test_a_variant_is_measured_with_its_flags_in_the_place_of_the_profiles(healthy: Ended) -> None:
    found = of(healthy, "variant", "batch")
    assert [launch.status for launch in found.launches] == ["ok"] * 4
    assert [measure.name for measure in found.measures] == ["prefill", "decode", "rss_peak"]
    for launch in found.launches:
        assert launch.argv[launch.argv.index("-ub") + 1] == "64"
        assert launch.argv.count("-ub") == 1


def test_a_variant_that_neither_build_can_start_is_said_and_holds_nothing(healthy: Ended) -> None:
    found = of(healthy, "variant", "kv_q8")  # heads of 16 are too narrow for q8_0
    assert found.measures == ()
    assert [note.args["side"] for note in found.notes if note.code == "launch_broke"] == ["base", "head"]
    assert found.outcome == "unjudged"


def test_parallel_requests_are_summed_and_their_shares_compared(healthy: Ended) -> None:
    found = of(healthy, "slots")
    told = {measure.name: measure for measure in found.measures}
    assert all(launch.argv[launch.argv.index("-np") + 1] == "4" for launch in found.launches)
    for side in ("base", "head"):
        slowest, fastest = (getattr(told[f"slots_{which}"], side) for which in ("slowest", "fastest"))
        assert 0 < slowest <= fastest
        assert 0.25 <= getattr(told["slots_fairness"], side) <= 1
        assert getattr(told["slots_total"], side) > 0


def test_healthy_builds_do_not_leak(healthy: Ended) -> None:
    found = of(healthy, "leak")
    assert found.outcome == "same"
    (measure,) = found.measures
    assert abs(measure.head or 0) < 1
    assert notes(found)["leak_requests"] == {"requests": 200}


def test_nothing_of_it_turns_the_verdict_of_healthy_builds(healthy: Ended) -> None:
    assert not {"canary_failed", "evidence_broken", "memory_grows"} & set(healthy.reasons())


def test_memory_that_grows_with_each_request_is_found_named_and_sized(faulty: Ended) -> None:
    found = of(faulty, "leak")
    (measure,) = found.measures
    assert (found.outcome, measure.outcome) == ("worse", "worse")
    assert measure.head == pytest.approx(LEAK_KIB * 100 / 1024, rel=0.1)
    assert abs(measure.base or 0) < 1
    assert len(found.launches) == 4  # seen twice
    assert "memory_grows" in faulty.reasons()
    told = f"takes {measure.head:.1f} MiB more memory and does not give it back"
    assert told in faulty.report("en")


def test_a_head_that_no_longer_computes_numbers_is_held(faulty: Ended) -> None:
    found = of(faulty, "likelihood")
    (check,) = found.new_failures
    assert (check.name, check.head_detail) == ("likelihood", "nan")
    assert faulty.reasons()[0] == "canary_failed"
    assert found.measures[0].head is None


def test_a_case_that_crashes_does_not_end_the_others_and_one_without_memory_ends_the_deeper_ones(
    faulty: Ended,
) -> None:
    found = of(faulty, "llama_bench")
    told = {measure.name: (measure.base is not None, measure.head is not None) for measure in found.measures}
    assert told == {
        "pp64": (True, True),
        "tg16": (True, True),
        "pp64 @ d256": (True, False),
        "tg16 @ d256": (True, False),
    }
    failed = [dict(note.args) for note in found.notes if note.code == "bench_failed"]
    assert [(note["bench_case"], note["side"], note["status"]) for note in failed] == [
        ("pp64 @ d256", "head", "crashed"),
        ("tg16 @ d256", "head", "out_of_memory"),
    ]
    assert notes(found)["bench_out_of_memory"] == {"bench_case": "tg16 @ d256"}
    assert notes(found)["bench_cases"] == {"done": 2, "cases": len(CASES)}
    assert found.outcome == "unjudged"
