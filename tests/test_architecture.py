"""The floors of docs/architecture.md, as the imports really are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import bot

ROOT = Path(bot.__file__).parent

#: Every room on its floor; a room may import its own floor and those below.
FLOORS = tuple(
    tuple(floor.split())
    for floor in (
        "records errors flags process leash isolation streams locks store resources"
        " publish http download gguf_header root",
        "stats changelog report watch gpu build upstream demo config model hooks progress",
        "bench github",
        "pipeline delivery doctor",
        "cli",
    )
)
PURE = ("stats", "changelog", "report", "watch")
#: What a pure room may import of ours besides its own files and the records.
ALLOWED = {
    "report": {"errors", "resources"},
    "watch": {"config", "errors", "upstream"},
    "changelog": {"errors"},
}
IO = {"subprocess", "socket", "httpx", "github", "git", "pynvml", "os", "shutil", "time", "random", "sqlite3"}


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, whole names; imports only for type checkers do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typed = {id(node) for top in ast.walk(tree) if _is_typing_only(top) for node in ast.walk(top)}
    for node in ast.walk(tree):
        if id(node) in typed:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module == "bot":
                yield from (f"bot.{alias.name}" for alias in node.names)


def _is_typing_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py").replace("__init__", "root")


def ours(name: str) -> str | None:
    """The room that an imported name belongs to; None for anything that is not ours."""
    parts = name.split(".")
    if parts[0] != "bot":
        return None
    return parts[1] if len(parts) > 1 and not parts[1].startswith("_") else "root"


def test_every_room_stands_on_a_floor() -> None:
    known = {room for floor in FLOORS for room in floor}
    assert {room_of(path) for path in ROOT.rglob("*.py")} <= known


def test_no_arrow_runs_up() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    up = [
        f"{path.relative_to(ROOT)} -> {name}"
        for path in sorted(ROOT.rglob("*.py"))
        for name in imports(path)
        if (room := ours(name)) is not None and floor[room] > floor[room_of(path)]
    ]
    assert up == []


def test_pure_rooms_know_the_records_alone_and_do_no_io() -> None:
    breaches = [
        f"{path.relative_to(ROOT)} -> {name}"
        for path in sorted(ROOT.rglob("*.py"))
        if (own := room_of(path)) in PURE
        for name in imports(path)
        if name.split(".")[0] in IO
        or (
            (room := ours(name)) is not None
            and room not in {own, "records", "root"} | ALLOWED.get(own, set())
        )
    ]
    assert breaches == []
