"""The stand-in is honest: what it or a client says wrongly by GitHub's own descriptions is found."""

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from graphql import validate_schema

from bot.github import queries
from tests.support.github import contract, graph, rest
from tests.support.github.faults import Call, Fault, Faults
from tests.support.github.places import REPO, TOKEN, populate
from tests.support.github.rest import Reply
from tests.support.github.server import Github

SCHEMA = Path(contract.__file__).parent / "schema"
DOCUMENTS = [name for name in dir(queries) if name.isupper() and not name.startswith("_")]


@pytest.fixture
def lenient() -> Any:
    """A stand-in whose violations are for the test to look at."""
    made = Github()
    populate(made.world)
    made.start()
    yield made
    made.stop()


def send(github: Github, method: str, path: str, body: object = None) -> httpx.Response:
    return httpx.request(
        method, github.url + path, headers={"authorization": f"Bearer {TOKEN}"}, json=body, timeout=30
    )


def test_a_request_that_github_would_refuse_is_found(lenient: Github) -> None:
    send(lenient, "POST", f"/repos/{REPO}/issues/1/comments", {"text": "hello"})
    assert lenient.violations == ["InvalidRequestBody: 'body' is a required property"]
    send(lenient, "POST", f"/repos/{REPO}/issues/comments/1/reactions", {"content": "eye"})
    assert any("'eye' is not one of" in found for found in lenient.violations)


def test_a_path_that_github_does_not_have_is_found(lenient: Github) -> None:
    assert send(lenient, "GET", f"/repos/{REPO}/discussions/3").status_code == 404
    assert lenient.violations == [f"GET /repos/{REPO}/discussions/3: not in the stand-in's subset"]


def test_a_query_that_github_would_not_understand_is_found(lenient: Github) -> None:
    address = lenient.url.replace("/api/v3", "/api/graphql")
    httpx.post(
        address, headers={"authorization": f"Bearer {TOKEN}"}, json={"query": "query { viewer { salary } }"}
    )
    assert lenient.violations == ["GraphQL: Cannot query field 'salary' on type 'User'."]


def test_a_lie_of_the_stand_in_is_found(lenient: Github, monkeypatch: pytest.MonkeyPatch) -> None:
    operation = "GET /repos/{owner}/{repo}/releases/tags/{tag}"

    def lie(*_: object) -> Reply:
        return Reply(200, {"id": "one", "tag_name": "v1"})

    monkeypatch.setitem(rest.HANDLERS, operation, lie)
    send(lenient, "GET", f"/repos/{REPO}/releases/tags/v1")
    assert any("'one' is not of type 'integer'" in found for found in lenient.violations)
    assert any("'html_url' is a required property" in found for found in lenient.violations)


def test_a_status_that_nobody_described_is_found(lenient: Github, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rest.HANDLERS, "GET /rate_limit", lambda *_: Reply(418, {"message": "tea"}))
    send(lenient, "GET", "/rate_limit")
    assert lenient.violations == ["GET /rate_limit: status 418 is neither described nor assumed"]


def test_an_unknown_token_gets_nothing(lenient: Github) -> None:
    answer = httpx.get(f"{lenient.url}/repos/{REPO}", headers={"authorization": "Bearer nobody"})
    assert (answer.status_code, answer.json()["message"]) == (401, "Bad credentials")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_of_ours_fits_githubs_schema(name: str) -> None:
    assert graph.faults_of(getattr(queries, name)) == []


def test_the_schemas_are_valid_small_and_of_known_origin() -> None:
    assert validate_schema(contract.graph()) == []
    assert (SCHEMA / "openapi.json").stat().st_size < 120_000
    assert (SCHEMA / "schema.graphql").stat().st_size < 20_000
    for source in json.loads((SCHEMA / "source.json").read_text()).values():
        assert source["package"].startswith("@octokit/")
        assert len(source["sha256"]) == hashlib.sha256().digest_size * 2


def test_the_descriptions_hold_structure_only() -> None:
    text = (SCHEMA / "openapi.json").read_text()
    assert '"example' not in text and '"summary"' not in text
    descriptions = {part.split('"', 2)[1] for part in text.split('"description":')[1:] if part[0] == '"'}
    assert descriptions <= {""}
    assert '"""' not in (SCHEMA / "schema.graphql").read_text()


def test_every_operation_of_the_subset_is_served() -> None:
    described = {
        f"{method.upper()} {path}"
        for path, methods in contract.document()["paths"].items()
        for method in methods
    }
    assert set(rest.HANDLERS) == described


def test_a_fault_happens_to_the_calls_that_fit_and_as_often_as_asked() -> None:
    faults = Faults([Fault("502", lambda call: call.write, 2), Fault("graphql_forbidden", lambda _: True)])

    def call(*, write: bool, graphql: bool = False) -> Call:
        return Call("GET", "/", write, graphql, 0.0)

    assert faults.take(call(write=False)) is None
    assert [faults.take(call(write=True)) for _ in range(3)] == ["502", "502", None]
    assert faults.take(call(write=False, graphql=True)) == "graphql_forbidden"
