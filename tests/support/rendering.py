"""A second opinion on what we post, from GitHub's own renderer (cmark-gfm) and an HTML parser of its own.

It shares no code with `bot.report.markdown`, whose `check` looks at the source.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options

_VOID = frozenset({"br", "hr", "img", "input", "source", "wbr"})
#: What a comment may hold; everything else shows that outside text became markup.
_KNOWN = re.compile(
    "a|b|blockquote|br|code|details|em|h3|h4|hr|img|li|ol|p|picture|pre|source|strong|sub|summary|table|tbody"
    "|td|th|thead|tr|ul"
)
#: Pages of which GitHub notes on the other side who linked to them (docs: autolinked references).
_BACKLINK = re.compile(r"https?://(?:www\.)?github\.com/[^/]+/[^/]+/(?:issues|pull|discussions|commit)/")
#: Markdown that was not understood as such.
_RAW = {
    "bold": re.compile(r"\*\*|__"),
    "heading": re.compile(r"(?m)^#{1,6} "),
    "table": re.compile(r"(?m)^\||\|:?-+"),
    "link": re.compile(r"\]\("),
    "fence": re.compile(r"`{3}|~~"),
    "html": re.compile(r"</?(?:details|summary|sub|picture)\b"),
    "entity": re.compile(r"&#?\w+;"),
    "catalog": re.compile(r"\{ ?\$|\bcommand-[a-z]|\bdoctor-[a-z]"),
}
_REFERENCE = re.compile(r"(?<![\w&])#\d+|\bGH-\d|\b[\w.-]+/[\w.-]+#\d")
_MENTION = re.compile(r"(?<![\w`])@([A-Za-z0-9][A-Za-z0-9-]*)")


@dataclass
class Page(HTMLParser):
    """What a reader's browser makes of it."""

    problems: list[str] = field(default_factory=list)
    text: str = ""
    addresses: list[str] = field(default_factory=list)
    tables: list[list[int]] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """As the library wants it."""
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note rows and addresses."""
        if not _KNOWN.fullmatch(tag):
            self.problems.append(f"element {tag}")
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append(0)
        elif tag in ("td", "th"):
            self.tables[-1][-1] += 1
        self.addresses += [value or "" for name, value in attrs if name in ("href", "src", "srcset")]
        if tag in ("p", "li", "td", "th", "br", "summary", "h3", "h4"):
            self.text += "\n"

    def handle_endtag(self, tag: str) -> None:
        """Elements close in the order in which they were opened."""
        if not self._open or self._open.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """`<br />` needs no end."""
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        """Text that GitHub would turn into links: not that in code, nor what is a link already."""
        if not {"code", "pre"} & set(self._open):
            self.text += "\0" * len(data) if "a" in self._open else data

    def finish(self) -> None:
        """Whether all is closed."""
        self.close()
        self.problems += [f"<{tag}> is left open" for tag in self._open]


def html(markdown: str) -> str:
    """As in a comment, where every line break is one."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_HARDBREAKS
    text: str = cmarkgfm.github_flavored_markdown_to_html(markdown, options=options)  # type: ignore[no-untyped-call]
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def problems(markdown: str, *, asker: str | None = None, images: str | None = None) -> list[str]:
    """What is wrong with it, once rendered. Only `asker` may be mentioned; pictures come from `images`."""
    page = Page()
    page.feed(html(markdown))
    page.finish()
    return [
        *page.problems,
        *(f"raw {name}: {page.text[found.start() :][:40]!r}" for name, found in _raw(page.text)),
        *(f"reference {found}" for found in _REFERENCE.findall(page.text)),
        *(f"mention of {name}" for name in _MENTION.findall(page.text) if name != asker),
        *(f"backlink {address}" for address in page.addresses if _BACKLINK.match(address)),
        *_strange_images(markdown, images),
        *_tables(markdown, page.tables),
        *_folds(markdown),
    ]


def _raw(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    for name, pattern in _RAW.items():
        if found := pattern.search(text):
            yield name, found


def _strange_images(markdown: str, images: str | None) -> Iterator[str]:
    for address in re.findall(r'<(?:img|source)[^>]*?(?:src|srcset)="([^"]*)"', html(markdown)):
        if not address.startswith("charts/") and not (images and address.startswith(f"{images}/")):
            yield f"picture {address}"


def _tables(markdown: str, rendered: list[list[int]]) -> Iterator[str]:
    """Every table of the source is one, whole: cmark pads short rows and drops what is too much."""
    source: list[list[int]] = []
    inside = False
    for line in re.sub(r"(?ms)^ *(`{3,}).*?^ *\1$", "", markdown).split("\n"):
        if line.startswith("|") and not inside:
            source.append([])
        inside = line.startswith("|")
        if inside:
            source[-1].append(len(re.findall(r"(?<!\\)\|", line)) - 1)
    if [len(rows) - 1 for rows in source] != [len(rows) for rows in rendered]:
        yield f"tables: {source} became {rendered}"
    for rows in source:
        if len(set(rows)) != 1:
            yield f"table with rows of {rows}"


def _folds(markdown: str) -> Iterator[str]:
    opened, closed = (len(re.findall(tag, html(markdown))) for tag in ("<details>", "</details>"))
    summaries = len(re.findall(r"<details><summary>[^<]*", html(markdown)))
    if not opened == closed == summaries == markdown.count("<details>"):
        yield f"folds: {opened} opened, {summaries} named, {closed} closed"
