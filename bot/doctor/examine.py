"""The list of checks, and how they are run: side by side, none able to stop another."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

from bot.doctor import conditions, gpu, neighbours, packages, phones, quiet, room, self_tests, sources, tools
from bot.doctor.case import Case
from bot.doctor.finding import Finding, crashed, refused
from bot.errors import BotError, Exit

Check = Callable[[Case], Iterator[Finding]]

#: By name, in the order told. What may have to wait for the network comes last.
CHECKS: dict[str, Check] = {
    "settings": conditions.settings,
    "profile": conditions.profile,
    "model": conditions.model,
    "git": sources.git,
    "tools": tools.tool_checks,
    "packages": packages.packages,
    "driver": gpu.driver,
    "gpu": gpu.gpu,
    "vram": gpu.vram,
    "ram": room.ram,
    "disk": room.disk,
    "cache": room.cache,
    "runs": room.runs,
    "isolation": neighbours.isolation,
    "environment": gpu.environment,
    "hooks": neighbours.hook_programs,
    "leftovers": neighbours.leftovers,
    "turn": neighbours.turn,
    "quiet": quiet.quiet,
    "self-test": self_tests.self_tests,
    "phone": phones.phone,
    "upstream": sources.upstream,
}

#: These look as a run itself does: where they crash, it does.
_VITAL = frozenset({"model", "tools", "driver"})


def examine(case: Case) -> Iterator[Finding]:
    """Every finding, in the order of `CHECKS`, each as soon as it and those before it are known."""
    with ThreadPoolExecutor(len(CHECKS)) as pool:
        for found in pool.map(_safely, CHECKS, CHECKS.values(), repeat(case)):
            yield from found


def exit_code(findings: list[Finding]) -> Exit:
    """Whether a run could start: warnings do not keep it from that."""
    return Exit.ENVIRONMENT if any(item.status == "missing" for item in findings) else Exit.DONE


def _safely(name: str, check: Check, case: Case) -> list[Finding]:
    try:
        return list(check(case))
    except BotError as error:
        return [refused(name, error)]
    except Exception as error:
        return [crashed(name, error, "missing" if name in _VITAL else "warning")]
