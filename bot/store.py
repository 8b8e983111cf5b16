"""The one door to a run's files: JSON in, JSON out, written atomically."""

import json
import os
import tempfile
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from bot.errors import environment, usage
from bot.records import SCHEMA, Run

Model = TypeVar("Model", bound=BaseModel)


def write_bytes(path: Path, data: bytes) -> None:
    """Replace `path` in one step; a reader sees the old bytes or the new ones, never half.

    Raises BotError (exit 4) when the disk is full or the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise environment("cannot-write", path=str(path), why=error.strerror or str(error)) from error


def write_text(path: Path, text: str) -> None:
    """As `write_bytes`, in UTF-8."""
    write_bytes(path, text.encode())


def write_json(path: Path, data: Any) -> None:  # noqa: ANN401 - whatever json can write
    """As `write_bytes`: indented, keys in the order given, with a final newline."""
    write_text(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def save(path: Path, record: BaseModel) -> None:
    """Write a record; defaults included, so that an old file never changes its meaning."""
    write_json(path, record.model_dump(mode="json", by_alias=True))


def load(path: Path, kind: type[Model]) -> Model:
    """Read a record back. Raises BotError (exit 2) for anything that is not one."""
    return _validated(path, kind, _read(path))


def load_run(path: Path) -> Run:
    """Read a `run.json` of this or any older schema. Raises BotError (exit 2)."""
    return _run(path, _read(path))


def parse_run(text: str, path: Path) -> Run:
    """As `load_run`, from its text; `path` is for messages."""
    try:
        return _run(path, json.loads(text))
    except ValueError as error:
        raise usage("not-json", path=str(path), why=str(error)) from error


def _run(path: Path, data: Any) -> Run:  # noqa: ANN401 - whatever stands in the file
    schema = data.get("schema") if isinstance(data, dict) else None
    if type(schema) is not int or schema < 1:
        raise usage("not-a-run", path=str(path))
    if schema > SCHEMA:
        raise usage("run-too-new", path=str(path), found=schema, known=SCHEMA)
    return _validated(path, Run, data)


def _read(path: Path) -> Any:  # noqa: ANN401 - whatever stands in the file
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise usage("cannot-read", path=str(path), why=error.strerror or str(error)) from error
    except ValueError as error:
        raise usage("not-json", path=str(path), why=str(error)) from error


def _validated(path: Path, kind: type[Model], data: object) -> Model:
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the top"
        raise usage("bad-record", path=str(path), where=where, why=first["msg"]) from error
