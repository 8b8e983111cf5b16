"""A second opinion on what a comment asks for, made from other parts: GitHub's own Markdown renderer
(cmark-gfm) and one regular expression for a whole line."""

import re
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

REF = r"(?:b(?:0|[1-9]\d{0,6})|[a-f\d]{40})"
OPTION = r"(?:[ \t]+(?:profile|preset|machine)=[A-Za-z\d][A-Za-z\d._-]{0,63})*"
WHAT = rf"(?:[ \t]+(?:self|{REF}\.\.{REF}|{REF}(?:{OPTION}[ \t]+{REF})?))?"
BENCH = re.compile(rf" {{0,3}}/bench{OPTION}{WHAT}{OPTION}[ \t]*", re.ASCII)
ADDRESSED = re.compile(r" {0,3}/bench(?=[\s\u200b\x00-\x1f]|$)")
PLAIN = re.compile(
    "p|h[1-6]|ul|ol|li|em|strong|a|table|thead|tbody|tr|th|td|details|summary|div|b|i",
)
VOID = ("br", "hr", "img", "input", "wbr")
WORD = "qzxsentinelxzq"


class Ancestors(HTMLParser):
    """The elements around the sentinel; None where it is no text at all."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.around: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if WORD in data:
            self.around = list(self.open)


def is_own_text(lines: list[str], index: int) -> bool:
    """Whether the line is shown as plain text of the comment."""
    marked = [*lines[:index], lines[index].replace("/bench", f"/{WORD}", 1), *lines[index + 1 :]]
    html = cmarkgfm.github_flavored_markdown_to_html(  # type: ignore[no-untyped-call]
        "\n".join(marked), options=Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    )
    parser = Ancestors()
    parser.feed(html)
    parser.close()
    return parser.around is not None and all(PLAIN.fullmatch(tag) for tag in parser.around)


def first_line(body: str) -> str | None:
    """The first own line that is addressed to the bot."""
    lines = re.split("\r\n|\n|\r", body)
    for index, line in enumerate(lines):
        if ADDRESSED.match(line) and is_own_text(lines, index):
            return line
    return None


def is_bench(line: str) -> bool:
    """Whether the line asks for a run."""
    names = re.findall(r"(profile|preset|machine)=", line)
    return bool(BENCH.fullmatch(line)) and len(names) == len(set(names))
