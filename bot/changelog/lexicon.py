"""One language's glossary and patterns, compiled from data: words, names, verbs, and rules with slots.

A rule is `of` a category: V a verb phrase, N a noun phrase, B a noun without
prepositions, S a state, T a moment, C a clause behind `when`, G a gerund phrase.
Its English side is words and slots (`fix {N} in {N}`; `a|b` are alternatives), its other side a text with
`{0}`, `{1}` for what the slots became. The first rule in the file's order that explains every word wins.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CATEGORIES = frozenset("VNBCGUST")
_SLOT = re.compile(r"\{([VNBCGUST])\}")
_VOWELS = "aeiou"


@dataclass(frozen=True)
class Rule:
    """`items` are sets of words in lower case, or one category letter; `text` is a format string."""

    of: str
    items: tuple[frozenset[str] | str, ...]
    text: str

    @property
    def shortest(self) -> int:
        """The fewest tokens it can cover."""
        return len(self.items)


@dataclass(frozen=True)
class Lexicon:
    """A language's words. `terms` are phrases in lower case; `areas` are those of one area alone.

    `endings` are translations that only stand at the end of a noun phrase.
    """

    terms: Mapping[str, str]
    endings: frozenset[str]
    areas: Mapping[str, Mapping[str, str]]
    names: Mapping[str, str]
    prefixes: Mapping[str, str]
    suffixes: Mapping[str, str]
    states: Mapping[str, tuple[str, str]]
    by_first: Mapping[tuple[str, str], tuple[Rule, ...]]
    open: Mapping[str, tuple[Rule, ...]]
    longest: int

    def rules(self, category: str, first: str) -> Iterator[Rule]:
        """The rules that may cover a phrase beginning with this word: those that name it come first."""
        yield from self.by_first.get((category, first), ())
        yield from self.open.get(category, ())

    def term(self, phrase: str, area: str) -> str | None:
        """The translation of a phrase in lower case, or of its singular."""
        own = self.areas.get(area, {})
        for form in singulars(phrase):
            found = own.get(form) or self.terms.get(form)
            if found:
                return found
        return None


def compile_lexicon(data: Mapping[str, Any]) -> Lexicon:
    """A glossary file's content, ready to use. Raises ValueError for a rule of an unknown category."""
    endings = data.get("defects", {})
    terms = {key.lower(): value for key, value in (data.get("terms", {}) | endings).items()}
    areas = {area: {k.lower(): v for k, v in words.items()} for area, words in data.get("areas", {}).items()}
    rules = [*map(_rule, data.get("rule", ())), *_verb_rules(data)]
    by_first: dict[tuple[str, str], list[Rule]] = defaultdict(list)
    open_: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        first = rule.items[0]
        if isinstance(first, str):
            open_[rule.of].append(rule)
            continue
        for word in first:
            by_first[rule.of, word].append(rule)
    return Lexicon(
        terms=terms,
        endings=frozenset(endings.values()),
        areas=areas,
        names=_names(data.get("names", ())),
        prefixes=data.get("prefixes", {}),
        suffixes=data.get("suffixes", {}),
        states={word: (yes, no) for word, (yes, no) in data.get("states", {}).items()},
        by_first={key: tuple(found) for key, found in by_first.items()},
        open={key: tuple(found) for key, found in open_.items()},
        longest=max((phrase.count(" ") + 1 for phrase in terms), default=1),
    )


def singulars(phrase: str) -> Iterator[str]:
    """The phrase, then what it may be the plural of."""
    yield phrase
    if phrase.endswith("ies"):
        yield phrase[:-3] + "y"
    if phrase.endswith(("ses", "xes", "ches", "shes")):
        yield phrase[:-2]
    if phrase.endswith("s") and not phrase.endswith("ss"):
        yield phrase[:-1]


def forms(verb: str) -> tuple[str, frozenset[str], str]:
    """(verb, every finite form, gerund) of an English verb; of a phrase, its first word is inflected."""
    first, _, rest = verb.partition(" ")
    stem = first[:-1] if first.endswith("e") else first
    if _doubles(first):
        stem += first[-1]
    if first.endswith("y") and first[-2] not in _VOWELS:
        past, third = first[:-1] + "ied", first[:-1] + "ies"
    else:
        past = stem + "ed"
        third = first + ("es" if first.endswith(("s", "x", "ch", "sh")) else "s")
    return rest, frozenset({first, past, third}), stem + "ing"


def _doubles(word: str) -> bool:
    """`stop` → `stopping`: a short word of consonant, vowel, consonant."""
    return (
        len(word) in (3, 4)
        and word[-1] not in _VOWELS + "wxy"
        and word[-2] in _VOWELS
        and word[-3] not in _VOWELS
    )


def _names(rows: Sequence[str]) -> dict[str, str]:
    return {name.lower(): name for name in rows}


def _rule(row: Mapping[str, str]) -> Rule:
    if row["of"] not in CATEGORIES:
        raise ValueError(f"{row['of']}: no category")
    first, *rest = (_item(word) for word in row["en"].split())
    if row["of"] == "V" and not isinstance(first, str):
        first = frozenset(form for word in first for form in forms(word)[1])
    return Rule(row["of"], (first, *rest), row["to"])


def _item(word: str) -> frozenset[str] | str:
    slot = _SLOT.fullmatch(word)
    return slot[1] if slot else frozenset(word.lower().split("|"))


def _verb_rules(data: Mapping[str, Any]) -> Iterator[Rule]:
    """Each verb makes `verb {N}` as V and `verbing {N}` as G; a clear one also U, which may follow `and`."""
    for table, is_clear in (("verbs", True), ("verbs_or_nouns", False)):
        for verb, text in data.get(table, {}).items():
            rest, finite, gerund = forms(verb)
            tail = tuple(frozenset({word}) for word in rest.split())
            said = text if "{0}" in text else text + "{0}"
            yield Rule("V", (finite, *tail, "N"), said)
            yield Rule("G", (frozenset({gerund}), *tail, "N"), said)
            if is_clear:
                yield Rule("U", (finite, *tail, "N"), said)
