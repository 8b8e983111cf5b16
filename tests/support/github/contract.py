"""GitHub's own descriptions as judges: of every request, and of every answer of the stand-in itself."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from graphql import GraphQLSchema, build_schema
from openapi_core import OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest, MockResponse
from openapi_core.validation.exceptions import ValidationError
from openapi_schema_validator import oas30_format_checker

from tests.support.github import assumed

HERE = Path(__file__).parent / "schema"


@cache
def document() -> dict[str, Any]:
    """The REST subset."""
    data: dict[str, Any] = json.loads((HERE / "openapi.json").read_text())
    return data


@cache
def graph() -> GraphQLSchema:
    """The GraphQL subset."""
    return build_schema((HERE / "schema.graphql").read_text())


@cache
def _openapi() -> OpenAPI:
    return OpenAPI.from_dict(document())


def judge_request(method: str, path: str, query: dict[str, str], body: bytes) -> list[str]:
    """What is wrong with a request."""
    data, kind = body or None, "application/json"
    request = MockRequest("http://stand-in", method.lower(), path, args=query, data=data, content_type=kind)
    return _judged(lambda: _openapi().validate_request(request))


def judge_answer(method: str, path: str, status: int, answer: bytes, *, template: str) -> list[str]:
    """What is wrong with an answer; statuses that the description leaves out are listed in `assumed`."""
    responses = document()["paths"][template][method.lower()]["responses"]
    if str(status) not in responses:
        if status not in assumed.UNDOCUMENTED:
            return [f"{method} {template}: status {status} is neither described nor assumed"]
        return [] if not answer or "message" in json.loads(answer) else ["an error without a message"]
    request = MockRequest("http://stand-in", method.lower(), path)
    response = MockResponse(answer, status_code=status, content_type="application/json")
    return _judged(lambda: _openapi().validate_response(request, response))


def _judged(check: Any) -> list[str]:
    try:
        check()
    except (OpenAPIError, ValidationError) as error:
        causes = getattr(error.__cause__, "schema_errors", ()) or (error.__cause__ or error,)
        return [f"{type(error).__name__}: {getattr(cause, 'message', cause)}"[:400] for cause in causes]
    return []


def filled(schema: str, data: dict[str, Any]) -> dict[str, Any]:
    """`data` with everything else that the description demands, as empty as it allows."""
    return _object(document()["components"]["schemas"][schema], data)


def filled_entry(template: str, data: dict[str, Any]) -> dict[str, Any]:
    """As `filled`, for one entry of the list that a GET of this path answers with."""
    answer = document()["paths"][template]["get"]["responses"]["200"]
    return _object(answer["content"]["application/json"]["schema"]["items"], data)


def _object(schema: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if name not in data]
    return {**data, **{name: _least(properties[name], name) for name in missing}}


def _least(schema: dict[str, Any], name: str) -> Any:
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].split("/")[-1]]
    if "enum" in schema or (schema.get("nullable") and not {"anyOf", "allOf"} & set(schema)):
        return None if schema.get("nullable") else schema["enum"][0]
    if "allOf" in schema:
        return {key: value for part in schema["allOf"] for key, value in _least(part, name).items()}
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return _least(choices[0], name)
    kind = schema.get("type", "object")
    if kind == "string":
        examples = {"uri": f"https://api.github.com/{name}", "date-time": "2026-06-01T00:00:00Z"}
        return examples.get(schema.get("format", ""), name)
    if kind == "object":
        return _object(schema, {})
    return {"integer": 0, "number": 0, "boolean": False, "array": []}[kind]


assert "date-time" in oas30_format_checker.checkers
