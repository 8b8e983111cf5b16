"""A day of looks every five minutes, counted at GitHub: an idle one costs nothing, a second look little."""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.console import Console

from bot import store
from bot.config import Settings
from bot.config.github import GithubConfig
from bot.config.models import ProfileConfig, UpstreamConfig
from bot.config.watch import Every, MachineEntry, WatchConfig
from bot.delivery.actions import Workflow
from bot.delivery.aftermath import MOST_AGAIN, with_aftermath
from bot.delivery.finishing import Finish
from bot.delivery.posting import Poster
from bot.delivery.watching import STATE, Watcher, read_state
from bot.github.state import StateFolder
from bot.github.targets import parse
from bot.progress import Reporter
from bot.records import Run, Tag
from bot.report.words import catalog
from bot.watch.state import DAY_S, WEEK_S, Done, Posted, State, Subject
from tests.support.github.llama import UPSTREAM, add_upstream, report
from tests.support.github.places import REPO, TOKEN, finished
from tests.support.github.server import Github
from tests.support.repository import FakeUpstream

LOOKS = 288
FOLDER = "runs/b9602/den-mine-w1-1"
TARGET = f"issue:{REPO}#1"


@dataclass
class Day:
    """The watch of one repository, with a report of an upgrade that was posted when it began."""

    github: Github
    folder: Path
    upstream: FakeUpstream
    run: Run
    began: float
    keeper: StateFolder = field(init=False)

    def __post_init__(self) -> None:
        self.keeper = StateFolder(self.folder / "state")
        self.settings = Settings(
            cache=self.folder / "cache",
            languages=("en",),
            profiles={"mine": ProfileConfig(model=Path("m.gguf"))},
            github=GithubConfig(api_url=self.github.url),
            upstream=UpstreamConfig(url=self.upstream.url, issues=UPSTREAM),
            watch=WatchConfig(
                every=Every(), targets=(TARGET,), digest=False, machines={"den": MachineEntry()}
            ),
        )

    def look(self) -> bool:
        """One scheduled look, as the workflow does it: the gate, then the post job where there is work."""
        said = Reporter(catalog("en").text, Console(file=io.StringIO()))
        watcher = Watcher(self.settings, said, self.keeper, "w2", self.github.clock)
        plan = with_aftermath(watcher.plan(), watcher)
        if plan.has_work:
            environ = {
                "GITHUB_REPOSITORY": REPO,
                "GITHUB_RUN_ID": "7",
                "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            }
            workflow = Workflow(environ)
            finish = Finish(
                self.settings,
                plan,
                self.folder / "artifacts",
                "skipped",
                workflow,
                said,
                self.keeper,
                self.github.clock,
            )
            assert finish.do() == []
        return plan.has_work

    def pass_by(self) -> int:
        """A day; how many looks found work."""
        worked = 0
        for _ in range(LOOKS):
            worked += self.look()
            self.github.world.now += DAY_S / LOOKS
        return worked


@pytest.fixture
def day(
    github: Github, tmp_path: Path, poster: Callable[..., Poster], monkeypatch: pytest.MonkeyPatch
) -> Day:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    upstream = FakeUpstream(tmp_path / "upstream")
    shas = upstream.line("b9556", "b9602")
    add_upstream(github.world, *shas.values())
    github.world.now = 1_796_000_000.0
    run = finished("upgrade")
    ends = {
        side: Tag(name=name, sha=shas[name], number=int(name[1:]))
        for side, name in (("base", "b9556"), ("head", "b9602"))
    }
    run = run.model_copy(update={"pair": run.pair.model_copy(update=ends)})
    made = Day(github, tmp_path, upstream, run, github.world.now)
    poster().post([run], [parse(TARGET)])
    remember(made, shas)
    github.calls.clear()
    return made


def remember(made: Day, shas: dict[str, str]) -> None:
    """What the post job wrote when it posted."""
    pair = {"base_sha": shas["b9556"], "head": "b9602", "head_sha": shas["b9602"]}
    done = Done(
        job="w1-1",
        subject=Subject(machine="den", profile="mine"),
        base="b9556",
        at=made.began,
        measured=True,
        verdict="upgrade",
        path=FOLDER,
        **pair,
    )
    posted = Posted(key="w1-1", at=made.began, targets=(TARGET,), records=(FOLDER,), **pair)
    state = State(tags=shas, done=(done,), posted=(posted,))
    path = made.folder / "state"
    store.write_text(path / STATE, state.model_dump_json())
    store.save(path / FOLDER / "run.json", made.run)


def test_an_idle_day_of_looks_costs_no_request(day: Day) -> None:
    assert day.pass_by() == 0
    assert day.github.calls == []


def test_the_day_of_the_second_look_costs_three_requests_and_the_next_look_none(day: Day) -> None:
    report(day.github.world.repos[UPSTREAM], 27001, "crash since b9602")
    day.github.world.now = day.began + WEEK_S - DAY_S / 2
    assert day.pass_by() == 1
    asked = [f"{call.method} {call.path}" for call in day.github.calls]
    comment = day.github.world.repos[REPO].issues[1].comments[0]
    assert asked == [
        f"GET /repos/{UPSTREAM}/issues",
        "POST /graphql",
        f"PATCH /repos/{REPO}/issues/comments/{comment.id}",
    ]
    assert [call.write for call in day.github.calls] == [False, False, True]
    assert len(day.github.world.repos[REPO].issues[1].comments) == 1
    assert "27001" in comment.body
    assert read_state(day.keeper.read(STATE)).posted == ()


def test_many_due_reports_are_spread_over_looks_and_none_is_left_out(day: Day) -> None:
    state = read_state(day.keeper.read(STATE))
    (one,) = state.posted
    keys = [f"w1-{number}" for number in range(2 * MOST_AGAIN + 1)]
    many = state.model_copy(update={"posted": tuple(one.model_copy(update={"key": key}) for key in keys)})
    store.write_text(day.folder / "state" / STATE, many.model_dump_json())
    day.github.world.now = day.began + WEEK_S
    left = []
    while day.look():
        left.append(len(read_state(day.keeper.read(STATE)).posted))
    assert left == [MOST_AGAIN + 1, 1, 0]
