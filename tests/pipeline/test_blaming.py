"""A build that fails on head alone: the report names the commits that touched the file of the error."""

import pytest

from bot.pipeline.blaming import blamed
from bot.records import BuildFailure, Changes, Commit, FileChange, Highlights, Run
from bot.report.render import render
from bot.report.verdict import conclude
from tests.support import runs

FAILURE = BuildFailure(
    stage="compile",
    kind="code",
    cause="compile-error",
    excerpt="../src/ggml/src/ggml-cuda/argmax.cu(57): error: x",
    tail="",
)
GUILTY = Commit(
    sha="a1" * 20,
    subject="cuda : faster argmax (#4711)",
    pr=4711,
    files=(FileChange(path="ggml/src/ggml-cuda/argmax.cu"),),
)
OTHER = Commit(sha="b2" * 20, subject="docs", files=(FileChange(path="README.md"),))


def failed(*sides: str) -> Run:
    builds = tuple(
        runs.failed_build(side, failure=FAILURE) if side in sides else runs.build(side)
        for side in ("base", "head")
    )
    run = runs.unmeasured(builds=builds, changes=Changes(source="commits", commits=(OTHER, GUILTY)))
    suspects = blamed(run, run.changes.commits if run.changes else ())
    return run.model_copy(update={"highlights": Highlights(suspects=suspects)})


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "The error stands in a file that was changed by"), ("zh-Hans", "报错的文件在这段范围内被改动过")],
)
def test_the_report_names_the_commit_that_touched_the_file(language: str, said: str) -> None:
    run = failed("head")
    text = render(run.model_copy(update={"verdict": conclude(run)}), languages=(language,))["report.md"]
    line = next(line for line in text.splitlines() if said in line)
    assert "faster argmax" in line
    assert "4711" in line


def test_nothing_is_blamed_where_the_base_failed_too() -> None:
    assert blamed(failed("base", "head"), (GUILTY,)) == {}
    assert blamed(failed("base"), (GUILTY,)) == {}
    assert blamed(failed(), (GUILTY,)) == {}
