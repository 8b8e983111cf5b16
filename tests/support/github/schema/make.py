"""Makes `openapi.json` and `schema.graphql` anew: `python -m tests.support.github.schema.make` (needs npm).

GitHub's own descriptions, as two npm packages publish them (MIT), cut down to the operations, types and
fields that `subset.toml` names, and to structure: no descriptions, no examples. `source.json` holds the
packages' versions and hashes, which are checked before anything is written.
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from graphql import parse, print_ast

from tests.support.github.schema.graph_subset import pruned

HERE = Path(__file__).parent
WORDS = {"description", "example", "examples", "externalDocs", "summary", "tags", "operationId", "title"}


def main() -> None:
    """Fetch, check, cut, write."""
    subset = tomllib.loads((HERE / "subset.toml").read_text())
    sources = json.loads((HERE / "source.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        rest = _member(sources["openapi"], Path(folder))
        graph = _member(sources["graphql"], Path(folder))
    document = openapi(json.loads(rest), subset["rest"])
    (HERE / "openapi.json").write_text(json.dumps(document, separators=(",", ":"), sort_keys=True) + "\n")
    text = print_ast(pruned(parse(graph.decode(), no_location=True), subset["graphql"]))
    (HERE / "schema.graphql").write_text(text + "\n")


def _member(source: dict[str, str], folder: Path) -> bytes:
    package = f"{source['package']}@{source['version']}"
    packed = subprocess.run(
        ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
    )
    archive = folder / packed.stdout.split()[-1]
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != source["sha256"]:
        sys.exit(f"{package}: sha256 is {found}, expected {source['sha256']}")
    with tarfile.open(archive) as tar:
        member = tar.extractfile(source["file"])
        assert member
        return member.read()


def openapi(full: dict[str, Any], operations: list[str]) -> dict[str, Any]:
    """The operations (`METHOD /path`), and every component that they reach."""
    paths: dict[str, Any] = {}
    for line in operations:
        method, path = line.split()
        paths.setdefault(path, {})[method.lower()] = _bare(full["paths"][path][method.lower()])
    kept: dict[str, dict[str, Any]] = {}
    _collect(paths, full["components"], kept)
    info = {"title": "GitHub REST API, subset", "version": full["info"]["version"]}
    return {"openapi": full["openapi"], "info": info, "paths": paths, "components": kept}


def _bare(node: Any, *, names: bool = False) -> Any:
    """Without words. `names`: the keys are names of properties, not of the description language."""
    if isinstance(node, list):
        return [_bare(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: _described(value) if key == "responses" and not names else _bare(value, names=_names(key, names))
        for key, value in node.items()
        if names or (key not in WORDS and not key.startswith("x-"))
    }


def _names(key: str, names: bool) -> bool:
    return key == "properties" and not names


def _described(responses: dict[str, Any]) -> dict[str, Any]:
    """A response must have a description; an empty one says nothing."""
    return {
        status: answer if "$ref" in answer else {"description": "", **_bare(answer)}
        for status, answer in responses.items()
    }


def _collect(node: Any, components: dict[str, Any], kept: dict[str, dict[str, Any]]) -> None:
    if isinstance(node, list):
        for item in node:
            _collect(item, components, kept)
    elif isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str):
            _, _, kind, name = reference.split("/")
            if name not in kept.setdefault(kind, {}):
                extra = {"description": ""} if kind == "responses" else {}
                kept[kind][name] = extra | _bare(components[kind][name])
                _collect(kept[kind][name], components, kept)
        for value in node.values():
            _collect(value, components, kept)


if __name__ == "__main__":
    main()
