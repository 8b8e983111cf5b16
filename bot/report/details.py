"""What stands in the folds: every metric, every launch, the machine, the commands. Plain data, formatted."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bot.records import SIDES, Build, Comparison, Launch, Reason, Round, Run, Side
from bot.report import numbers
from bot.report.costs import costs
from bot.report.outlook import doubt, has_spread
from bot.report.rows import Row, metric_rows

#: The Hodges-Lehmann estimate further off than this: the change is driven by few rounds (measuring.md).
_FEW_ROUNDS = 0.01
#: Whose checksums are printed; the libraries' stand in the record.
_PROGRAMS = ("llama-server", "llama-bench")


@dataclass(frozen=True)
class MetricLine:
    """One metric in full; `remarks` are codes of `remark-*` messages.

    `interval` and `spread` are empty where there were too few rounds to know them.
    """

    row: Row
    interval: str
    level: str
    rounds: int
    spread: str
    remarks: tuple[Reason, ...]


@dataclass(frozen=True)
class LaunchLine:
    """One launch: its round from 1, its side, why it does not count (empty: it does), its numbers."""

    round: str
    side: Side
    problem: str
    seconds: str
    memory: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Fact:
    """One line of the environment: `name` is a message `env-<name>`, the value is outside text."""

    name: str
    value: str


@dataclass(frozen=True)
class Commands:
    """One side's commands, quoted for a shell, in the order to be run."""

    tag: str
    lines: tuple[str, ...]


def metric_lines(run: Run) -> tuple[MetricLine, ...]:
    """Every metric that was measured, in the profile's order."""
    margin, pairs = run.profile.margin, zip(_measured(run), metric_rows(run), strict=True)
    return tuple(_metric_line(item, row, margin) for item, row in pairs)


def launch_lines(run: Run) -> tuple[LaunchLine, ...]:
    """Every launch in the order run, the warm-up pair and reruns included."""
    rounds = ((run.warmup,) if run.warmup else ()) + run.rounds
    columns = _measured(run)
    return tuple(
        _launch_line(launch, "0" if item is run.warmup else _place(item), columns)
        for item in rounds
        for launch in item.launches
    )


def failed_launches(run: Run) -> dict[str, tuple[LaunchLine, ...]]:
    """The launches that do not count, by their problem."""
    lines = [line for line in launch_lines(run) if line.problem]
    codes = dict.fromkeys(line.problem for line in lines)
    return {code: tuple(line for line in lines if line.problem == code) for code in codes}


def launch_columns(run: Run) -> tuple[Row, ...]:
    """The metrics of the launch table."""
    return metric_rows(run)


def environment(run: Run) -> tuple[Fact, ...]:
    """Where and with what it ran; what is not known is left out."""
    return tuple(dict.fromkeys(Fact(name, value) for name, value in _environment(run) if value))


def memory_units(run: Run) -> dict[str, str] | None:
    """KiB of KV cache per token (the GPU's share) and MiB per layer, as the headroom counts them."""
    each = costs(run)
    if each.token is None or run.memory is None or run.memory.source != "nvml":
        return None
    return {"kib": f"{each.token * 1024:.1f}", "layer": numbers.mib(each.layer) if each.layer else ""}


def isolation(run: Run) -> tuple[str, ...]:
    """What every launch was shut off from (what only some reached is not claimed)."""
    return _common([launch.isolation for launch in run.launches()])


def build_isolation(run: Run) -> tuple[str, ...]:
    """What compiling both sides was shut off from; that no process is left matters to launches alone."""
    reached = _common([build.isolation for side in SIDES if (build := run.build(side)) is not None])
    return tuple(item for item in reached if item != "leash")


def _common(reached: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(item for item in (reached[0] if reached else ()) if all(item in one for one in reached))


def commands(run: Run) -> tuple[Commands, ...]:
    """Each side's build and start commands, verbatim."""
    found = (_commands(run, side) for side in (SIDES[:1] if run.pair.is_self_test else SIDES))
    return tuple(item for item in found if item.lines)


def bench_command(run: Run) -> str:
    """The command that asks the same question again."""
    if run.asked_by == "demo":
        return "llama-release-bot demo"
    preset = ["--preset", run.profile.preset] if run.profile.preset else []
    pair = ["--base", run.pair.base.name, "--head", run.pair.head.name]
    sources = [word for build in run.builds for word in _source(build)]
    return shlex.join(["llama-release-bot", "run", *pair, *sources, "--profile", run.profile.name, *preset])


def _source(build: Build) -> tuple[str, ...]:
    """The option that takes a side from elsewhere than a build; a user's folder is not named in records."""
    if build.source == "build":
        return ()
    vulkan = any("-vulkan-" in name for name in build.archives)
    source = "path:FOLDER" if build.source == "path" else "archive:vulkan" if vulkan else "archive"
    return f"--{build.side}-source", source


def _measured(run: Run) -> tuple[Comparison, ...]:
    return tuple(item for item in run.comparisons if item.rounds)


def _metric_line(item: Comparison, row: Row, margin: float) -> MetricLine:
    known = has_spread(item)
    return MetricLine(
        row=row,
        interval=numbers.interval(*item.change_interval) if known else "",
        level=numbers.share(item.level),
        rounds=item.rounds,
        spread=numbers.spread(item.sd_round) if known else "",
        remarks=tuple(_remarks(item, margin)),
    )


def _remarks(item: Comparison, margin: float) -> Iterator[Reason]:
    for code in ("below_resolution", "small_but_real"):
        if getattr(item, code):
            yield Reason(code=code)
    if why := doubt(item, margin):
        yield Reason(code=why, args={"rounds_needed": item.rounds_needed or 0})
    if abs(item.hodges_lehmann - item.effect) > _FEW_ROUNDS:
        effect = -item.hodges_lehmann if item.kind == "ttft" else item.hodges_lehmann
        yield Reason(code="few_rounds", args={"change": numbers.change(effect)})
    if item.slow_base or item.slow_head:
        slow = {"slow_base": item.slow_base, "slow_head": item.slow_head, "rounds": item.rounds}
        yield Reason(code="slow_launches", args={**slow})
    if item.method == "pairs":
        yield Reason(code="pairs")


def _place(item: Round) -> str:
    return f"{item.index + 1}" + (f".{item.attempt}" if item.attempt else "")


def _launch_line(launch: Launch, place: str, columns: tuple[Comparison, ...]) -> LaunchLine:
    peak = next((trace for trace in launch.memory if trace.source == "nvml"), None)
    peak = peak or next(iter(launch.memory), None)
    return LaunchLine(
        round=place,
        side=launch.side,
        problem=launch.invalid or ("" if launch.status == "ok" else launch.status),
        seconds=numbers.seconds(launch.seconds.get("total")),
        memory=numbers.mib(peak.peak_mib) if peak else "",
        values=tuple(_value(launch, column) for column in columns),
    )


def _value(launch: Launch, item: Comparison) -> str:
    values = launch.values(item.scenario, item.kind)
    return numbers.metric(item.kind, median(values)) if values else ""


def _environment(run: Run) -> Iterator[tuple[str, str]]:
    machine, model = run.machine, run.profile.model
    yield "cpu", machine.cpu
    yield "ram", numbers.gib(machine.ram_mib)
    yield "os", f"{machine.os} · {machine.kernel}"
    if machine.gpu:
        gpu = machine.gpu
        yield "gpu", f"{gpu.name} · {numbers.mib(gpu.total_mib)} MiB"
        yield "driver", gpu.driver
    yield "model", f"{model.name} · {numbers.mib(model.size_mib)} MiB · sha256 {model.sha256}"
    for build in run.builds:
        tools = ", ".join(f"{tool.name} {tool.version}" for tool in build.tools)
        yield "build", f"{build.tag} · {build.sha} · {build.backend} · {tools}"
        yield "options", " ".join(_options(build))
        yield "binaries", _digests(build)
        yield from (("archive", f"{name} · sha256 {digest}") for name, digest in build.archives.items())
        yield "own", f"{build.tag} · {build.version}" if build.source == "path" else ""
    found = run.upstream_trouble
    if found and found.answered and not found.items:
        yield "issues", f"0 · {found.looked_up_at[:16].replace('T', ' ')} UTC"


def _options(build: Build) -> Iterator[str]:
    """The build options that do not stand in the commands below anyway."""
    said = {word for command in build.commands for word in command}
    options = (f"-D{name}={value}" for name, value in build.options.items())
    return (option for option in options if option not in said)


def _digests(build: Build) -> str:
    """The programs' checksums; of the libraries beside them only how many there are."""
    programs = [name for name in _PROGRAMS if name in build.binaries]
    if not programs:
        return ""
    others = len(build.binaries) - len(programs)
    shown = [f"{name} {build.binaries[name][:16]}" for name in programs]
    return " · ".join([build.tag, *shown, *([f"+{others} .so"] if others else [])])


def _commands(run: Run, side: Side) -> Commands:
    build = run.build(side)
    launches = [launch for launch in run.launches(side) if launch.argv]
    start = next((launch for launch in launches if launch.is_valid), next(iter(launches), None))
    lines = [shlex.join(command) for command in (build.commands if build else ())]
    return Commands(
        run.pair.base.name if side == "base" else run.pair.head.name,
        tuple(lines + ([shlex.join(start.argv)] if start else [])),
    )
