"""What README and docs/ promise is there: commands, options, exit codes, rooms, links."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from bot.cli import app
from bot.errors import Exit
from tests.test_architecture import FLOORS

ROOT = Path(__file__).parents[1]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
)
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]+))?\)")
#: `llama-release-bot doctor --actions`; tables of commands leave the program's name out.
CALL = re.compile(r"(?<![\w/])llama-release-bot ([a-z]+[^`\n#]*)")
ROW = re.compile(r"^\| (`.+?`) \|", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


@cache
def options() -> dict[str, set[str]]:
    """The options of each command."""
    group: Any = typer.main.get_command(app)
    return {
        name: {option for part in command.params for option in part.opts}
        for name, command in group.commands.items()
    }


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def must_exist(call: str) -> None:
    """Fails where the command, or one of its options, is none of the program's."""
    name = call.split(maxsplit=1)[0]
    assert name in options(), call
    assert set(OPTION.findall(call)) <= options()[name] | {"--help"}, call


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    for name, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / name) if name else page
        assert target.exists(), name
        if anchor:
            assert anchor in anchors(target), f"{name}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_calls_only_commands_and_options_that_exist(page: Path) -> None:
    for call in CALL.findall(page.read_text(encoding="utf-8")):
        must_exist(call)


def test_the_readme_lists_commands_and_options_that_exist() -> None:
    rows = ROW.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    calls = [call for row in rows for call in re.findall(r"`([^`]+)`", row)]
    assert {"run", "build", "use", "render", "changelog", "post", "doctor"} <= {
        call.split()[0] for call in calls
    }
    for call in calls:
        must_exist(call)


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "docs" / "architecture.md"], ids=lambda page: page.name
)
def test_every_exit_code_is_told(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for code in Exit:
        assert re.search(rf"(?:· |codes: |^\| ){code.value} (?:\||\w|`)", text, flags=re.MULTILINE), code


def test_every_room_stands_on_its_floor_in_the_documentation() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for number, rooms in enumerate(FLOORS, start=1):
        row = re.search(rf"^\| {number} \| (.+) \|$", text, flags=re.MULTILINE)
        assert row
        assert set(re.findall(r"`(\w+)`", row[1])) == set(rooms) - {"root"}


def test_every_room_that_is_a_folder_is_described() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in sorted(path.parent.name for path in (ROOT / "bot").glob("*/__init__.py")):
        assert f"`{room}/`" in text, room
