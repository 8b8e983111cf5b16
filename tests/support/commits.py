"""Commits and ranges for tests: small made-up ones, and the real ranges kept beside the checkout."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.changelog.circumstances import Circumstances, read_flags
from bot.records import Commit, FileChange

SHARED = Path(__file__).parents[3] / "shared"
#: The judge's persona for the 2026 ranges.
PERSONA = Circumstances(
    backend="cuda",
    architecture="qwen35",
    model="Qwen3.6-27B-Q4_K_M.gguf",
    quantization="q4_k_m",
    layers=64,
    flags=read_flags(["-ngl", "50", "-c", "98304", "-b", "1024", "-fa", "on"]),
)
#: The judge's persona for 2024-2025: a dense 27B model, nothing else known.
OLD_PERSONA = Circumstances(backend="cuda")


def commit(
    subject: str, *paths: str, sha: str = "", body: str = "", pr: int | None = None, size: int = 10
) -> Commit:
    """A commit that changed `size` lines in each path; its SHA comes from the subject unless given."""
    digest = sha or subject.encode().hex().ljust(40, "0")[-40:]
    files = tuple(FileChange(path=path, added=size, deleted=0) for path in paths)
    return Commit(sha=digest, subject=subject, body=body, pr=pr, files=files)


def real_range(name: str) -> list[Commit]:
    """A real tag range, oldest first."""
    return [Commit.model_validate(row) for row in _load(SHARED / "ranges" / f"{name}.json")]


def gold(name: str) -> Any:
    """What a careful reader would have picked, or `tricky`."""
    return _load(SHARED / "gold" / f"{name}.json")


def _load(path: Path) -> Any:
    if not path.is_file():
        pytest.skip(f"LOUD: {path.name} is missing, the changelog is NOT checked against real ranges")
    return json.loads(path.read_text(encoding="utf-8"))
