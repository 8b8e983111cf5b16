"""What answers a command: reactions, texts in both languages, and in which order."""

import re

import cmarkgfm
import pytest

from bot.github import replies
from bot.github.commands import Choices, Command, parse
from bot.github.events import Place, read
from bot.github.marker import Marker
from bot.github.nearest import understand
from bot.github.replies import Act, Minimise, React, Write
from bot.github.wording import FORM_CODES, Estimate, Job, Progress, Stage, Voice, estimate
from bot.records import Reason
from bot.report.words import catalog
from tests.support.comment_events import comment_event
from tests.support.hostile_comments import ARGUMENTS

VOICE = Voice((catalog("zh-Hans"), catalog("en")))
PLACE = Place(kind="issue", owner="acme", repo="bench", number=12, comment_id=34)
SHA = "0123456789abcdef0123456789abcdef01234567"
LOG = "https://github.com/acme/bench/actions/runs/99"
REPORT = "https://github.com/acme/bench/issues/12#issuecomment-56"
LINE = "/bench b9602 b9556"


def refused(code: str, **args: str) -> tuple[Act, ...]:
    return replies.refuse(VOICE, Command(action="refuse", reason=Reason(code=code, args=dict(args))), PLACE)


def text(acts: tuple[Act, ...]) -> str:
    (found,) = (act.text for act in acts if isinstance(act, Write))
    return found


def not_permitted(login: str = "ada", **policy: object) -> tuple[Act, ...]:
    args = {"allow": "write", "users": "", "teams": "", "login": login, **policy}
    return refused("not-permitted", **{name: str(value) for name, value in args.items()})


def test_the_first_write_is_a_reaction_and_nothing_else() -> None:
    assert replies.acknowledge() == (React(content="eyes"),)


def test_a_line_that_was_not_understood_is_answered_with_the_nearest_and_the_forms() -> None:
    command = understand("/bench stauts", Choices())
    reaction, answer = replies.refuse(VOICE, command, PLACE)
    assert reaction == React(content="confused")
    assert isinstance(answer, Write) and (answer.key, answer.mode) == ("answer:34", "once")
    assert answer.text.splitlines()[:5] == [
        "`stauts` 既不是发布标签，也不是命令。",
        "`stauts` is neither a release tag nor a command.",
        "",
        "是不是想写 `/bench status`？",
        "Did you mean `/bench status`?",
    ]
    assert "```text\n/bench [HEAD [BASE]]" in answer.text


def test_who_may_not_ask_is_told_once_who_can_and_how() -> None:
    first = not_permitted("Ada", allow="maintain", users="grace", teams="acme/bench")
    assert first[0] == React(content="-1")
    said = text(first).splitlines()
    assert said[0] == "@Ada" and "`grace`、`acme/bench`" in said[2]
    assert said[3] == (
        "Only people who maintain this repository can start a benchmark. "
        "Also allowed: `grace`, `acme/bench`. Ask one of them to comment the same line; "
        "whom it admits is set under `github.commands` in the configuration."
    )
    keys = {act.key for login in ("ada", "ADA") for act in not_permitted(login) if isinstance(act, Write)}
    assert len(keys) == 1 and not any(key.partition(":")[2] == "34" for key in keys)
    assert keys.isdisjoint(act.key for act in not_permitted("bob") if isinstance(act, Write))
    assert all(act.mode == "once" for act in first if isinstance(act, Write))


@pytest.mark.parametrize("allow", ["write", "maintain", "admin", "listed"])
def test_each_level_has_its_own_sentence(allow: str) -> None:
    others = {text(not_permitted(allow=other)) for other in ("write", "maintain", "admin", "listed")}
    assert len(others) == 4 and text(not_permitted(allow=allow)) in others


def test_untrusted_code_is_denied_and_the_answer_names_the_commit() -> None:
    for code in replies.DENIALS - {"not-permitted"}:
        acts = refused(code, sha=SHA)
        assert acts[0] == React(content="-1") and f"`{SHA[:12]}`" in text(acts), code


def test_the_progress_comment_is_one_that_is_edited() -> None:
    states: list[tuple[Stage, int | None]] = [("accepted", None), ("queued", 2), ("building", None)]
    texts = []
    for stage, place in states:
        state = Progress(line=LINE, stage=stage, place=place, estimate=Estimate(minutes=50, runs=7), log=LOG)
        (act,) = replies.progress(VOICE, state, PLACE)
        assert isinstance(act, Write) and (act.key, act.mode) == ("progress:34", "replace")
        texts.append(act.text)
    log = "https://redirect.github.com/acme/bench/actions/runs/99"
    assert texts[1].splitlines() == [
        "`/bench b9602 b9556`",
        "",
        f"排队中，在这台机器上排第 2 位。大约 50 分钟后出报告，按以往 7 次运行估算。[日志]({log})",
        "Waiting, place 2 in the queue of its machine. "
        f"Report in about 50 min, going by 7 earlier runs. [Log]({log})",
    ]
    assert len(set(texts)) == 3


def test_without_history_no_time_is_promised() -> None:
    (act,) = replies.progress(VOICE, Progress(line=LINE, stage="accepted"), PLACE)
    assert isinstance(act, Write)
    assert act.text.splitlines() == ["`/bench b9602 b9556`", "", "已接受。", "Accepted."]


def test_an_estimate_is_the_median_of_own_history_for_each_run_ahead() -> None:
    assert estimate([]) is None
    assert estimate([1800, 1860, 9000]) == Estimate(minutes=31, runs=3)
    assert estimate([1800, 1860, 9000], ahead=2) == Estimate(minutes=93, runs=3)
    assert estimate([1800, 1860, 9000], ahead=1, begun_s=[60, 9000]) == Estimate(minutes=92, runs=3)
    assert estimate([2.0]) == Estimate(minutes=1, runs=1)


def test_the_end_shrinks_the_progress_minimises_older_reports_and_cheers_last() -> None:
    shrunk, minimised, reaction = replies.finish(VOICE, LINE, REPORT, PLACE)
    assert shrunk == Write(
        key="progress:34",
        mode="replace",
        text="`/bench b9602 b9556`: "
        "[报告](https://redirect.github.com/acme/bench/issues/12#issuecomment-56) · "
        "[Report](https://redirect.github.com/acme/bench/issues/12#issuecomment-56)",
    )
    assert minimised == Minimise(keep=34)
    assert reaction == React(content="rocket")


@pytest.mark.parametrize("code", ["run-failed", "run-cancelled", "run-timeout", "run-lost", "post-failed"])
def test_a_failure_says_why_and_where_to_look(code: str) -> None:
    written, reaction = replies.fail(VOICE, LINE, Reason(code=code), PLACE, LOG)
    assert isinstance(written, Write) and (written.key, written.mode) == ("progress:34", "replace")
    assert "actions/runs/99" in written.text and code not in written.text
    assert reaction == React(content="-1" if code == "run-cancelled" else "confused")


def test_status_lists_what_runs_and_what_waits() -> None:
    jobs = [
        Job(id="98", line=LINE, stage="measuring", log=LOG),
        Job(id="99", line="/bench", stage="queued", place=1),
    ]
    assert text(replies.status(VOICE, jobs, PLACE)).splitlines() == [
        "- `98` `/bench b9602 b9556`: 正在测量。 · Measuring. "
        "[日志](https://redirect.github.com/acme/bench/actions/runs/99)",
        "- `99` `/bench`: 排队中，在这台机器上排第 1 位。 · Waiting, place 1 in the queue of its machine.",
    ]
    assert (
        text(replies.status(VOICE, [], PLACE)).splitlines()[1] == "Nothing is running and nothing is waiting."
    )


@pytest.mark.parametrize(
    ("code", "args", "content"),
    [
        ("cancelled", {"id": "98"}, "rocket"),
        ("retried", {"id": "98"}, "rocket"),
        ("unknown-id", {"id": "97"}, "confused"),
        ("nothing-to-cancel", {}, "confused"),
        ("nothing-to-retry", {}, "confused"),
        ("several-runs", {"ids": "98, 99"}, "confused"),
    ],
)
def test_cancel_and_retry_are_answered(code: str, args: dict[str, str | int | float], content: str) -> None:
    acts = replies.answer(VOICE, Reason(code=code, args=args), PLACE)
    assert acts[1:] == (React(content=content),)
    assert all(f"`{value}`" in text(acts) for value in args.values())


def all_texts() -> dict[str, str]:
    """Every text that the bot can write here, by what it says."""
    texts = {f"argument {item!a}": text(_answer(f"/bench {item}")) for item in ARGUMENTS}
    texts |= {code: text(refused(code, found="x", nearest="/bench status")) for code in FORM_CODES}
    texts |= {code: text(refused(code, sha=SHA)) for code in replies.DENIALS - {"not-permitted"}}
    names = [f"unknown-{name}" for name in ("tag", "profile", "preset", "machine")]
    texts |= {code: text(refused(code, found="x")) for code in names}
    texts["not-permitted"] = text(not_permitted(users="grace", teams="acme/bench"))
    texts["help"] = text(replies.help_text(VOICE, PLACE))
    texts["idle"] = text(replies.status(VOICE, [], PLACE))
    for stage in ("accepted", "queued", "running", "building", "measuring", "writing"):
        job = Job(id="98", line="/bench", stage=stage, place=1, log=LOG)
        texts[f"job {stage}"] = text(replies.status(VOICE, [job], PLACE))
        texts[f"progress {stage}"] = VOICE.progress(Progress(line="/bench", stage=stage, place=1, log=LOG))
    texts["finished"] = VOICE.finished(LINE, REPORT)
    return texts


def _answer(body: str) -> tuple[Act, ...]:
    return replies.refuse(VOICE, understand(body, Choices()), PLACE)


def test_no_text_is_a_command_to_the_bot_itself() -> None:
    for name, said in all_texts().items():
        assert parse(said).action == "ignore", name
        assert isinstance(read(comment_event(Marker("x").put(said))), Reason), name


def test_every_text_says_what_it_says_in_both_languages_and_leaves_no_trace_elsewhere() -> None:
    for name, said in all_texts().items():
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", said, flags=re.DOTALL)
        assert not re.search(r"command-[a-z]|[{}]|\$", prose), name
        assert re.search(r"[\u4e00-\u9fff]", prose) and re.search(r"[A-Z][a-z]+|[a-z]{3}", prose), name
        assert "**" not in prose and not re.search(r"#\d", re.sub(r"\(https\S*\)", "", prose)), name
        assert set(re.findall(r"@\w+", prose)) <= {"@ada"}, name
        assert not re.search(r"https://(?!redirect\.)", prose), name
        html = cmarkgfm.github_flavored_markdown_to_html(said)  # type: ignore[no-untyped-call]
        assert html.count("<pre") == said.count("```") // 2, name


def test_what_a_stranger_wrote_does_not_come_back() -> None:
    for hostile in (
        "@everyone",
        "<img src=x>",
        "#1",
        "[x](http://evil)",
        "b1;reboot",
        "\u202eb9602",
        "`@all`",
    ):
        said = text(_answer(f"/bench {hostile}"))
        assert hostile.strip("`") not in said
