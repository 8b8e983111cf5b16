"""Spaces and case of one line: between Han and Latin, the first letter of an English line. Pure."""

import re

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_SPACES = re.compile(r"\s+")
_BETWEEN_HAN = re.compile(rf"(?<=[{_HAN}，、；：（）“”。]) (?=[{_HAN}，、；：（）“”。])")
_HAN_LATIN = re.compile(rf"(?<=[{_HAN}])(?=[A-Za-z0-9`\-/<@])|(?<=[A-Za-z0-9`%+>)])(?=[{_HAN}])")
_BESIDE_MARK = re.compile(r" ?([，、；：（）“”。]) ?")
_CODE = re.compile(r"(`[^`]*`)")
_WORD = re.compile(r"[a-z][a-z'-]*(?=[\s,;]|$)")


def space(text: str) -> str:
    """Chinese as it is set: a space between Han and Latin, none between Han or beside full-width marks.

    Code spans are left as they are; they are set off like a Latin word.
    """
    spans: list[str] = []

    def keep(found: re.Match[str]) -> str:
        spans.append(found[0])
        return f"`{len(spans) - 1}`"

    line = _SPACES.sub(" ", _CODE.sub(keep, text)).strip()
    line = _BETWEEN_HAN.sub("", line)
    line = _HAN_LATIN.sub(" ", line)
    line = _BESIDE_MARK.sub(r"\1", line)
    return re.sub(r"`(\d+)`", lambda found: spans[int(found[1])], line)


def raise_first(text: str, names: frozenset[str]) -> str:
    """The first letter as a capital, where the first word is a plain word and none of `names`."""
    word = _WORD.match(text)
    if word is None or word[0] in names:
        return text
    return text[0].upper() + text[1:]
