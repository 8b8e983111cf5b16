"""Programs beside the server and llama-bench, which only some profiles need: added to a finished build.

Their absence makes no build a failed one, and they are no part of its key: the same folder serves profiles
with and without them.
"""

from contextlib import suppress
from pathlib import Path

from bot.build import options as table
from bot.build.cmake import StepError, Steps, default_jobs
from bot.build.layout import Folder, hashes
from bot.build.toolchain import Toolchain
from bot.isolation import Level
from bot.records import Build

PERPLEXITY = "llama-perplexity"


def added(
    folder: Folder,
    record: Build,
    tools: Toolchain,
    names: tuple[str, ...],
    cache: Path,
    *,
    level: Level = "auto",
) -> Build:
    """The finished build's record with these programs among its binaries, as far as they compile.

    To be called by the holder of the folder's lock. A kill in the middle costs one compilation from ccache.
    Raises BotError (exit 4) when the disk is full.
    """
    missing = tuple(name for name in names if name not in record.binaries)
    if record.status != "ok" or not missing:
        return record
    tree = table.known(folder.src)
    programs = table.programs(tree, missing)
    git = folder.root / "git" if tree.asks_git else None
    steps = Steps(folder, tools, cache, tuple(programs.values()), git, level)
    with suppress(StepError):  # what it left in the folder is known from here on all the same
        steps.compile(default_jobs(record.backend), None)
    folder.name_programs(programs)
    record = record.model_copy(update={"binaries": hashes(folder.bin)})
    folder.finish(record)
    return record
