"""Sides that were made differently: no speed is judged, memory and changes are."""

from bot.pipeline.explaining import conclude
from bot.report.conclusion import last_line
from bot.report.details import bench_command
from bot.report.story import tell
from bot.report.verdict import conclude as judge
from bot.report.words import catalog
from tests.support.runs import archive_build, build, failed_build, memory, own_build, rounds, run


def codes(**changes: object) -> list[str]:
    return [reason.code for reason in judge(run(comparisons=(), **changes)).reasons]


def test_the_verdict_cannot_tell_and_says_from_where_each_side_came() -> None:
    made = judge(run(builds=(build("base"), archive_build()), comparisons=()))
    assert made.code == "unknown"
    assert made.reasons[0].code == "sources_differ"
    assert made.reasons[0].args == {"base_source": "build", "head_source": "archive"}


def test_memory_still_counts() -> None:
    mixed = (build("base"), archive_build())
    assert "memory" in codes(builds=mixed)
    assert codes(builds=mixed, memory=memory(15500.0, 16200.0))[0] == "headroom_below_reserve"


def test_two_archives_are_alike() -> None:
    assert "sources_differ" not in codes(builds=(archive_build("base"), archive_build("head")))


def test_a_failed_build_is_the_reason_and_not_the_sources() -> None:
    assert "sources_differ" not in codes(builds=(archive_build("base"), failed_build("head")))


def test_no_metric_is_made_of_such_rounds() -> None:
    mixed = run(builds=(build("base"), archive_build()), comparisons=(), rounds=rounds(4))
    assert conclude(mixed).comparisons == ()
    assert conclude(mixed.model_copy(update={"builds": run().builds})).comparisons != ()


def test_the_way_back_is_one_that_works() -> None:
    words = catalog("en")
    own = tell(run(builds=(own_build(), build("head"))))
    assert "start your own build as before" in last_line(words, own)
    archive = tell(run(builds=(archive_build("base"), build("head"))))
    assert "under “Reproduce” above" in last_line(words, archive)


def test_the_command_that_measures_again_names_the_sources() -> None:
    asked = bench_command(run(builds=(own_build(), archive_build())))
    assert "--base-source path:FOLDER --head-source archive" in asked
    assert "source" not in bench_command(run())
