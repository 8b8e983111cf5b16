"""A YAML file as data, and where in the file each value stands.

Scalars follow the YAML 1.2 core schema, as editors do: `on` and `no` are text, `1:30` is no number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from bot.config.syntax import one_line, syntax_error
from bot.errors import environment, usage

Loc = tuple[str | int, ...]
CORE = "tag:yaml.org,2002:"
#: How each kind of scalar is written; anything else is text. Longer integers are text too.
SCALARS = {
    CORE + "null": r"~|null|Null|NULL|",
    CORE + "bool": r"true|True|TRUE|false|False|FALSE",
    CORE + "int": r"[-+]?(?:0|[1-9]\d{0,15})",
    CORE + "float": r"[-+]?(?:\.\d+|\d+\.\d*|\d+(?:\.\d*)?[eE][-+]?\d+)",
    CORE + "merge": r"<<",
}
SECTIONS = (CORE + "map", CORE + "seq")


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the scalars of YAML 1.2 instead of 1.1."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


for _tag, _pattern in SCALARS.items():
    _Loader.add_implicit_resolver(_tag, re.compile(rf"^(?:{_pattern})$"), None)


@dataclass(frozen=True)
class Document:
    """The file's `data`, with a look-up from a value's path to its place."""

    path: Path
    data: object
    root: MappingNode

    def line(self, loc: Loc) -> int:
        """The line (from 1) where the key or item at `loc` stands, or the nearest section above it."""
        node: Node = self.root
        mark = node.start_mark
        for step in loc:
            found = _child(node, step)
            if found is None:
                break
            mark, node = found[0].start_mark, found[1]
        return int(mark.line) + 1

    def found(self, loc: Loc) -> tuple[str, str]:
        """What stands at `loc`: its kind (value, section, list, nothing) and its text, on one line."""
        node: Node = self.root
        for step in loc:
            child = _child(node, step)
            if child is None:
                return "nothing", ""
            node = child[1]
        return _shown(node)


def read(path: Path) -> Document:
    """The document in `path`; BotError (exit 2 or 4) naming the line for anything that is no plain YAML."""
    text = _text(path)
    try:
        loader = _Loader(text)
        root = _checked(path, loader.get_single_node())
        data = _without_empty(loader.construct_document(root))
    except yaml.YAMLError as error:
        raise syntax_error(path, text, error) from error
    except RecursionError:
        raise usage("config-nested", file=str(path)) from None
    return Document(path, data, root)


def _without_empty(data: object) -> object:
    """The data without keys that nothing follows: they count as left out."""
    if isinstance(data, dict):
        return {key: _without_empty(value) for key, value in data.items() if value is not None}
    return [_without_empty(item) for item in data] if isinstance(data, list) else data


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise usage("config-missing", file=str(path)) from None
    except OSError as error:
        raise environment("cannot-read", path=str(path), why=error.strerror or str(error)) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        byte = f"0x{raw[error.start]:02X}"
        raise usage("config-encoding", file=str(path), line=str(line), byte=byte) from None


def _checked(path: Path, root: Node | None) -> MappingNode:
    if root is None or (isinstance(root, ScalarNode) and not root.value):
        raise usage("config-empty", file=str(path))
    if not isinstance(root, MappingNode):
        kind, shown = _shown(root)
        line = str(root.start_mark.line + 1)
        raise usage("config-not-a-mapping", file=str(path), line=line, kind=kind, found=shown)
    _check_node(path, root, ())
    return root


def _check_node(path: Path, node: Node, above: tuple[Node, ...]) -> None:
    where = {"file": str(path), "line": str(node.start_mark.line + 1)}
    if not _is_plain(node):
        raise usage("config-tag", **where, found=node.tag.replace(CORE, "!!"))
    if any(node is item for item in above):
        raise usage("config-recursive", **where)
    if isinstance(node, MappingNode):
        _check_duplicates(path, node)
    for child in _children(node):
        _check_node(path, child, (*above, node))


def _is_plain(node: Node) -> bool:
    """Whether the node has the kind that its text alone would give it (no `!tag` says otherwise)."""
    if not isinstance(node, ScalarNode):
        return node.tag in SECTIONS
    if node.tag == CORE + "str":
        return True
    return node.style is None and re.fullmatch(SCALARS.get(node.tag, "(?!)"), node.value) is not None


def _check_duplicates(path: Path, node: MappingNode) -> None:
    first: dict[str, int] = {}
    for key, _ in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, ScalarNode):
            raise usage("config-key-not-text", file=str(path), line=str(line))
        if key.value in first:
            earlier = str(first[key.value])
            raise usage("config-duplicate", file=str(path), line=str(line), key=key.value, first=earlier)
        first[key.value] = line


def _children(node: Node) -> Iterator[Node]:
    if isinstance(node, MappingNode):
        yield from (part for pair in node.value for part in pair)
    elif isinstance(node, SequenceNode):
        yield from node.value


def _child(node: Node, step: str | int) -> tuple[Node, Node] | None:
    """The nodes of a key and its value; an item of a list stands for both."""
    if isinstance(node, MappingNode):
        # A merged key stands before the section's own, which wins.
        pairs = [pair for pair in node.value if pair[0].value == str(step)]
        return pairs[-1] if pairs else None
    if isinstance(node, SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None


def _shown(node: Node) -> tuple[str, str]:
    if not isinstance(node, ScalarNode):
        return ("section" if isinstance(node, MappingNode) else "list"), ""
    if node.tag == CORE + "null":
        return "nothing", ""
    quote = node.style if node.style in ("'", '"') else ""
    return "value", one_line(f"{quote}{node.value}{quote}")
