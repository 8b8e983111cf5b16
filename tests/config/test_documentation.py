"""docs/configuration.md and the shipped example keep up with the settings: each key, its default."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot import resources
from bot.config import load
from bot.config.schema import json_schema
from tests.config.test_wrong_files import GOOD

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "configuration.md"
#: The heading whose first table lists the keys of a section of the schema.
SECTIONS = {
    "General": "Settings",
    "`upstream`": "UpstreamConfig",
    "`sources`": "SourcesConfig",
    "`machine`": "MachineConfig",
    "`github`": "GithubConfig",
    "`github.commands`": "CommandsConfig",
    "`watch`": "WatchConfig",
    "`machines`": "MachineEntry",
    "`profiles`": "ProfileConfig",
    "`scenarios`": "ScenarioConfig",
    "`presets`": "PresetConfig",
}
#: Their default depends on the machine or on another key, and is told in words around a literal.
DEPENDS = {"cache", "n_predict", "judged"}
COMMENTED = re.compile(r"^( *)# ([a-z_]+): ")


def properties(section: str) -> dict[str, Any]:
    schema: dict[str, Any] = json_schema()
    found: dict[str, Any] = (schema if section == "Settings" else schema["$defs"][section])["properties"]
    return found


def table(heading: str) -> dict[str, str]:
    """Key and default of each row below that heading."""
    text = DOCUMENTATION.read_text(encoding="utf-8")
    part = re.split(rf"^##+ {re.escape(heading)}$", text, flags=re.MULTILINE)[1].split("\n##")[0]
    rows = part.split("| key | default | meaning |\n")[1].split("\n\n")[0].splitlines()[1:]
    cells = [re.split(r" *(?<!\\)\| *", row) for row in rows]
    return {row[1].strip("`"): row[2] for row in cells}


def commented(text: str) -> Iterator[str]:
    """The file with each single-line key that it only mentions, switched on."""
    for line in text.splitlines():
        yield COMMENTED.sub(r"\1\2: ", line)


@pytest.mark.parametrize("heading", SECTIONS)
def test_a_table_names_every_key_of_its_section_and_no_other(heading: str) -> None:
    keys = set(properties(SECTIONS[heading]))
    if heading == "General":  # sections have headings of their own
        keys -= {"upstream", "sources", "machine", "github", "watch", "profiles", "presets"}
    assert set(table(heading)) == keys


@pytest.mark.parametrize("heading", SECTIONS)
def test_a_default_that_the_documentation_names_is_the_true_one(heading: str) -> None:
    known = properties(SECTIONS[heading])
    for key in table(heading).keys() - DEPENDS:
        cell, true = table(heading)[key], known[key].get("default")
        if cell.startswith("`"):
            named = yaml.safe_load(cell.strip("`"))
            assert true in (named, [named]), key
        else:  # in words, because there is none
            assert true in (None, [], {}), key


def test_the_examples_of_the_documentation_load(tmp_path: Path) -> None:
    (tmp_path / "my-prompt.txt").write_text("Explain this function.")
    path = tmp_path / "config.yml"
    blocks = [
        part.split("```")[0] for part in DOCUMENTATION.read_text(encoding="utf-8").split("```yaml\n")[1:]
    ]
    for block in blocks:
        path.write_text(block + ("" if "profiles:" in block else GOOD))
        load(path)
    assert len(blocks) >= 6


def test_the_shipped_file_loads_also_with_what_it_only_mentions(tmp_path: Path) -> None:
    shipped = resources.example_config().read_text(encoding="utf-8")
    path = tmp_path / "config.yml"
    path.write_text("\n".join(commented(shipped)) + "\n", encoding="utf-8")
    before, after = load(resources.example_config()), load(path)
    assert after.machine.server == "http://127.0.0.1:8080"
    assert after.machine.isolation == "required"
    assert [str(source) for source in after.notify] == ["env:LLAMA_RELEASE_BOT_PHONE"]
    assert after.sources.base.kind == "path"
    profile = after.profiles["qwen3.6-27b"]
    assert profile.evidence == (*before.profiles["qwen3.6-27b"].evidence, "variant")
    assert list(profile.variants) == ["kv_q8"]
