"""The JSON Schema of config.yml, for editors: `python -m bot.config.schema > config.schema.json`."""

import json
import sys

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from bot.config.settings import Settings


class _Plain(GenerateJsonSchema):
    """Without titles, which repeat each key in other letters, and without null, which means "left out"."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        made = super().dict_schema(schema)
        return {**made, "additionalProperties": False} if "patternProperties" in made else made

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default") is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def json_schema() -> dict[str, object]:
    """The schema (draft 2020-12), made from the settings' own types and descriptions."""
    schema = Settings.model_json_schema(by_alias=True, schema_generator=_Plain)
    return {"$schema": GenerateJsonSchema.schema_dialect, **schema}


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
