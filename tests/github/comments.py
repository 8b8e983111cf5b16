"""Every kind of comment that the bot writes, in both languages: what is read by a person before it is kept.

`python -m tests.github.comments` writes `tests/github/golden` anew. Read the difference first.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.delivery import wording
from bot.delivery.digest import Digest
from bot.delivery.handover import Plan
from bot.delivery.notice import first_lines, fitted
from bot.github import replies
from bot.github.commands import Choices, Command
from bot.github.events import Place
from bot.github.nearest import understand
from bot.github.replies import Write
from bot.github.wording import FORM_CODES, Estimate, Job, Progress, Voice
from bot.records import Reason, Run
from bot.report.words import catalog
from bot.watch.jobs import Silence
from bot.watch.state import Done, State, Subject
from tests.support.github.places import finished

GOLDEN = Path(__file__).parent / "golden"
VOICE = Voice((catalog("zh-Hans"), catalog("en")))
PLACE = Place(kind="issue", owner="acme", repo="bench", number=12, comment_id=34)
LINE = "/bench b9602 b9556"
LOG = "https://github.com/acme/bench/actions/runs/99"
REPORT = "https://github.com/acme/bench/issues/12#issuecomment-56"
ASKER = "ada"
PAGE = "https://github.com/acme/bench/tree/llama-release-bot/runs/b9602/den-mine-c34-99-1"
IMAGES = "https://github.com/acme/bench/blob/llama-release-bot/runs/b9602/den-mine-c34-99-1/charts"
SHA = "0123456789abcdef0123456789abcdef01234567"
NOW = 1780000000.0


@dataclass(frozen=True)
class Comment:
    """One text; `short` ones stand together in one file. Plain ones are no Markdown: titles, phones."""

    name: str
    text: str
    short: bool = True
    plain: bool = False


def comments() -> list[Comment]:
    """All of them, by name."""
    return [*_progress(), *_ends(), *_answers(), *_refusals(), *_digests(), *_reports(), *_lines()]


def files() -> dict[str, str]:
    """File name -> text."""
    every = comments()
    short = "\n".join(f"## {item.name}\n\n{item.text}\n" for item in every if item.short)
    return {"short.md": short} | {f"{item.name}.md": _frame(item) for item in every if not item.short}


def _frame(comment: Comment) -> str:
    """Of a report what makes it a comment: hidden lines, headlines, pictures, the end. The rest stands in
    `tests/report/golden`."""
    if not comment.name.startswith("report-"):
        return comment.text
    sections, end = comment.text.split("<!-- llama-release-bot:end -->")
    kept = [line for line in sections.split("\n") if line.startswith(("<!--", "### ", "**b", "<picture>"))]
    return "\n".join([*kept, "<!-- llama-release-bot:end -->"]) + end + "\n"


def _progress() -> Iterator[Comment]:
    estimate = Estimate(minutes=50, runs=7)
    states = {
        "accepted": Progress(line=LINE, stage="accepted", log=LOG),
        "accepted, nothing ahead": Progress(line=LINE, stage="accepted", estimate=estimate, log=LOG),
        "accepted, two ahead": Progress(line=LINE, stage="accepted", place=3, estimate=estimate, log=LOG),
        "queued": Progress(line=LINE, stage="queued", place=2, estimate=Estimate(minutes=1, runs=1)),
        "running": Progress(line=LINE, stage="running", log=LOG),
        "building": Progress(line=LINE, stage="building", log=LOG),
        "measuring": Progress(line=LINE, stage="measuring", log=LOG),
        "writing": Progress(line=LINE, stage="writing", log=LOG),
    }
    for name, state in states.items():
        yield Comment(f"progress: {name}", VOICE.progress(state))


def _ends() -> Iterator[Comment]:
    yield Comment("progress: finished", VOICE.finished(LINE, REPORT))
    for code in ("run-failed", "run-cancelled", "run-timeout", "run-lost", "post-failed"):
        yield Comment(f"progress: {code}", VOICE.failed(LINE, Reason(code=code), LOG))


def _answers() -> Iterator[Comment]:
    yield Comment("help", VOICE.help())
    yield Comment("status: nothing", VOICE.status([]))
    den = "den · mine · b9556..b9602"
    jobs = [
        Job(id="97", line=f"/bench @ 12 · {den}", stage="running", log=LOG),
        Job(id="96", line="/bench @ 14", stage="accepted", log=LOG),
        Job(id="95", line="/bench @ 13", stage="writing", log=LOG),
        Job(id="98", line=f"watch · {den}", stage="queued", place=2, log=LOG),
        Job(id="99", line=f"/bench @ 12 · {den}", stage="queued", place=3, log=LOG),
    ]
    yield Comment("status", VOICE.status(jobs))
    for code, args in (
        ("cancelled", {"id": "98"}),
        ("retried", {"id": "98"}),
        ("unknown-id", {"id": "97"}),
        ("nothing-to-cancel", {}),
        ("nothing-to-retry", {}),
        ("several-runs", {"ids": "98, 99"}),
    ):
        yield Comment(f"answer: {code}", VOICE.answered(Reason(code=code, args=dict(args))))


def _refusals() -> Iterator[Comment]:
    for body in ("stauts", "b9602 b9556 b9500", "deadbeef", "b1..", "profile=mine profile=mine", "@all <b>"):
        yield Comment(f"refusal: {body}", _text(understand(f"/bench {body}", Choices())))
    for code in sorted(FORM_CODES):
        yield Comment(f"refusal: {code}", _text(_refused(code, found="x", nearest="/bench status")))
    for code in ("unknown-tag", "unknown-profile", "unknown-preset", "unknown-machine"):
        yield Comment(f"refusal: {code}", _text(_refused(code, found="b9601")))
    for code in sorted(replies.DENIALS - {"not-permitted"}):
        yield Comment(f"refusal: {code}", _text(_refused(code, sha=SHA)))
    for allow in ("write", "maintain", "admin", "listed"):
        args = {"allow": allow, "users": "grace", "teams": "acme/bench", "login": ASKER}
        yield Comment(f"refusal: not permitted, {allow}", _text(_refused("not-permitted", **args)))


def _digests() -> Iterator[Comment]:
    den = Subject(machine="den", profile="mine")
    pair = {"base": "b9556", "base_sha": "1" * 40, "head": "b9602", "head_sha": "2" * 40}
    done = [
        Done(job="1", subject=den, **pair, at=NOW - 9000, verdict="upgrade", posts=(REPORT,)),
        Done(job="2", subject=den, **{**pair, "head": SHA}, at=NOW - 8000, verdict="unknown"),
        Done(job="3", subject=den, **pair, at=NOW - 7000),
    ]
    silences = tuple(
        Silence(subject=den, code=f"watch-{code}", base="b9602", head="b9700", commits=3)
        for code in ("seen", "young", "early", "few", "quiet", "capped")
    )
    for name, state, plan in (
        ("digest", State(done=tuple(done)), Plan(kind="watch", silences=silences)),
        ("digest-empty", State(), Plan(kind="watch")),
    ):
        yield Comment(name, Digest(plan, state, NOW).text(VOICE.languages), short=False)


def _reports() -> Iterator[Comment]:
    news, quiet = finished("upgrade"), _profile(finished("optional"), "small")
    asked = wording.body([news], None, ASKER, PAGE, {news.id: IMAGES})
    yield Comment("report-asked", asked, short=False)
    both = wording.body([news, quiet], None, None, PAGE, {news.id: IMAGES})
    yield Comment("report-of-two-profiles", both, short=False)
    renewed = wording.body([_profile(finished("hold-regression"), "small")], both, None, PAGE)
    yield Comment("report-renewed", renewed, short=False)


def _lines() -> Iterator[Comment]:
    for outcome in ("upgrade", "hold-regression", "head-build-failed", "cannot-tell", "self-test-passed"):
        run = finished(outcome)
        yield Comment(f"title: {outcome}", wording.title([run]), plain=True)
        yield Comment(f"phone: {outcome}", fitted(first_lines(run), REPORT, 2048), plain=True)
    several = [finished("upgrade"), _profile(finished("optional"), "small")]
    yield Comment("title: several", wording.title(several), plain=True)


def _profile(run: Run, name: str) -> Run:
    profile = run.profile.model_copy(update={"name": name})
    return run.model_copy(update={"profile": profile, "id": f"{run.id}-{name}"})


def _refused(code: str, **args: str) -> Command:
    return Command(action="refuse", reason=Reason(code=code, args=dict(args)))


def _text(command: Command) -> str:
    (found,) = (act.text for act in replies.refuse(VOICE, command, PLACE) if isinstance(act, Write))
    return found


def main() -> None:
    """Write them all, and remove what is not made any more."""
    wanted = files()
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (GOLDEN / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
