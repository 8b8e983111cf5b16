"""From matplotlib's SVG to the one that is published: words, classes for light and dark, a description."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from bot.report.charts import palette

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
#: What readers have: the system's own, then fonts with Han characters on Linux, Windows and macOS.
_FONTS = (
    'system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans CJK SC","Noto Sans SC",'
    '"Microsoft YaHei","PingFang SC","WenQuanYi Micro Hei",sans-serif'
)
_KEEP = ("font-size", "font-weight", "text-anchor", "fill", "stroke")
_NUMBER = re.compile(r"-?\d+\.\d+")


@dataclass(frozen=True)
class About:
    """What stands for the picture where it cannot be seen."""

    title: str
    description: str
    language: str


def polished(
    written: str,
    *,
    texts: Mapping[str, str],
    titles: Mapping[str, str],
    about: About,
    size: tuple[float, float],
) -> str:
    """The document: `texts` stand where their keys stood, `titles` are given to elements by id.

    Every style is a class, so that one rule for dark pages recolours all; numbers have two decimals, ids
    that nothing needs are gone. What is outside text is escaped by the XML writer.
    """
    root = ET.fromstring(written)  # noqa: S314 - written by matplotlib in this process, without outside text
    _tidy(root, set(titles))
    for element in root.iter(f"{{{_SVG}}}text"):
        element.text = texts[element.text or ""]
    _entitle(root, titles)
    _head(root, about, size, _classes(root))
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    ET.indent(root, "")
    return ET.tostring(root, encoding="unicode") + "\n"


def _tidy(root: ET.Element, kept: set[str]) -> None:
    for parent in root.iter():
        for child in [item for item in parent if item.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style")]:
            parent.remove(child)
    used = kept | {found for item in root.iter() for found in _references(item)}
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        element.attrib.pop("transform" if element.tag == f"{{{_SVG}}}text" else "", None)
        for name in ("d", "x", "y", "width", "height"):
            if name in element.attrib:
                element.set(name, _short(element.attrib[name]))
    _unwrap(root)


def _references(element: ET.Element) -> Iterator[str]:
    yield element.get(f"{{{_XLINK}}}href", "").removeprefix("#")
    yield element.get("clip-path", "").removeprefix("url(#").removesuffix(")")


def _short(text: str) -> str:
    """Numbers with two decimals at most: a hundredth of a pixel."""
    return _NUMBER.sub(lambda found: f"{round(float(found[0]), 2) + 0.0:g}", " ".join(text.split()))


def _unwrap(root: ET.Element) -> None:
    """Groups without a name only hold their children: put these in their place."""
    for parent in list(root.iter()):
        position = 0
        while position < len(parent):
            child = parent[position]
            if child.tag == f"{{{_SVG}}}g" and not child.attrib:
                parent[position : position + 1] = list(child)
            elif child.tag == f"{{{_SVG}}}defs" and not len(child):
                parent.remove(child)
            else:
                position += 1


def _entitle(root: ET.Element, titles: Mapping[str, str]) -> None:
    for element in root.iter():
        if title := titles.get(element.get("id", "")):
            node = ET.Element(f"{{{_SVG}}}title")
            node.text = title
            element.insert(0, node)


def _classes(root: ET.Element) -> dict[str, str]:
    """Move every style into a class; returns class -> declarations."""
    names: dict[str, str] = {}
    for element in root.iter():
        style = element.attrib.pop("style", None)
        if style is not None:
            element.set("class", names.setdefault(_declarations(style, element.tag), f"c{len(names)}"))
    return {name: style for style, name in names.items()}


def _declarations(style: str, tag: str) -> str:
    pairs = [part.split(":", 1) for part in style.split(";") if part.strip()]
    kept = [(name.strip(), value.strip()) for name, value in pairs]
    if tag == f"{{{_SVG}}}text":
        kept = [(name, value) for name, value in kept if name in _KEEP]
    return ";".join(f"{name}:{value}" for name, value in kept)


def _head(root: ET.Element, about: About, size: tuple[float, float], classes: dict[str, str]) -> None:
    width, height = (f"{side:g}" for side in size)
    root.attrib.pop("version", None)
    root.attrib.update({"width": width, "height": height, "viewBox": f"0 0 {width} {height}"})
    root.attrib.update({"role": "img", "aria-labelledby": "title description", _LANG: about.language})
    for position, (tag, text) in enumerate(
        (("title", about.title), ("desc", about.description), ("style", _style(classes)))
    ):
        node = ET.Element(f"{{{_SVG}}}{tag}")
        if tag != "style":
            node.set("id", "title" if tag == "title" else "description")
        node.text = text
        root.insert(position, node)


def _style(classes: dict[str, str]) -> str:
    rules = [f".{name}{{{style}}}" for name, style in classes.items()]
    dark = [f".{name}{{{_dark(style)}}}" for name, style in classes.items() if _dark(style)]
    return "".join(
        (
            "svg{max-width:100%;height:auto}",
            f"*{{stroke-linejoin:round}}text{{font-family:{_FONTS};white-space:pre}}",
            *rules,
            "@media(prefers-color-scheme:dark){",
            *dark,
            "}",
        )
    )


def _dark(style: str) -> str:
    """The declarations that name a colour, in its dark form."""
    pairs = (part.split(":", 1) for part in style.split(";"))
    return ";".join(f"{name}:{palette.DARK[value]}" for name, value in pairs if value in palette.DARK)
