"""Outside text says what it said and does nothing; a broken report is noticed."""

import random
import re
import time
from collections.abc import Callable
from html import unescape

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st

from bot.records import Changes, Commit, Highlight, Highlights, Suspect
from bot.report.budget import Block, fit
from bot.report.markdown import BUDGET, check, clean, code, escape, fence, link
from bot.report.render import document, render
from bot.report.speech import Speech
from bot.report.story import tell
from bot.report.words import catalog
from tests.support.outcomes import OUTCOMES
from tests.support.runs import CRASH, WEB, comparison, comparisons, profile, rounds, run, unmeasured

SLOWER = comparison("decode", "coding", -0.05, "regression")

HOSTILE = [
    "**bold** _em_ ~~gone~~ `code` [x](https://evil.example) ![i](https://evil.example/i.png)",
    "<script>alert(1)</script><img src=x onerror=y></details><!-- ",
    "fix @ggerganov, @org/team and a@b.com in #123, GH-77, ggml-org/llama.cpp#9",
    "see https://github.com/ggml-org/llama.cpp/pull/1 www.evil.example mailto:a@b.com ftp://x.example",
    "right-to-left \u202eevil\u202c \u2066x\u2069 zero\u200bwidth bell\x07 nul\x00 \ud800",
    "{{ 7*7 }} {% include '/etc/passwd' %} ${HOME} $x^2$ :smile:",
    "a | b || c \\| d \\",
    "``` fence\n```\n# heading\n- item\n> quote\n1. one\n---\n===",
    "&#64;user &commat;user &lt;b&gt; &amp; &copy;",
    "x" * 10_000,
    "| --- | --- |",
    "",
    "**性能提升：**快了 「x」**y**",
]


def html(text: str) -> str:
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_HARDBREAKS
    return cmarkgfm.github_flavored_markdown_to_html(text, options=options)


def words(text: str) -> str:
    """What a reader sees."""
    return unescape(re.sub(r"<[^>]*>", "", text)).replace("\u200b", "").strip()


def expected(text: str, longest: int = 200) -> str:
    line = re.sub(r"\s+", " ", clean(text)).strip()
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def is_quiet(rendered: str) -> bool:
    """No markup but code spans, no live mention, reference or address."""
    shown = re.sub(r"<code>.*?</code>", "", rendered, flags=re.DOTALL)
    tags = set(re.findall(r"</?(\w+)", shown))
    text = unescape(re.sub(r"<[^>]*>", "", shown))
    return tags <= {"p"} and not re.search(r"(?<!\w)@\w|#\d|(?i:gh)-\d|\w://|www\.\w", text)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_quiet_and_still_readable(text: str) -> None:
    rendered = html("x " + escape(text))
    assert is_quiet(rendered)
    seen = re.sub(r"\s+", " ", words(rendered)).removeprefix("x").strip()
    assert seen == re.sub(r"`([^`|\\]+)`", r"\1", expected(text)) or "`" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_table_cell(text: str) -> None:
    rendered = html(f"| a | b |\n|:--|:--|\n| {escape(text)} | {code(text, cell=True)} |\n")
    assert rendered.count("<td") == 2
    assert "<script" not in rendered and "<img" not in rendered


@given(st.text(max_size=300))
def test_any_text_is_quiet(text: str) -> None:
    assert is_quiet(html("x " + escape(text)))
    assert check("x " + escape(text)) == []


@given(st.text(max_size=300))
def test_a_code_span_shows_any_text(text: str) -> None:
    shown = re.sub(r"\s+", " ", clean(text)).strip()
    if shown:
        assert html(f"x {code(text)} y").strip().count("<code>") == 1
        assert words(html(f"x {code(text)} y")) == unescape(f"x {shown} y".replace("&", "&amp;"))


@given(st.text(alphabet="`~\n<>/details #|-ab", max_size=200))
def test_nothing_breaks_out_of_a_fence(text: str) -> None:
    rendered = html(f"<details>\n\n{fence(text)}\n\nafter\n\n</details>")
    assert rendered.count("<pre") == 1
    assert "<p>after</p>" in rendered


def test_links_leave_no_trace_upstream() -> None:
    assert link("#1", f"{WEB}/pull/1") == "[#1](https://redirect.github.com/ggml-org/llama.cpp/pull/1)"


def test_an_address_cannot_end_its_link() -> None:
    assert html(link("x", "https://a.example/p)(b) <c>")).count("<a ") == 1


def test_a_pair_of_backticks_stays_a_code_span() -> None:
    assert escape("skip beyond `pos_next`") == "skip beyond `pos_next`"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("| a | b |\n|:--|\n| 1 | 2 |", "table"),
        ("text\n\n| a | b |\n|:--|:--|\n| 1 | 2 | 3 |", "table"),
        ("<details><summary>x</summary>\n\ny", "details"),
        ("</details>", "details"),
        ("```text\nleft open", "fence"),
        ("ask @ggerganov", "mention"),
        ("fixes #123", "reference"),
        ("结果**“显著”**变好", "bold"),
        ("[x](https://github.com/ggml-org/llama.cpp/pull/1)", "link"),
        ("at https://example.com", "address"),
        ("a\u202eb", "character"),
        ("x" * (BUDGET + 1), "size"),
    ],
)
def test_check_finds(text: str, problem: str) -> None:
    assert [found.partition(":")[0] for found in check(text)][:1] == [problem]


def test_check_accepts_what_is_fine() -> None:
    assert check("| a | b |\n|:--|--:|\n| 1 \\| 2 | `x` |\n\n```text\n@x #1 **\n```\n\n`@x #1`") == []


def test_over_budget_whole_blocks_go_in_order_and_are_named() -> None:
    blocks = [
        Block("headline", "h"),
        Block("launches", "L" * 50),
        Block("commits", "C" * 50),
        Block("footer", "f"),
    ]
    text, dropped = fit(blocks, lambda names: f"left out: {', '.join(names)}", budget=90)
    assert dropped == ("launches",)
    assert text == "h\n\n" + "C" * 50 + "\n\nleft out: launches\n\nf\n"
    assert fit(blocks, lambda names: "x", budget=10)[1] == ("launches", "commits")


def test_a_block_that_would_not_render_is_left_out_and_named() -> None:
    blocks = [Block("headline", "h"), Block("commits", "<details>"), Block("footer", "f")]
    assert fit(blocks, lambda names: "named: " + names[0])[0] == "h\n\nnamed: commits\n\nf\n"


def test_a_report_of_thousands_of_commits_fits_and_says_what_is_missing() -> None:
    many = tuple(Commit(sha=f"{n:040x}", subject="server : fix the slot " * 8, pr=n) for n in range(1, 2000))
    files = render(run(changes=Changes(source="commits", commits=many)))
    assert all(len(text) <= BUDGET and check(text) == [] for text in files.values())
    assert "Left out for length: all commits. All of it is in run.json." in files["report.en.md"]
    assert "略去：全部提交。这些内容都在 run.json 里。" in files["report.zh-Hans.md"]
    assert "All 12 launches" in files["report.en.md"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_report_full_of_hostile_text_is_sound(text: str) -> None:
    commits = Changes(source="commits", commits=(Commit(sha="1" * 40, subject=text, pr=7),))
    crash = CRASH | {"detail": text, "log_tail": text}
    flags = ("-m", text) if text else ()
    for item in (
        run(changes=commits, profile=profile(flags=flags, name=text or "x")),
        unmeasured(rounds=rounds(1, head=crash), changes=commits),
    ):
        for name, rendered in render(item).items():
            assert check(rendered) == [], name
            assert rendered.count("<details>") == html(rendered).count("<details>")


def hostile_range(count: int, seed: int = 5) -> tuple[Changes, Highlights]:
    """That many commits with hostile subjects, told in every way that a report tells them."""
    chance = random.Random(seed)
    commits = tuple(
        Commit(sha=f"{number:040x}", subject=chance.choice(HOSTILE)[:10_000] or "x", pr=number or None)
        for number in range(count)
    )
    lines = tuple(
        Highlight(
            sha=item.sha,
            pr=item.pr,
            area="cuda",
            type="bugfix",
            severity="crash" if place == 0 else None,
            applies=("yes", "unknown", "no")[place % 3],
            text=item.subject,
            texts={"zh-Hans": item.subject} if place % 2 else {},
            score=1.0,
        )
        for place, item in enumerate(commits[:9])
    )
    suspect = Suspect(sha="f" * 40, area="cuda", text=HOSTILE[1] + HOSTILE[2], reasons=(), score=1.0)
    found = Highlights(
        items=lines,
        accounted={"shown": 6, "not-applicable": 3, "backend": count - 9},
        reasons={item.sha: "backend" for item in commits},
        suspects={"vram": (suspect,), "decode": (suspect,)},
    )
    return Changes(source="commits", commits=commits), found


@pytest.mark.parametrize("count", [60, 500])
def test_five_hundred_hostile_commits_stay_quiet_and_within_the_budget(count: int) -> None:
    changes, found = hostile_range(count)
    item = run(changes=changes, highlights=found, comparisons=comparisons(decode_coding=SLOWER))
    for name, text in render(item).items():
        assert len(text) <= BUDGET and check(text) == [], name
        rendered = html(text)
        shown = unescape(re.sub(r"<[^>]*>", "", re.sub(r"<(pre|code)\b.*?</\1>", "", rendered, flags=re.S)))
        assert not re.search(r"(?<![\w`])@\w|(?<!\[)(?<!\w)#\d(?!\d*\W)", shown), name
        assert rendered.count("<details>") == rendered.count("</details>") == text.count("<details>")
        assert not re.search(r"<(script|iframe|style)\b", rendered)
        pictures = set(re.findall(r'<img src="([^"]*)"', rendered))
        assert pictures == (set() if name == "report.md" else {"charts/rounds.svg"})
        assert rendered.count("<img") == len(pictures)
        hosts = set(re.findall(r'href="https?://([^/"]+)', rendered))
        assert hosts == {"redirect.github.com"}, name
        assert f"{count} " in text


def test_a_report_of_five_hundred_commits_is_rendered_in_a_fifth_of_a_second() -> None:
    changes, found = hostile_range(500)
    item = run(changes=changes, highlights=found)
    story, words = tell(item), (catalog("zh-Hans"), catalog("en"))
    document(Speech(story, words))
    best = min(_seconds(lambda: document(Speech(tell(item), words))) for _ in range(3))
    assert best < 0.2


def _seconds(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_nothing_of_the_markup_is_left_in_what_a_reader_sees(outcome: str) -> None:
    for text in render(OUTCOMES[outcome]()).values():
        shown = re.sub(r"<(pre|code)\b.*?</\1>", "", html(text), flags=re.DOTALL)
        assert "**" not in shown
        assert html(text).count("<table>") == len(re.findall(r"^\|[:-]", text, re.MULTILINE))
