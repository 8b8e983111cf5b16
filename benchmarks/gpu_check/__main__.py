"""One run of the whole pipeline on this machine's GPU, and a table of what it showed (`gpu_check.sh`)."""

import argparse
import importlib.util
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

from benchmarks.gpu_check.rows import Row, rows
from benchmarks.gpu_check.sources import tag_of, trimmed
from bot.config import load
from bot.demo.repository import lay_tags
from bot.errors import BotError
from bot.gpu import nvml
from bot.pipeline import writing
from bot.pipeline.request import Request
from bot.pipeline.run import run
from bot.progress import Reporter
from bot.records import Run
from bot.report.words import catalog

#: Seconds for everything; what is left after the build is the measurement's.
LIMIT_S = 520.0
_ROUNDS_S = 150
_SCENARIOS = {
    "coding": {
        "prompt": "coding",
        "prompt_tokens": 512,
        "n_predict": 128,
        "requests": 3,
        "judged": ["prefill", "decode"],
    },
    "document": {
        "prompt": "document",
        "prompt_tokens": 1536,
        "n_predict": 16,
        "requests": 3,
        "judged": ["ttft", "prefill"],
    },
}


def main() -> int:
    """Run, check, print. Returns 0, or 1 when a check is missed or there is nothing to check."""
    asked = _arguments()
    began = float(os.environ.get("GPU_CHECK_BEGAN", time.time()))
    out = asked.out or Path(tempfile.mkdtemp(prefix="gpu-check-"))
    out.mkdir(parents=True, exist_ok=True)
    reporter = Reporter(catalog("en").text)
    try:
        gpus = [] if asked.plumbing else nvml.devices()
        if not gpus and not asked.plumbing:
            return _say(asked, [Row("GPU by NVML", "none", "", "one", False)])
        if importlib.util.find_spec("matplotlib") is None:
            writing.charts = lambda *_: {}  # type: ignore[attr-defined] # left out of what is handed over, for its weight
        tags = _tags(asked, out)
        request = Request(base=tags[0], head=tags[-1], out=out / "run", probe=asked.model is not None)
        finished, _ = run(load(_config(asked, out)), request, reporter)
    except BotError as error:
        reporter.say("written", text=catalog("en").error(error))
        return _say(asked, [Row("run", error.code, "", "finished", False)])
    return _say(asked, _checked(asked, finished, time.time() - began))


def _checked(asked: argparse.Namespace, finished: Run, wall_s: float) -> list[Row]:
    title = [Row("PLUMBING ONLY", "no GPU was used: this says nothing of one")] if asked.plumbing else []
    found = rows(finished, wall_s=wall_s, limit_s=asked.limit, on_gpu=not asked.plumbing)
    return [*title, *found]


def _tags(asked: argparse.Namespace, out: Path) -> list[str]:
    """The trees as tags of a repository below `out`, base first."""
    sources = [source for source in (asked.source, asked.other) if source]
    names = [tag_of(source, f"b{number}") for number, source in enumerate(sources, 1)]
    if len(set(names)) < len(names):
        names = [f"b{number}" for number in range(1, len(sources) + 1)]
    tarballs = {
        name: trimmed(source, out / f"{name}.tar.gz") for name, source in zip(names, sources, strict=True)
    }
    lay_tags(out / "llama.cpp.git", tarballs)
    return names


def _config(asked: argparse.Namespace, out: Path) -> Path:
    profile: dict[str, Any] = {
        "model": str(_model(asked, out)),
        "flags": asked.flags,
        "margin": "5%",
        "rounds": 6,
        "evidence": [],
        "scenarios": _SCENARIOS,
    }
    machine = {"backend": "cpu" if asked.plumbing else "cuda", "self_test": "never"}
    config = {
        "version": 1,
        "budget": f"{_ROUNDS_S}s",
        "cache": str(asked.cache or out / "cache"),
        "upstream": {"url": str(out / "llama.cpp.git"), "issues": "none"},
        "machine": machine,
        "profiles": {"gpu-check": profile},
    }
    path = out / "config.yml"
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    return path


def _model(asked: argparse.Namespace, out: Path) -> Path:
    if asked.model:
        return Path(asked.model).resolve()
    from tests.support.tiny_model import make_tiny_model  # noqa: PLC0415 - a real model needs none

    return make_tiny_model(out / "tiny.gguf")


def _say(asked: argparse.Namespace, found: list[Row]) -> int:
    if asked.json:
        sys.stdout.write(json.dumps([row.as_json() for row in found], indent=1) + "\n")
    else:
        table = Table("", "", "", "target", "")
        for row in found:
            mark = "" if row.ok is None else "ok" if row.ok else "MISSED"
            table.add_row(row.name, str(row.value), row.unit, row.target, mark)
        Console(width=140).print(table)
    return 1 if any(row.ok is False for row in found) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--other", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--flags", default="-ngl 999 -c 4096 -fa on")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--cache", type=Path, help="builds and compiler cache; default: below --out")
    parser.add_argument("--limit", type=float, default=LIMIT_S)
    parser.add_argument("--plumbing", action="store_true")
    parser.add_argument("--json", action="store_true")
    for read_by_the_shell in ("--wheels", "--venv"):
        parser.add_argument(read_by_the_shell, type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
