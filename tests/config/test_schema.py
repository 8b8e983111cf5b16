"""The schema for editors keeps up with the settings."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from bot import resources
from bot.config import load
from bot.config.schema import json_schema, text
from tests.config.conftest import Write
from tests.config.test_wrong_files import GOOD, VALUES

ROOT = Path(__file__).parents[2]
#: Mistakes that no schema of single values shows.
BEYOND = (
    "backend: cpu",
    "default_profile",
    "codding",
    "walk",
    "nobody",
    "empty.txt",
    "xx]",
    "25h",
    "0s",
    "16\n",
    "[en, en]",
)


def test_the_committed_schema_is_the_generated_one() -> None:
    assert (ROOT / "config.schema.json").read_text(encoding="utf-8") == text()


def test_the_schema_is_valid_and_fits_the_shipped_files() -> None:
    schema = json_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)
    for path in (resources.example_config(), resources.templates() / "demo.yml"):
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        jsonschema.validate(data, schema, cls=jsonschema.Draft202012Validator)


def test_the_shipped_file_names_the_schema_in_its_first_line() -> None:
    first = resources.example_config().read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=./config.schema.json"


def test_every_key_has_a_description() -> None:
    schema: dict[str, Any] = json_schema()
    for section in (schema, *schema["$defs"].values()):
        for name, part in section["properties"].items():
            assert part.get("description"), name


@pytest.mark.parametrize("value", [text for text, _ in VALUES if not any(word in text for word in BEYOND)])
def test_what_the_program_refuses_the_editor_underlines(value: str) -> None:
    schema = json_schema()
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(value), schema, cls=jsonschema.Draft202012Validator)


@pytest.mark.parametrize(
    "value",
    [
        "budget: 1h30m\n",
        "languages: [en]\n",
        "    margin: 0.05\n",
        "    flags: [-ngl, 50]\n",
        "machine: {before: [[a, b]]}\n",
    ],
)
def test_what_the_program_takes_the_editor_takes(write: Write, value: str) -> None:
    load(write(GOOD + value))
    jsonschema.validate(yaml.safe_load(GOOD + value), json_schema(), cls=jsonschema.Draft202012Validator)


def test_the_schema_is_json_with_a_final_newline() -> None:
    assert json.loads(text()) == json_schema()
    assert text().endswith("}\n")
