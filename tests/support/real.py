"""Whole runs of real builds: the demo's two tags, settings for a small model, one run in this process."""

import io
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import yaml
from rich.console import Console

from bot import locks
from bot.bench import runner
from bot.bench.plan import Timeouts
from bot.build.builder import BuildRequest
from bot.build.pair import build_pair
from bot.config import Settings, demo_settings, load
from bot.config.settings import default_cache
from bot.demo import sources
from bot.errors import BotError
from bot.pipeline.begin import open_mirror
from bot.pipeline.request import Request
from bot.pipeline.run import run
from bot.progress import Reporter
from bot.records import Run, Side
from bot.report.words import catalog
from tests.support.tiny_model import make_tiny_model

TAGS = ("b9553", "b9601")
_DEVICE = Path(__file__).with_name("device.c")
#: Nothing here needs longer, and a hang ends soon.
TIMEOUTS: Timeouts = {"load_s": 30.0, "stall_s": 15.0, "request_s": 60.0, "stop_s": 5.0}
_SHARED = ("builds", "ccache", "mirrors", "machine.json")

Wrapper = Mapping[Side, tuple[str, ...]]


@dataclass(frozen=True)
class Ended:
    """How one run ended: with a record (`run`) or an error; `said` is what its user read meanwhile."""

    folder: Path
    said: str
    finished: Run | None = None
    error: BotError | None = None

    @property
    def run(self) -> Run:
        """The finished record."""
        assert self.finished is not None, self.error
        return self.finished

    @property
    def code(self) -> str:
        """The code of the error that ended it."""
        assert self.error is not None, "the run came to its end"
        return self.error.code

    def statuses(self, side: Side) -> list[str]:
        """How each launch of a side ended, in the order run."""
        return [launch.status for launch in self.run.launches(side)]

    def reasons(self) -> list[str]:
        """The codes of the verdict's reasons."""
        assert self.run.verdict is not None
        return [reason.code for reason in self.run.verdict.reasons]

    def report(self, language: str) -> str:
        """The report in one language."""
        return (self.folder / f"report.{language}.md").read_text()


@cache
def real_builds() -> dict[str, Path]:
    """The folder with llama-server of each tag, in the user's cache; built where it is not there yet.

    The first call on a machine compiles for many minutes.
    """
    kept = default_cache()
    url = str(sources.prepare(kept / "demo"))
    settings = demo_settings(Path("none"), upstream=url, cache=kept)
    mirror = open_mirror(settings, _reporter(io.StringIO()))

    def request(side: Side, tag: str) -> BuildRequest:
        def export(sha: str, folder: Path) -> None:
            mirror.export(sha, folder)

        return BuildRequest(side=side, tag=mirror.named(tag), backend="cpu", cache=kept, export=export)

    smoke = make_tiny_model(kept / "test-model.gguf")
    pair = build_pair(request("base", TAGS[0]), request("head", TAGS[1]), smoke)
    folders = {built.record.tag: built.folder for built in pair}
    failed = [built.record.failure for built in pair if built.folder is None]
    assert not failed, failed
    return {tag: folder for tag, folder in folders.items() if folder}


def real_config(folder: Path, model: Path, *, machine: Any = None, **profile: Any) -> Path:
    """A config.yml below `folder` for the demo's tags and that model; `profile` overrides its profile.

    Its cache is the folder's own but for what is dear to make: builds, compiler cache and mirrors are shared.
    """
    real_builds()
    own = folder / "cache"
    own.mkdir(parents=True, exist_ok=True)
    for name in _SHARED:
        if not (own / name).is_symlink():
            (own / name).symlink_to(default_cache() / name)
    config = folder / "config.yml"
    config.write_text(yaml.safe_dump(_config(own, model, machine or {}, profile), sort_keys=False))
    return config


def _config(own: Path, model: Path, machine: dict[str, Any], profile: dict[str, Any]) -> dict[str, Any]:
    scenario = {"prompt": "coding", "prompt_tokens": 64, "n_predict": 32, "requests": 3, "judged": ["decode"]}
    defaults = {
        "model": str(model),
        "flags": "-c 1024 -t 1 -fa on",
        "margin": "15%",
        "rounds": 4,
        "evidence": [],
        "scenarios": {"coding": scenario},
    }
    return {
        "version": 1,
        "budget": "20m",
        "cache": str(own),
        "upstream": {"url": str(default_cache() / "demo" / "llama.cpp.git")},
        "machine": {"backend": "cpu", "self_test": "never", **machine},
        "profiles": {"test": defaults | profile},
    }


def ask(
    config: Path | Settings, out: Path, *, timeouts: Mapping[str, float] | None = None, **asked: Any
) -> Ended:
    """One run in this process; `asked` are the fields of `Request`, b9553 against b9601 where it names none.

    It takes no part in this machine's queue: its locks lie beside its folder.
    """
    settings = load(config) if isinstance(config, Path) else config
    request = Request(**{"base": TAGS[0], "head": TAGS[1], "out": out, **asked})
    if any(words[0].startswith("/") for words in request.wrapper.values()):
        settings = without_sandbox(settings)
    said = io.StringIO()
    place = out.parent / "locks"
    place.mkdir(parents=True, exist_ok=True)
    with (
        patch.object(locks, "_shared_folder", lambda: place),
        patch.object(runner, "DEFAULT_TIMEOUTS", {**TIMEOUTS, **(timeouts or {})}),
    ):
        try:
            finished, folder = run(settings, request, _reporter(said))
        except BotError as error:
            return Ended(out, said.getvalue(), error=error)
    return Ended(folder.path, said.getvalue(), finished=finished)


def without_sandbox(settings: Settings) -> Settings:
    """For planted servers: their scripts lie where a launch does not look, and leave marks there."""
    machine = settings.machine.model_copy(update={"isolation": "none"})
    return settings.model_copy(update={"machine": machine})


def on_device(folder: Path, token_us: int, *, mib: int = 0) -> tuple[str, ...]:
    """Words before a server that make each of its decode steps take that many microseconds at least.

    The first one takes so many `mib` of memory besides.
    """
    library = folder / f"device-{token_us}-{mib}.so"
    flags = ("-shared", "-fPIC", "-O1", f"-DDEVICE_US={token_us}", f"-DDEVICE_MIB={mib}")
    subprocess.run(["cc", *flags, "-o", library, _DEVICE, "-ldl"], check=True)
    return ("env", f"LD_PRELOAD={library}")


def with_model(folder: Path, model: Path) -> tuple[str, ...]:
    """Words before a server that make it load this model whatever `-m` names."""
    script = folder / "with-model"
    script.write_text(
        "#!/bin/sh\nserver=$1; shift\n"
        f'[ "$1" = -m ] && {{ shift 2; set -- -m {model} "$@"; }}\n'
        'exec "$server" "$@"\n'
    )
    script.chmod(0o755)
    return (str(script),)


def left_running(folder: Path) -> list[str]:
    """The command lines of all other processes that name this folder or work in it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            place = str((process / "cwd").readlink())
        except OSError:
            continue
        if f"{folder}/" in line or f"{place}/".startswith(f"{folder}/"):
            found.append(line)
    return found


def _reporter(stream: io.StringIO) -> Reporter:
    return Reporter(catalog("en").text, Console(file=stream, width=200, soft_wrap=True))
