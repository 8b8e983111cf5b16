"""The CSV of every launch: complete, in the units of its header, the same bytes each time, safe to open."""

import csv
import io
from pathlib import Path

import pytest

from bot import store
from bot.pipeline.writing import write_reports
from bot.records import GpuTrace, Guard, HostTrace, Run, Scenario, Spread
from bot.report.launches import launches_csv
from tests.support import runs
from tests.support.outcomes import OUTCOMES


def table(item: Run) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(launches_csv(item))))


def test_every_launch_has_a_row_and_every_metric_a_column() -> None:
    warmup = runs.rounds(1)[0]
    found = table(runs.run(warmup=warmup))
    assert [row["round"] for row in found] == ["0", "0", *(str(n) for n in range(1, 7) for _ in range(2))]
    assert [row["counted"] for row in found][:4] == ["no", "no", "yes", "yes"]
    first = found[2]
    assert (first["side"], first["tag"], first["peak_mib"], first["own_mib"]) == (
        "base",
        "b9556",
        "15535.000",
        "15123.000",
    )
    assert first["ttft_chat_ms"] == "419.959"
    assert first["decode_coding_tokens_per_s"] == "12.705"
    assert first["requests_coding"] == "1"


def test_a_metric_is_the_median_of_the_accepted_requests() -> None:
    sample = runs.launch("base", 0).samples[0]
    times = (400.0, 500.0, 410.0, 9000.0)
    samples = tuple(
        sample.model_copy(update={"ttft_ms": time, "problem": "cached" if time == 9000.0 else None})
        for time in times
    )
    row = table(runs.run(rounds=runs.rounds(1, base={"samples": samples})))[0]
    assert (row["ttft_chat_ms"], row["requests_chat"], row["ttft_document_ms"]) == ("410.000", "3", "")


def test_a_launch_that_failed_says_how() -> None:
    row = table(OUTCOMES["head-broken"]())[1]
    assert (row["status"], row["exit_code"], row["counted"]) == ("crashed_serving", "-6", "no")
    assert row["detail"] == "SIGABRT: ggml/src/ggml-cuda/ggml-cuda.cu:104: CUDA error"


def test_what_a_launch_ran_under_stands_beside_its_numbers() -> None:
    gpu = GpuTrace(
        id="GPU-1",
        total_mib=16303.0,
        baseline_mib=400.0,
        peak_mib=9000.0,
        busy=9,
        sm_mhz=Spread(low=1800, median=1905, high=1950),
        reasons={"sw_power_cap": 0.75},
        power_w=341.5,
        start_c=55.0,
    )
    host = HostTrace(seconds=30.0, cores=2, others=0.25, steal=0.0, swapped_in_mib=0.0)
    guards = (Guard(code="sm_clock", invalidates=False), Guard(code="host_load", invalidates=False))
    row = table(runs.run(rounds=runs.rounds(1, base={"gpus": (gpu,), "host": host, "guards": guards})))[0]
    assert (row["guards"], row["gpu_sm_mhz"], row["gpu_power_cap_share"]) == (
        "sm_clock host_load",
        "1905.000",
        "0.750",
    )
    assert (row["gpu_power_w"], row["gpu_start_c"], row["gpu_end_c"]) == ("341.500", "55.000", "")
    assert (row["gpu_memory_mhz"], row["cpu_others_share"]) == ("", "0.250")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_outside_text_is_a_formula(text: str) -> None:
    row = table(runs.run(rounds=runs.rounds(1, base={"detail": text})))[0]
    assert row["detail"][:1] not in tuple("=+-@\t\r")


def test_hostile_text_stays_in_its_cell() -> None:
    hostile = 'a,b"c\nd\u202ee' + "x" * 10_000
    text = launches_csv(runs.run(rounds=runs.rounds(1, base={"detail": hostile})))
    assert len(text.splitlines()) == 3 and "\u202e" not in text
    detail = next(csv.DictReader(io.StringIO(text)))["detail"]
    assert detail.startswith('a,b"c d\N{REPLACEMENT CHARACTER}exx') and len(detail) == 500


def test_names_of_scenarios_are_snake_case_and_distinct() -> None:
    names = ("My-Prompt", "my_prompt", "2nd")
    scenarios = tuple(Scenario(name=name, prompt_tokens=9, n_predict=8, requests=3) for name in names)
    item = runs.run(profile=runs.profile(scenarios=scenarios), rounds=runs.rounds(1))
    header = launches_csv(item).splitlines()[0].split(",")
    assert [name for name in header if name.startswith("requests_")] == [
        "requests_my_prompt",
        "requests_my_prompt_2",
        "requests_2nd",
    ]
    assert len(set(header)) == len(header)


def test_the_file_lies_beside_the_report_and_is_the_same_each_time(tmp_path: Path) -> None:
    item = OUTCOMES["upgrade"]()
    store.save(tmp_path / "run.json", item)
    paths = list(write_reports(tmp_path, store.load_run(tmp_path / "run.json")))
    assert tmp_path / "launches.csv" in paths
    assert (tmp_path / "launches.csv").read_text() == launches_csv(item)


def test_without_a_launch_there_is_no_file(tmp_path: Path) -> None:
    item = OUTCOMES["both-build-failed"]()
    assert launches_csv(item) == ""
    assert tmp_path / "launches.csv" not in list(write_reports(tmp_path, item))
