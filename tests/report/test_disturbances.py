"""What a reader is told of disturbed launches."""

from bot.records import GpuTrace, Guard, Round
from bot.report.disturbances import disturbances
from bot.report.render import render
from tests.support import facts


def disturbed(index: int, attempt: int, code: str, *, invalidates: bool) -> Round:
    guard = Guard(code=code, invalidates=invalidates, args={"count": 1})
    bad = facts.launch("head", 1, guards=(guard,), invalid=code if invalidates else None)
    return Round(index=index, attempt=attempt, order="AB", launches=(facts.launch("base", 0), bad))


ROUNDS = (
    disturbed(0, 0, "foreign_process", invalidates=True),
    disturbed(0, 1, "sm_clock", invalidates=False),
    disturbed(1, 0, "foreign_process", invalidates=True),
    facts.round_of(1, attempt=1),
)


def test_reruns_come_with_their_reason_and_disturbances_with_their_number() -> None:
    found = list(disturbances(facts.run(rounds=ROUNDS)))
    assert [(item.code, item.args["status"], item.args["launches"], item.args["of"]) for item in found] == [
        ("launches_invalid", "foreign_process", 2, 8),
        ("launches_disturbed", "sm_clock", 1, 8),
    ]


def test_the_report_says_them_in_both_languages() -> None:
    files = render(facts.run(rounds=ROUNDS, plan=facts.plan()))
    said = "2 of 8 launches shared the GPU with another process; their pairs were measured again."
    assert said in files["report.en.md"]
    assert "2/8 次启动无效（有其他进程同时使用 GPU），所在的轮次已重测。" in files["report.zh-Hans.md"]


def test_memory_that_gpu_and_host_share_is_labelled() -> None:
    gpu = GpuTrace(id="GPU-1", total_mib=1.0, baseline_mib=0.0, peak_mib=1.0, unified=True)
    shared = Round(
        index=0, order="AB", launches=(facts.launch("base", 0, gpus=(gpu,)), facts.launch("head", 1))
    )
    assert [item.code for item in disturbances(facts.run(rounds=(shared,)))] == ["unified_memory"]


def test_a_calm_run_has_none() -> None:
    assert list(disturbances(facts.run(rounds=(facts.round_of(0),)))) == []
