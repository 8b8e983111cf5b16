"""The catalogs say the same in each language, and the Chinese is typeset as Chinese is."""

import re
from collections.abc import Iterator
from pathlib import Path

import autocorrect_py
import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.runtime.types import fluent_number
from fluent.syntax import ast, parse
from fluent.syntax.visitor import Visitor

from bot.bench.canary import CHECKS
from bot.errors import environment
from bot.isolation import CODES
from bot.records import LaunchStatus
from bot.report.render import render
from bot.report.verdict import GROUPS
from bot.report.words import Catalog, Words, catalog, languages
from bot.resources import templates
from tests.support.outcomes import OUTCOMES

LOCALES = templates() / "locales"
BOT = Path(__file__).parents[2] / "bot"
#: Labels that the users of every language write in Latin letters.
SHARED = re.compile(
    r"^(metric|area|env|fact|unit|evidence|changed-item|list-separator|list-last|clause-separator|sentence-separator|written|quoted|item)\b"
)


class Variables(Visitor):
    """The variables that a message uses."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: ast.VariableReference) -> None:
        self.names.add(node.id.name)


def messages(language: str) -> dict[str, ast.Message]:
    resource = parse((LOCALES / f"{language}.ftl").read_text(encoding="utf-8"))
    return {entry.id.name: entry for entry in resource.body if isinstance(entry, ast.Message)}


def junk(language: str) -> list[str]:
    resource = parse((LOCALES / f"{language}.ftl").read_text(encoding="utf-8"))
    return [entry.content for entry in resource.body if isinstance(entry, ast.Junk)]


def variables(message: ast.Message) -> set[str]:
    visitor = Variables()
    visitor.visit(message)
    return visitor.names


def texts(message: ast.Message, filler: str = "x") -> Iterator[str]:
    """Every text of a message with its variants; `filler` stands for each variable."""
    yield from _texts(message.value, filler)


def _texts(pattern: ast.Pattern | None, filler: str) -> Iterator[str]:
    if pattern is None:
        return
    line = ""
    for element in pattern.elements:
        if isinstance(element, ast.TextElement):
            line += element.value
        elif isinstance(element.expression, ast.SelectExpression):
            for variant in element.expression.variants:
                yield from _texts(variant.value, filler)
            line += filler
        else:
            line += filler
    yield line


@pytest.mark.parametrize("language", languages())
def test_a_catalog_is_sound_and_says_nothing_twice(language: str) -> None:
    assert junk(language) == []
    text = (LOCALES / f"{language}.ftl").read_text(encoding="utf-8")
    keys = re.findall(r"^([a-zA-Z][\w-]*) =", text, re.MULTILINE)
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize("language", languages())
def test_messages_read_one_by_one_are_those_of_the_whole_file(language: str) -> None:
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(FluentResource((LOCALES / f"{language}.ftl").read_text(encoding="utf-8")))
    entries = catalog(language).catalogs[0].entries
    for key, message in messages(language).items():
        words = Words(language, (Catalog(language, entries),))  # nothing was asked for yet
        values = {name: fluent_number(2, useGrouping=False) for name in variables(message)}
        whole = bundle.format_pattern(bundle.get_message(key).value, values)[0]
        assert words.text(key, **dict.fromkeys(values, 2)) == whole, key


@pytest.mark.parametrize("language", languages())
def test_catalogs_have_the_same_messages_with_the_same_variables(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert set(english) == set(other)
    for key, message in english.items():
        assert variables(message) == variables(other[key]), key


def test_chinese_is_chinese() -> None:
    english = messages("en")
    for key, message in messages("zh-Hans").items():
        for said in texts(message):
            text = said.replace("SHA-256", "")
            is_label = SHARED.match(key) and (
                text in list(texts(english[key])) or not re.search("[a-z]{4}", text)
            )
            assert re.search(r"[\u4e00-\u9fff]", text) or is_label or not re.search("[A-Za-wyz]", text), key


def test_chinese_is_typeset_as_chinese() -> None:
    """Whether variables hold Latin words or Chinese ones, one of the two must be right."""
    for key, message in messages("zh-Hans").items():
        for latin, han in zip(texts(message, "x"), texts(message, "某"), strict=True):
            latin, han = latin.removeprefix("x:x: "), han.removeprefix("某:某: ")  # noqa: PLW2901 - file:line
            assert latin == autocorrect_py.format(latin) or han == autocorrect_py.format(han), key


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_chinese_reports_are_typeset_as_chinese(outcome: str) -> None:
    text = render(OUTCOMES[outcome](), languages=("zh-Hans",))["report.md"]
    found = autocorrect_py.lint_for(text, "markdown").lines
    assert [(line.old, line.new) for line in found] == []


@pytest.mark.parametrize("language", languages())
def test_no_bold_stands_in_a_sentence(language: str) -> None:
    """CJK punctuation beside it leaves the asterisks visible; the layout makes things bold."""
    assert not [key for key, item in messages(language).items() if "**" in "".join(texts(item))]


def test_chinese_terms_do_not_collide() -> None:
    """还原 is git's revert, 回滚 a user's downgrade, 性能退化 slower; 变慢 stands only in a legend."""
    for key, message in messages("zh-Hans").items():
        for text in texts(message):
            assert not re.search("性能(回归|回退|无变化)|已证明|时延|首字延迟|降级", text), key
            assert "变慢" not in text or key.startswith("legend-"), key


def codes_in(*folders: str, pattern: str) -> set[str]:
    """What the sources of these rooms name by that pattern."""
    files = (path for folder in folders for path in (BOT / folder).rglob("*.py"))
    return {code for path in files for code in re.findall(pattern, path.read_text(encoding="utf-8"))}


def test_every_code_of_the_record_has_words() -> None:
    words = catalog("zh-Hans")
    reasons = {code for group in GROUPS.values() for code in group} - {"memory"}
    statuses = set(LaunchStatus.__args__) - {"ok"}  # type: ignore[attr-defined]
    invalid = codes_in("bench", pattern=r'"invalid"\] = (?:self\.answer\["invalid"\] or )?"(\w+)"')
    problems = codes_in("bench", pattern=r'^        \("(\w+)", ') | {"cached"}
    invalid |= codes_in("bench", pattern=r'(?:_invalid\(|Guard\(code=|"code": )"(\w+)"(?:,|\))')
    invalid |= codes_in("bench", pattern=r'\n    "(\w+)": _') - set(CHECKS)
    isolation = codes_in(".", pattern=r'reached = \{"(\w+)": True, \*\*boxed') | {*CODES, "environment"}
    wanted = {f"reason-{code}" for code in reasons} | {f"isolation-{code}" for code in isolation}
    wanted |= {f"status-{status}" for status in statuses | invalid | problems}
    assert {"cpu_fallback", "leash", "pstate", "sm_clock", "nvml_lost", "steal"} <= invalid | isolation
    assert {message for message in wanted if not words.has(message)} == set()


def test_every_note_of_a_run_has_its_sentence() -> None:
    """Those that decide are reasons of the verdict; the others stand under the conclusion."""
    found = codes_in("bench", "build", "pipeline", pattern=r'Reason\(code="(\w+)"') | {"demo", "quick"}
    assert {"budget_spent", "native_off", "cut_rounds", "stopped_broken"} <= found
    words = catalog("zh-Hans")
    decisive = {code for group in GROUPS.values() for code in group}
    assert {code for code in found - decisive if not words.has(f"note-{code}")} == set()


def test_a_report_asks_for_no_message_that_does_not_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    real = Words.text

    def text(self: Words, message: str, **args: str | int | float) -> str:
        asked.add(message)
        return real(self, message, **args)

    monkeypatch.setattr(Words, "text", text)
    for make in OUTCOMES.values():
        render(make())
    assert asked - set(messages("en")) == set()
    assert len(asked) > 150


def test_a_third_language_is_one_file_and_falls_back_to_english(tmp_path: Path) -> None:
    (tmp_path / "locales").mkdir()
    (tmp_path / "report.md.j2").write_text((templates() / "report.md.j2").read_text(encoding="utf-8"))
    for name in ("en", "zh-Hans"):
        source = (LOCALES / f"{name}.ftl").read_text(encoding="utf-8")
        (tmp_path / "locales" / f"{name}.ftl").write_text(source, encoding="utf-8")
    (tmp_path / "locales" / "eo.ftl").write_text(
        "language-name = Esperanto\nheading-conclusion = Konkludo\nheadline-same-all = sama rapido\n"
    )
    assert languages(tmp_path) == ("en", "eo", "zh-Hans")
    files = render(OUTCOMES["optional"](), languages=("eo", "zh-Hans", "en"), folder=tmp_path)
    assert list(files) == ["report.md", "report.eo.md", "report.zh-Hans.md", "report.en.md"]
    lines = files["report.md"].splitlines()
    assert lines[0] == "### b9556 → b9602: Optional upgrade here. Sama rapido, 176 MiB more VRAM free"
    assert lines[1:3] == [
        "**可升可不升：速度持平，显存余量多出 176 MiB**",
        "**Optional upgrade here: same speed, 176 MiB more VRAM free**",
    ]
    assert "#### Konkludo" in files["report.eo.md"] and "Same speed" in files["report.eo.md"]


def test_an_unknown_language_speaks_english() -> None:
    assert catalog("tlh").text("heading-conclusion") == "Conclusion"


def test_an_error_is_told_in_the_readers_language() -> None:
    error = environment("cannot-write", path="/x", why="disk full")
    assert catalog("en").error(error).startswith("Cannot write /x: disk full.")
    assert catalog("zh-Hans").error(error).startswith("无法写入 /x：disk full。")


def test_an_error_without_a_sentence_still_says_its_facts() -> None:
    assert catalog("en").error(environment("never-heard", port=8080)) == "never-heard: port=8080"


def test_whole_numbers_are_printed_plainly_and_choose_the_plural() -> None:
    words = catalog("en")
    assert words.text("changes-commits", count=12345) == "12345 commits, listed in the fold below."
    assert words.text("changes-commits", count=1) == "1 commit, listed in the fold below."


def test_no_isolation_characters_enter_the_text() -> None:
    assert "\u2068" not in catalog("en").text("item", label="Decode", change="+1.0%")
