"""What a report shows: the headline follows the rows, both languages carry the same numbers."""

import re
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.records import SIDES, Comparison, Outcome, Reason, Run, ServerFacts
from bot.report.costs import kv_mib_per_token
from bot.report.headroom import Turn, headroom
from bot.report.phrases import build_failure
from bot.report.render import render
from bot.report.rows import table
from bot.report.story import tell
from bot.report.words import catalog
from tests.support import runs
from tests.support.changelogs import highlights
from tests.support.outcomes import OUTCOMES
from tests.support.runs import comparison, comparisons, memory, run

_CHANGES: dict[Outcome, tuple[float, float]] = {
    "within": (-0.02, 0.02),
    "inconclusive": (-0.08, 0.08),
    "regression": (0.031, 0.3),
    "improvement": (0.031, 0.3),
}
METRICS = [
    ("ttft", "chat"),
    ("prefill", "chat"),
    ("ttft", "document"),
    ("prefill", "document"),
    ("ttft", "coding"),
    ("prefill", "coding"),
    ("decode", "coding"),
]


@st.composite
def measured(draw: Any) -> Run:
    """A run with any outcome of any metric."""
    found: list[Comparison] = []
    for kind, scenario in METRICS:
        outcome: Outcome = draw(st.sampled_from(sorted(_CHANGES)))
        size = draw(st.floats(*_CHANGES[outcome]))
        worse = (outcome == "regression") != (kind == "ttft")
        change = size if outcome in ("within", "inconclusive") else -size if worse else size
        found.append(comparison(kind, scenario, change, outcome))  # type: ignore[arg-type]
    used = memory(draw(st.floats(12000, 16200)), draw(st.floats(12000, 16200)))
    return run(comparisons=tuple(found), memory=used)


def rows(text: str) -> list[list[str]]:
    """The cells of the first table."""
    block = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    lines = block[0].splitlines()[2:] if block else []
    return [[cell.replace("\xa0", " ").strip(" *") for cell in line.strip("|").split("|")] for line in lines]


def headline(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("### "))


def printed_numbers(text: str) -> list[str]:
    return re.findall(r"[+−]?\d+(?:\.\d+)?%?", text)


@settings(max_examples=25, deadline=None)
@given(measured())
def test_the_headline_says_what_the_rows_say(item: Run) -> None:
    text = render(item)["report.en.md"]
    line, shown = headline(text), rows(text)
    marks = {row[3].split(" ")[0] for row in shown if row[0] != "VRAM"}
    assert ("▼" in marks) == ("slower" in line.lower())
    assert ("▲" in marks) == ("faster" in line.lower())
    assert ("?" in marks) == ("inconclusive" in line.lower())
    for row in shown:
        if row[3][0] in "▲▼":
            assert f"{row[0]} {row[3][2:]}" in line
    assert ("same speed" in line.lower()) == (marks == {"="})
    assert ("MiB" in line) == (item.memory is not None and item.memory.outcome != "same")
    if "▼" in marks:
        assert "Hold off" in line


@settings(max_examples=25, deadline=None)
@given(measured())
def test_every_printed_change_is_the_quotient_of_the_sides_printed_beside_it(item: Run) -> None:
    text = render(item)["report.en.md"]
    fold = text[text.index("All metrics and their") :]
    for row in [row for row in (*rows(text), *rows(fold)) if row[0] != "VRAM"]:
        printed = Decimal(row[3].split(" ")[1].rstrip("%").replace("−", "-"))
        assert abs((Decimal(row[2]) / Decimal(row[1]) - 1) * 100 - printed) <= Decimal("0.0500001"), row


def test_bench_help_is_offered_only_where_the_bot_listens() -> None:
    assert "/bench" not in render(run())["report.md"]
    listening = render(run(), listens=True)
    assert listening["report.md"].rstrip().endswith("`/bench help`</sub>")
    assert "/bench" not in listening["report.en.md"]


def test_the_last_lines_say_what_to_do_in_every_language() -> None:
    last = render(OUTCOMES["hold-regression"]())["report.md"].rstrip().splitlines()[-3:]
    assert (
        last[0]
        == "<sub>先留在 b9556，等后续版本再看。要回滚到 b9556，用上面「复现命令」里它的编译和启动命令。"
    )
    assert last[1].startswith("Stay on b9556 and look again at a later tag. To roll back to b9556, use its")


def test_checksums_of_the_programs_are_printed_and_the_libraries_counted() -> None:
    names = ("libggml.so.0", "libllama.so.0", "llama-bench", "llama-server")
    built = tuple(runs.build(side, binaries={name: name[-1] * 64 for name in names}) for side in SIDES)
    text = render(run(builds=built))["report.en.md"]
    assert f"`b9556 · llama-server {'r' * 16} · llama-bench {'h' * 16} · +2 .so`" in text
    assert "libggml" not in text


def test_build_options_that_the_command_shows_are_not_printed_twice() -> None:
    text = render(run())["report.en.md"]
    assert "Build options · `-DCMAKE_CUDA_ARCHITECTURES=120a-real -DCMAKE_BUILD_TYPE=Release`" in text
    assert text.count("-DGGML_CUDA=ON") == 2  # one build command of each side


def test_isolation_is_told_in_words() -> None:
    text = render(run())["report.en.md"]
    told = "no network · no other processes in sight · no other files but those they need"
    told += " · clean environment variables"
    assert f"Isolation · no process outlives its launch · {told}" in text
    assert f"Isolation while compiling · {told}" in text


def test_what_only_some_launches_and_one_build_reached_is_not_claimed() -> None:
    mixed = run()
    first, *others = mixed.rounds[0].launches
    bare = first.model_copy(update={"isolation": ("leash", "environment")})
    rounds = (mixed.rounds[0].model_copy(update={"launches": (bare, *others)}), *mixed.rounds[1:])
    old, new = mixed.builds
    builds = (old.model_copy(update={"isolation": ()}), new)
    text = render(mixed.model_copy(update={"rounds": rounds, "builds": builds}))["report.en.md"]
    assert "Isolation · no process outlives its launch · clean environment variables\n" in text
    assert "Isolation while compiling" not in text


def test_the_demo_note_is_told_once_with_its_cores() -> None:
    text = render(OUTCOMES["demo"]())["report.en.md"]
    assert text.count("The demo ran on") == 1
    assert "llama-release-bot demo\n" in text


@settings(max_examples=25, deadline=None)
@given(measured())
def test_both_languages_carry_the_same_numbers_in_the_same_order(item: Run) -> None:
    files = render(item)
    assert printed_numbers(files["report.zh-Hans.md"]) == printed_numbers(files["report.en.md"])


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_has_the_same_numbers_in_both_languages(outcome: str) -> None:
    files = render(OUTCOMES[outcome]())
    chinese, english = (sorted(printed_numbers(files[f"report.{name}.md"])) for name in ("zh-Hans", "en"))
    assert chinese == english  # sorted: a sentence may name the two tags in either order


@settings(max_examples=50, deadline=None)
@given(measured())
def test_moved_rows_come_first_and_every_outcome_is_shown(item: Run) -> None:
    shown = [row for row in table(item) if row.metric]
    moved = [row.moved for row in shown]
    assert moved == sorted(moved, reverse=True)
    by_id = {found.metric: found for found in item.comparisons}
    for found in item.comparisons:
        twins = [
            by_id[row.metric] for row in shown if row.metric and by_id[row.metric].scenario == found.scenario
        ]
        assert found.outcome in {twin.outcome for twin in twins}


@settings(max_examples=25, deadline=None)
@given(measured())
def test_printed_memory_agrees_with_itself(item: Run) -> None:
    last = rows(render(item)["report.en.md"])[-1]
    change = int(last[3].replace("−", "-"))
    assert int(last[2]) - int(last[1]) == change


def test_ttft_stands_for_a_short_prompt_and_prefill_for_a_long_one() -> None:
    shown = [(row.kind, row.scenario) for row in table(run())]
    assert shown == [
        ("ttft", "chat"),
        ("prefill", "document"),
        ("prefill", "coding"),
        ("decode", None),
        ("vram", None),
    ]


def test_twins_that_disagree_are_both_shown() -> None:
    item = run(comparisons=comparisons(ttft_document=comparison("ttft", "document", 0.05, "regression")))
    assert next((row.kind, row.scenario) for row in table(item)) == ("ttft", "document")
    assert ("prefill", "document") in [(row.kind, row.scenario) for row in table(item)]


def test_decode_in_several_scenarios_is_one_row_when_it_says_the_same() -> None:
    more = (comparison("decode", "chat", 0.001), comparison("decode", "document", 0.002))
    assert [
        row.scenario for row in table(run(comparisons=(*comparisons(), *more))) if row.kind == "decode"
    ] == [None]
    apart = (comparison("decode", "chat", 0.001), comparison("decode", "document", -0.06, "regression"))
    assert [
        row.scenario for row in table(run(comparisons=(*comparisons(), *apart))) if row.kind == "decode"
    ] == [
        "document",
        "coding",
    ]


def test_a_metric_that_was_never_measured_is_not_printed_as_zero() -> None:
    missing = comparison("decode", "coding", 0.0, "inconclusive", rounds=0, base=0.0, head=0.0, ratios=())
    text = render(run(comparisons=comparisons(decode_coding=missing)))["report.en.md"]
    assert not [row for row in rows(text) if row[0] == "Decode"]
    assert "Cannot tell" in headline(text)


def test_what_does_not_compare_is_not_judged_in_the_table() -> None:
    blocked = OUTCOMES["not-comparable"]().differences
    slower = comparisons(decode_coding=comparison("decode", "coding", -0.06, "regression"))
    shown = rows(render(run(differences=blocked, comparisons=slower))["report.en.md"])
    assert {row[3][0] for row in shown[:-1]} == {"?"}


def test_single_runs_print_a_question_mark() -> None:
    shown = rows(render(OUTCOMES["cannot-tell-single-runs"]())["report.en.md"])
    assert shown[:2] == [
        ["💬 TTFT", "0.420", "0.440", "? +4.8%"],
        ["💬 Prefill", "150.0", "144.0", "? −4.0%"],
    ]


def test_headroom_buys_context_from_the_servers_own_buffers() -> None:
    found = headroom(run())
    assert found is not None
    assert (found.mib, found.reserve, found.below) == ("944", "300", False)
    assert found.turns[1:] == (Turn("-c", "+12k", relative=True),)  # 644 / (4915.2 / 98304)


@pytest.mark.parametrize(
    "facts",
    [
        ServerFacts(),
        ServerFacts(props={"n_ctx": 4096}, buffers={"CUDA_Host.KV": 100.0, "CPU.KV": 100.0}),
        ServerFacts(props={"n_ctx": 0}, buffers={"CUDA0.KV": 100.0}),
        ServerFacts(buffers={"CUDA0.KV": 100.0}),
    ],
)
def test_unknown_kv_size_buys_nothing(facts: ServerFacts) -> None:
    assert kv_mib_per_token(facts) is None


def test_host_memory_is_labelled_as_such() -> None:
    text = render(OUTCOMES["demo"]())["report.en.md"]
    assert "**Host memory available 4506 MiB**" in text
    assert "peak host memory MiB" in text
    assert "VRAM" not in text


def test_every_commit_is_listed_and_accounted_for() -> None:
    text = render(OUTCOMES["optional"]())["report.zh-Hans.md"]
    assert all(f"`{number * 9}`" in text for number in "1234")
    assert "共 4 个提交：上文列出 2 个、本配置用不到 1 个、其余 1 个只列在折叠清单里。" in text
    assert "**CI 与打包 · 1**" in text


def test_commits_of_a_source_without_pages_are_not_linked() -> None:
    pair = run().pair.model_copy(update={"web": None})
    text = render(run(pair=pair, highlights=highlights()))["report.en.md"]
    assert "](http" not in text
    assert "- `222222222` server : skip checkpoints" in text


def test_a_suspect_is_worded_as_one() -> None:
    text = render(OUTCOMES["optional"]())["report.zh-Hans.md"]
    assert "VRAM 的变化可能与此有关：「reset cuda context after reading memory size」" in text
    assert "仅根据改动路径和标题推测，尚未二分定位" in text
    assert "可能" not in render(OUTCOMES["optional-irrelevant"]())["report.zh-Hans.md"].split("<details>")[0]


def test_commands_are_printed_as_they_were_run() -> None:
    text = render(OUTCOMES["optional"]())["report.en.md"]
    assert "cmake --build builds/b9556/bld --target llama-server llama-bench\n" in text
    assert "llama-release-bot run --base b9556 --head b9602 --profile default" in text
    assert "--preset quick" in render(OUTCOMES["quick"]())["report.en.md"]


@pytest.mark.parametrize(
    ("outcome", "told"),
    [("optional", True), ("hold-regression", True), ("base-build-failed", False), ("base-broken", False)],
)
def test_the_way_back_is_named_only_where_there_is_one(outcome: str, told: bool) -> None:
    text = render(OUTCOMES[outcome]())["report.en.md"]
    assert ("To roll back to b9556, use its build and start commands" in text) is told


@pytest.mark.parametrize(("outcome", "language"), list(product(("quick", "demo"), ("en", "zh-Hans"))))
def test_a_run_that_cannot_say_much_says_so(outcome: str, language: str) -> None:
    sentence = {
        ("quick", "en"): "not for a final word",
        ("quick", "zh-Hans"): "不适合下定论",
        ("demo", "en"): "2 shared CPU cores, which cannot show a difference of 3%",
        ("demo", "zh-Hans"): "2 个共享 CPU 核心上运行，这样的机器分辨不出 3% 的差异",
    }
    assert sentence[outcome, language] in render(OUTCOMES[outcome]())[f"report.{language}.md"]


def test_notes_are_told_once_and_unknown_ones_by_their_code() -> None:
    story = tell(OUTCOMES["unstable"]())
    assert [note.code for note in story.notes] == ["launches_invalid"]
    known = OUTCOMES["head-broken"]()
    strange = known.notes[0].model_copy(update={"code": "solar_flare"})
    assert "solar_flare side=head count=2" in render(run(notes=(strange,)))["report.en.md"]


def test_a_note_that_the_builds_show_too_is_told_once() -> None:
    built = tuple(runs.build(side, native=False) for side in ("base", "head"))
    note = Reason(code="native_off")
    text = render(run(builds=built, notes=(note,)))["report.en.md"]
    assert text.count("both sides were built with GGML_NATIVE=OFF") == 1


def test_a_failed_build_is_told_on_a_terminal() -> None:
    lines = build_failure(catalog("en"), runs.failed_build("head")).splitlines()
    assert lines[0] == "b9602 did not build (compile stage)."
    assert lines[1].startswith("Why b9602 failed (code): The compiler refused the code.")
    assert lines[-1].startswith("ggml/src/ggml-cuda/fattn.cu(412): error")
