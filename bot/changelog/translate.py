"""A subject in another language, by rules and a glossary: complete, or not at all.

A word that nothing explains makes the answer None: a half-translated line is never made. Names, code and
what stands in quotes are taken over as they are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bot.changelog.lexicon import Lexicon, Rule
from bot.changelog.typography import space

#: Longer subjects are quoted instead; also bounds the work (cubic in the number of words).
MOST_TOKENS = 22
_LONGEST = 200
_TOKEN = re.compile(
    r"`[^`<>|\\]{1,60}`|\"[^\"`<>|\\]{1,40}\"|'[\w-]{1,30}'|<\|[\w-]{1,30}\|>|[A-Za-z_][\w:.]*\(\)|[cC]\+\+|(?<=\s)\+\w+|[(),;:&+]|[^\s(),;:&+\"`]+"
)
_ARTICLES = frozenset({"a", "an", "the"})
_ROUTE = re.compile(r"(?:/[\w.{}-]+)+")
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./*=~^%-]*(?:->[A-Za-z0-9_]+)?|--?[A-Za-z][\w-]*(?:=\w+)?")
#: A part of a hyphened token that is a word: `FULL-removal` is no name.
_PLAIN_PART = re.compile(r"(?:^|-)[a-z]{3,}(?:-|$)")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)|v?s", re.IGNORECASE)
_NUMBERED = re.compile(r"I?Q\d\w*|[fiu]\d+|(?:int|fp|bf|f|u?int)\d+|(?:MX|NV)FP\d|TQ\d_\d", re.IGNORECASE)
_EXTENSION = re.compile(r"[\w/-]*[a-z_][\w/-]*\.(?:cu|cuh|cpp|c|h|hpp|py|txt|json|md|gguf|jinja|html|so|dll)")
_WORDS = frozenset(
    {"not", "fix", "add", "and", "or", "no", "all", "new", "use", "in", "on", "of", "to", "for"}
)
_HAN = re.compile("[\u4e00-\u9fff]")
_QUOTED = re.compile("“[^”]*”|`[^`]*`")
_LEAST_HAN = 2
#: Ends an adjective of the glossary that stands before its noun without 的, and never alone.
_ATTRIBUTE = "~"


def translate(text: str, lexicon: Lexicon, area: str = "") -> str | None:
    """`fix race in MMQ` → 修复 MMQ 中的竞态条件; None where a word is left over. Pure and bounded."""
    tokens = tokenize(text)
    if tokens is None or len(tokens) > MOST_TOKENS:
        return None
    chart = Chart(tokens, lexicon, area)
    found = chart.parse("V", 0, len(tokens)) or chart.parse("N", 0, len(tokens))
    line = space(found) if found else ""
    return line if len(_HAN.findall(_QUOTED.sub("", line))) >= _LEAST_HAN else None


def tokenize(text: str) -> tuple[str, ...] | None:
    """Words and marks without articles; None where a character belongs to neither."""
    if len(text) > _LONGEST or "://" in text:
        return None
    line = text.replace("’", "'").replace("‘", "'").replace("don't", "do not").replace("w/", "with ")
    tokens = _TOKEN.findall(line.rstrip(" ."))
    if "".join(tokens) != re.sub(r"\s+", "", line.rstrip(" .")) and "`" not in line and '"' not in line:
        return None
    kept = tuple(token for token in tokens if token.lower() not in _ARTICLES)
    return kept or None


@dataclass(frozen=True)
class Chart:
    """All phrases of one subject, each parsed once."""

    tokens: Sequence[str]
    lexicon: Lexicon
    area: str
    known: dict[tuple[str, int, int], str | None] = field(default_factory=dict)

    def parse(self, category: str, start: int, end: int) -> str | None:
        """The translation of tokens[start:end] as this category; None where there is none."""
        key = category, start, end
        if key not in self.known:
            self.known[key] = None
            self.known[key] = self._parse(category, start, end)
        return self.known[key]

    def _parse(self, category: str, start: int, end: int) -> str | None:
        if start >= end:
            return None
        if category in {"N", "B"}:
            whole = self._compound(start, end)
            if whole or category == "B":
                return whole
        for rule in self.lexicon.rules(category, self.tokens[start].lower()):
            if rule.shortest <= end - start:
                parts = next(self._match(rule, 0, start, end), None)
                if parts is not None:
                    return rule.text.format(*parts)
        return self._state(start, end) if category == "S" else None

    def _match(self, rule: Rule, item: int, start: int, end: int) -> Iterator[tuple[str, ...]]:
        """What each slot became, for every way the rule covers tokens[start:end]; shortest slots first."""
        if item == len(rule.items):
            if start == end:
                yield ()
            return
        wanted = rule.items[item]
        if not isinstance(wanted, str):
            if start < end and self.tokens[start].lower() in wanted:
                yield from self._match(rule, item + 1, start + 1, end)
            return
        left = len(rule.items) - item - 1
        stops = range(start + 1, end - left + 1) if left else (end,)
        for stop in stops:
            said = self.parse(wanted, start, stop)
            if said is not None:
                yield from ((said, *rest) for rest in self._match(rule, item + 1, stop, end))

    def _state(self, start: int, end: int) -> str | None:
        negated = self.tokens[start].lower() in {"not", "no"} and end - start > 1
        phrase = " ".join(self.tokens[start + negated : end]).lower()
        found = self.lexicon.states.get(phrase)
        return found[negated] if found else None

    def _compound(self, start: int, end: int) -> str | None:
        """A noun with what stands before it, piece by piece, each as long as the glossary knows it."""
        pieces: list[str] = []
        at = start
        while at < end:
            piece, size = self._piece(at, end)
            if piece is None:
                return None
            pieces.append(piece)
            at += size
        if pieces[-1].endswith(("的", _ATTRIBUTE)) or self.lexicon.endings & set(pieces[:-1]):
            return None
        return " ".join(piece.removesuffix(_ATTRIBUTE) for piece in pieces)

    def _piece(self, at: int, end: int) -> tuple[str | None, int]:
        for size in range(min(self.lexicon.longest, end - at), 1, -1):
            found = self.lexicon.term(" ".join(self.tokens[at : at + size]).lower(), self.area)
            if found:
                return found, size
        return self._word(at), 1

    def _word(self, at: int) -> str | None:
        token = self.tokens[at]
        lower = token.lower()
        name = self.lexicon.names.get(lower)
        if name:
            return name
        if self._may_be_a_name(at):
            return token
        found = self.lexicon.term(lower, self.area) or self._hyphened(lower) or self._code(token)
        return found or (token if self._is_capital(at) and not self._is_title else None)

    def _may_be_a_name(self, at: int) -> bool:
        """`Command R7B`: a capital in mid-sentence before a number is a name, not a word of the glossary."""
        following = self.tokens[at + 1] if at + 1 < len(self.tokens) else ""
        return self._is_capital(at) and bool(re.fullmatch(r"[A-Z]?\d[\w.]*", following))

    def _is_capital(self, at: int) -> bool:
        token = self.tokens[at]
        return at > 0 and token[:1].isupper() and token[1:].islower() and token.isalpha()

    @property
    def _is_title(self) -> bool:
        """Whether Most Words Have a Capital, so that a capital says nothing."""
        words = [token for token in self.tokens if token.isalpha() and not token.isupper()]
        return 2 * sum(token[0].isupper() for token in words) > len(words)

    def _hyphened(self, lower: str) -> str | None:
        """`non-unified`, `grammar-based`, `cuda-graphs`, `model's`: by its parts."""
        if lower.endswith("'s"):
            owner = self._part(lower[:-2])
            return f"{owner} 的" if owner else None
        if "-" not in lower.strip("-"):
            return None
        whole = self.lexicon.term(lower.replace("-", " "), self.area)
        if whole:
            return whole
        prefix, _, rest = lower.partition("-")
        word, said = self.lexicon.prefixes.get(f"{prefix}-"), self._part(rest)
        if word and said:
            return word + said
        stem, _, suffix = lower.rpartition("-")
        form, said = self.lexicon.suffixes.get(f"-{suffix}"), self._part(stem)
        return form.format(said) if form and said else None

    def _part(self, lower: str) -> str | None:
        found = self.lexicon.names.get(lower) or self.lexicon.term(lower, self.area)
        return found.removesuffix(_ATTRIBUTE) if found else None

    def _code(self, token: str) -> str | None:
        """A name, a number or a piece of code as it is, code in backticks; None for a plain word."""
        span = _span(token)
        if span is not None:
            return span
        if "/" in token and not re.search(r"[\d_]", token):
            return self._each(token)
        if not _PLAIN.fullmatch(token) or _ORDINAL.fullmatch(token) or token.lower() in _WORDS:
            return None
        return _shown(token)

    def _each(self, token: str) -> str | None:
        said = [
            self._part(part.lower())
            or (_shown(part) if _PLAIN.fullmatch(part) and part.lower() not in _WORDS else None)
            for part in token.split("/")
        ]
        return "/".join(part for part in said if part) if all(said) else None


def _span(token: str) -> str | None:
    """What is marked as code or as a quotation, or is a path or a call."""
    if token[0] == "`":
        return token
    if token[0] == '"':
        return f"“{token[1:-1]}”"
    if token[0] == "'":
        return f"`{token[1:-1]}`"
    is_code = token.startswith("<|") or token.endswith("()") or _ROUTE.fullmatch(token)
    return f"`{token}`" if is_code else None


def _shown(token: str) -> str | None:
    if token.startswith("-") or _EXTENSION.fullmatch(token):
        return f"`{token}`"
    if _NUMBERED.match(token):
        return token
    if "_" in token or ("->" in token and "_" in token):
        return f"`{token}`"
    is_name = any(character.isdigit() for character in token) or any(map(str.isupper, token[1:]))
    return token if is_name and not _PLAIN_PART.search(token) else None
