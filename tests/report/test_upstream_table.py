"""llama-bench's own table: upstream's Markdown, aligned, and whole in the report."""

from markdown_it import MarkdownIt

from bot.records import Evidence
from bot.report.render import render
from bot.report.upstream_table import tables
from tests.support.opted import OPTED, llama_bench


def test_each_side_has_a_table_with_its_build_below() -> None:
    base, head = tables(llama_bench())
    heading, rule, first, *_ = base.splitlines()
    assert heading.startswith("| model                    |      size |  params | backend | ngl | fa |  ")
    assert rule.startswith("| ------------------------ | --------: | ------: | ------- | --: | -: |")
    assert first.startswith("| qwen35 27B Q4_K - Medium | 15.65 GiB | 27.10 B | CUDA    |  50 |  1 |  ")
    assert first.endswith(" pp512 | 1204.31 ± 3.12 |")
    assert base.endswith("\n\nbuild: 0fac87b (9556)")
    assert "1211.08 ± 2.74" in head
    assert len({len(line) for line in head.splitlines()[:-2]}) == 1  # a contributor reads it as plain text


def test_pasted_into_a_comment_it_is_a_table() -> None:
    page = MarkdownIt("commonmark").enable("table").render(next(iter(tables(llama_bench()))))
    assert page.count("<tr>") == 7
    assert '<th style="text-align:right">t/s</th>' in page


def test_a_side_without_any_case_has_no_table_and_a_case_that_failed_no_row() -> None:
    item = llama_bench()
    half = item.measures[0].model_copy(update={"head": None, "head_error": None})
    one = item.model_copy(update={"measures": (half,)})
    assert len(list(tables(one))) == 1
    two = item.model_copy(update={"measures": (half, item.measures[1])})
    assert ["pp512" in table for table in tables(two)] == [True, False]
    assert list(tables(Evidence(kind="load"))) == []


def test_the_table_stands_in_the_fold_as_it_is() -> None:
    report = render(OPTED["optional-more-evidence"](), languages=("en",))["report.md"]
    fold = report[report.index("More evidence") :]
    assert f"```text\n{next(iter(tables(llama_bench())))}\n```" in fold
