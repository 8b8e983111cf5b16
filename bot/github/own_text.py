"""Which lines of a comment are its author's own words: no quote, no code, no HTML. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

#: As CommonMark ends lines. `str.splitlines` would also split at characters that GitHub prints.
_LINE_END = re.compile(r"\r\n|\r|\n")
_START = re.compile(r" {0,3}/bench")
#: HTML whose content is quoted, preformatted, struck out or not shown; Markdown between the tags of
#: `<blockquote>` is a paragraph for CommonMark and a quote for the reader.
_FOREIGN = re.compile(
    "blockquote|q|cite|pre|code|samp|kbd|tt|xmp|plaintext|listing|textarea|script|style|title|template|"
    "noscript|noembed|noframes|iframe|svg|math|select|option|del|s|strike"
)
_MARKUP = re.compile(
    r"""(?P<whole><!---?>) | (?P<begin><!--) | (?P<end>-->)
      | <(?P<slash>/?)(?P<name>[a-z][a-z0-9-]*+)(?:[^>"']|"[^"]*+"|'[^']*+')*+""",
    re.VERBOSE | re.IGNORECASE,
)


def command_line(body: str) -> str | None:
    """The first line that starts with `/bench` after at most 3 spaces and is the author's own text.

    The line is as it was written, its end excluded; None where there is none. A word such as
    `/benchmark` or a path such as `/bench/x` is not addressed to the bot.
    """
    lines = _LINE_END.split(body)
    candidates = [index for index, line in enumerate(lines) if _is_addressed(line)]
    if not candidates:
        return None
    mark = _unused(body)
    for index in candidates:
        lines[index] = lines[index].replace("/bench", f"/{mark}{index}x", 1)
    tokens = MarkdownIt("commonmark").parse("\n".join(lines))
    shown = next(_marked(tokens, re.compile(f"/{mark}([0-9]+)x")), None)
    return None if shown is None else lines[shown].replace(f"/{mark}{shown}x", "/bench", 1)


def _is_addressed(line: str) -> bool:
    """Whether the line starts with the word `/bench`; an invisible or foreign space ends a word too."""
    match = _START.match(line)
    if not match:
        return False
    following = line[match.end() :][:1]
    return not following or unicodedata.category(following) in ("Zs", "Zl", "Zp", "Cc", "Cf")


def _unused(body: str) -> str:
    """A word that Markdown passes through and the body does not hold."""
    longest = max((len(run) for run in re.findall("q+", body)), default=0)
    return "q" * (longest + 1)


def _marked(tokens: list[Token], mark: re.Pattern[str]) -> Iterator[int]:
    """The numbers of the marked lines that are shown as plain text, in order."""
    html, quotes = _Html(), 0
    for token in tokens:
        if token.type.startswith("blockquote_"):
            quotes += token.nesting
        elif token.type == "html_block":
            html.feed(token.content)
        for child in token.children or ():
            if child.type == "html_inline":
                html.feed(child.content)
            elif child.type == "text" and not quotes and html.is_plain:
                yield from (int(match[1]) for match in mark.finditer(child.content))


class _Html:
    """What the HTML up to here has left open. In doubt (tags that do not match) something is open."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._in_comment = False

    @property
    def is_plain(self) -> bool:
        return not self._in_comment and self._open.total() == 0

    def feed(self, html: str) -> None:
        position = 0
        while match := _MARKUP.search(html, position):
            position = match.end()
            if self._in_comment:
                # Inside a comment only its end counts, also one within what looks like a tag.
                ended = html.find("-->", match.start())
                if ended < 0:
                    return
                self._in_comment, position = False, ended + 3
            elif match["begin"]:
                self._in_comment = True
            elif match["name"]:
                self._tag(match["name"].lower(), closing=bool(match["slash"]))

    def _tag(self, name: str, *, closing: bool) -> None:
        if not _FOREIGN.fullmatch(name):
            return
        if not closing:
            self._open[name] += 1
        elif self._open[name]:
            self._open[name] -= 1
