"""Markdown that stays what it is: outside text escaped, links without backlinks, the result parsed again."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

#: GitHub refuses 65,536; other places are smaller in bytes (docs/architecture.md).
BUDGET = 60_000
#: A commit subject longer than this is not read.
_LONGEST = 200

#: Controls but newline and tab, bidirectional controls, invisible marks, line separators, lone surrogates.
_HOSTILE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
#: An invisible character that GitHub's autolinks do not cross; only as an entity does it work everywhere.
_BREAK = "&#8203;"
_ESCAPES = {character: f"\\{character}" for character in "\\`*_[]|~^{}!"} | {
    "<": "&lt;",
    ">": "&gt;",
    "&": "&amp;",
    "$": "&#36;",
    "@": f"@{_BREAK}",
    "#": f"#{_BREAK}",
    "\x00": _BREAK,
}
#: A single underscore within a word is no markup in GitHub's dialect, and reads better unescaped.
_SPECIAL = re.compile(r"(?<![^\W_])_|_(?![^\W_])|[" + re.escape("".join(_ESCAPES).replace("_", "")) + "]")
_UNIT = re.compile(r"(?<=\d) (?=MiB\b)")
_LINKISH = re.compile(r"(?i)(?<=[a-z])(?=://)|(?<=www)(?=\.)|(?<=mailto)(?=:)|(?<=xmpp)(?=:)|(?<=gh)(?=-\d)")


def clean(text: str) -> str:
    """Outside text without control, bidirectional and invisible characters (shown as U+FFFD)."""
    return _HOSTILE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def escape(text: str, longest: int = _LONGEST) -> str:
    """Outside text as one line of prose: it says what it said and does nothing.

    No markup, HTML, mention, issue reference, bare link, entity or formula comes out of it, also in a
    table cell; only a pair of backticks is a code span, as it was meant.
    """
    line = re.sub(r"\s+", " ", clean(text)).strip()
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    parts = re.split(r"(?<!`)(`[^`|\\]+`)(?!`)", line)
    return "".join(code(part[1:-1]) if number % 2 else _prose(part) for number, part in enumerate(parts))


def _prose(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], _LINKISH.sub("\x00", text))


def code(text: str, *, cell: bool = False) -> str:
    """Outside text as a code span that cannot be left.

    `cell`: within a table, where a unit stays beside its number.
    """
    line = re.sub(r"\s+", " ", clean(text)).strip()
    if cell:
        line = _UNIT.sub("\u00a0", line.replace("|", "\\|"))
    if not line:
        return ""
    ticks = "`" * (_longest_run(line, "`") + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence(text: str, language: str = "text") -> str:
    """Outside text as a code block that cannot be broken out of."""
    body = clean(text).strip("\n")
    ticks = "`" * max(3, _longest_run(body, "`") + 1)
    return f"{ticks}{language}\n{body}\n{ticks}"


def link(text: str, address: str) -> str:
    """A link that leaves no trace on the page it points to; `text` is Markdown already."""
    target = re.sub(r"^https://(?:www\.)?github\.com/", "https://redirect.github.com/", address)
    quoted = re.sub(r"[^\w\-./:?=&%+~#]", lambda found: _percent(found[0]), target)
    return f"[{text}]({quoted})"


def plain(text: str) -> str:
    """One line of our own Markdown as the text that a reader sees."""
    tokens = (child for item in _parser().parse(text) for child in item.children or ())
    shown = "".join(token.content for token in tokens if token.type in _SHOWN)
    return re.sub(r"\s+", " ", _HOSTILE.sub("", shown)).strip()


def check(text: str, budget: int = BUDGET, images: str | None = None) -> list[str]:
    """What is wrong with a rendered report, empty when nothing is: codes with the place or text.

    Pictures come from the folder `charts` beside the file, or from `images`, the address of a folder.
    One that is too long is not looked at further.
    """
    if len(text) > budget:
        return [f"size: {len(text)} > {budget}"]
    tokens = _parser().parse(text)
    return [
        *_check_characters(text),
        *_check_tables(text, tokens),
        *_check_fences(text, tokens),
        *_check_details(tokens),
        *_check_inline(tokens),
        *_check_images(tokens, images),
    ]


#: Inline tokens whose content is seen; `&#8203;` is an entity, but nothing that anybody sees.
_SHOWN = frozenset({"text", "text_special", "code_inline"})


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - costs 35 ms, --help needs none

    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("text_join")


def _check_characters(text: str) -> Iterator[str]:
    for found in _HOSTILE.finditer(text):
        yield f"character: U+{ord(found[0]):04X}"


def _check_tables(text: str, tokens: list["Token"]) -> Iterator[str]:
    """Every line that starts as a table row is one, with as many cells as its head."""
    lines = text.split("\n")
    covered = {
        number for item in tokens if item.type in ("fence", "table_open") for number in range(*_lines(item))
    }
    yield from (
        f"table: line {number + 1} is no row"
        for number, line in enumerate(lines)
        if line.startswith("|") and number not in covered
    )
    for item in tokens:
        if item.type == "table_open":
            rows = [lines[number] for number in range(*_lines(item)) if lines[number].strip()]
            yield from (f"table: {row[:40]}" for row in rows if _cells(row) != _cells(rows[0]))


def _check_fences(text: str, tokens: list["Token"]) -> Iterator[str]:
    lines = text.split("\n")
    for item in tokens:
        if item.type == "fence" and lines[_lines(item)[1] - 1].strip() != item.markup:
            yield f"fence: opened in line {_lines(item)[0] + 1}"


def _check_details(tokens: list["Token"]) -> Iterator[str]:
    depth = 0
    for html in _html(tokens):
        for found in re.finditer(r"<(/?)(details)\b", html):
            depth += -1 if found[1] else 1
            if depth < 0:
                yield "details: closed before opened"
                return
    if depth:
        yield "details: left open"


_WRONG_INLINE = {
    "mention": re.compile(r"(?<![\w`])@[A-Za-z0-9]"),
    "reference": re.compile(r"(?<![\w&])#\d"),
    "bold": re.compile(r"\*\*"),
    "address": re.compile(r"(?i)https?://|www\."),
}


def _check_inline(tokens: list["Token"]) -> Iterator[str]:
    """No mention, issue reference, leftover bold or bare address in prose; links by the redirect."""
    for item in tokens:
        depth = 0
        for child in item.children or ():
            depth += {"link_open": 1, "link_close": -1}.get(child.type, 0)
            if child.type == "link_open" and str(child.attrs.get("href", "")).startswith(
                "https://github.com/"
            ):
                yield f"link: {child.attrs['href']}"
            if child.type == "text" and not depth:
                yield from (f"{name}: {child.content[:40]}" for name in _wrong(child.content))


#: Whatever loads something when it is shown, and where from.
_LOADS = re.compile(r"(?i)<(img|source|image|video|audio|track|embed|object|iframe|svg|input)\b([^>]*)")
_FROM = re.compile(r"""(?i)\b(?:src|srcset|href|data|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


def _check_images(tokens: list["Token"], images: str | None) -> Iterator[str]:
    seen = [
        str(child.attrs["src"]) for item in tokens for child in item.children or () if child.type == "image"
    ]
    for tag in (found for html in _html(tokens) for found in _LOADS.finditer(html)):
        seen += ["".join(found) for found in _FROM.findall(tag[2])] or [tag[1]]
    for address in seen:
        folder, _, name = address.rpartition("/")
        if folder != "charts" and (images is None or folder != images or not name):
            yield f"image: {address[:80]}"


def _wrong(text: str) -> Iterator[str]:
    return (name for name, pattern in _WRONG_INLINE.items() if pattern.search(text))


def _html(tokens: list["Token"]) -> Iterator[str]:
    for item in tokens:
        if item.type == "html_block":
            yield item.content
        yield from (child.content for child in item.children or () if child.type == "html_inline")


def _lines(token: "Token") -> tuple[int, int]:
    begin, end = token.map or (0, 0)
    return begin, end


def _cells(row: str) -> int:
    return len(re.findall(r"(?<!\\)\|", row))


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))


def _longest_run(text: str, character: str) -> int:
    return max((len(run) for run in re.findall(re.escape(character) + "+", text)), default=0)
