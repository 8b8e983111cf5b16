"""A JSON list of commits, as other tools write it: `[{sha, subject, body, files: [{path, …}], pr}]`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bot.errors import usage
from bot.records import Commit, FileChange


def read_commits(path: Path) -> tuple[Commit, ...]:
    """The commits of a file, in its order (oldest first); keys that nobody needs are passed over.

    Raises BotError (exit 2) naming the entry that is no commit.
    """
    rows = _read(path)
    if not isinstance(rows, list):
        raise usage("commits-no-list", path=str(path))
    return tuple(_commit(path, number, row) for number, row in enumerate(rows, start=1))


def _read(path: Path) -> Any:  # noqa: ANN401 - whatever stands in the file
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise usage("cannot-read", path=str(path), why=error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        raise usage("commits-no-json", path=str(path), why=str(error)) from error


def _commit(path: Path, number: int, row: object) -> Commit:
    if not isinstance(row, dict):
        raise usage("commits-entry", path=str(path), number=number, where="{}")
    try:
        return Commit.model_validate(_known(Commit.model_fields, row) | {"files": _files(row.get("files"))})
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise usage("commits-entry", path=str(path), number=number, where=where) from error


def _files(rows: object) -> object:
    """Paths alone are enough; anything else than a list is left to the record to refuse."""
    if not isinstance(rows, list):
        return rows if rows is not None else ()
    return tuple(
        {"path": row} if isinstance(row, str) else _known(FileChange.model_fields, row) for row in rows
    )


def _known(fields: Mapping[str, Any], row: object) -> dict[str, Any]:
    """The keys that a record has, without nulls: those stand for what is unknown."""
    if not isinstance(row, dict):
        return {}
    return {key: _sound(value) for key, value in row.items() if key in fields and value is not None}


def _sound(value: object) -> object:
    """Text without lone surrogates, which JSON can hold and no file can."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
