"""What the host did beside a launch: load, swap, steal, battery. Pure; see `bot.bench.guards`."""

from collections.abc import Callable, Iterator, Sequence

from bot.records import Backend, Guard, HostTrace, Launch, Value

#: Other processes' share of all CPUs.
LOAD_SHARE = 0.15
#: The hypervisor's share.
STEAL_SHARE = 0.01
#: Pages that some idle program asks back are no swapping (MiB; a judgement).
SWAP_MIB = 1.0
#: PSI, percent of 10 s in which something waited for memory.
PRESSURE = 5.0
#: CPU time is counted in ticks of 10 ms: what a shorter window shows is chance (seconds; a judgement).
SHORTEST_S = 2.0
#: On a machine without a GPU, what was there this often before is how that machine is.
TOLERATED_FROM = 2

Test = Callable[[HostTrace], dict[str, Value] | None]


def _load(host: HostTrace) -> dict[str, Value] | None:
    return {"percent": round(100 * host.others)} if host.others > LOAD_SHARE else None


def _steal(host: HostTrace) -> dict[str, Value] | None:
    return {"percent": round(100 * host.steal)} if host.steal > STEAL_SHARE else None


def _swap(host: HostTrace) -> dict[str, Value] | None:
    return {"mib": round(host.swapped_in_mib)} if host.swapped_in_mib >= SWAP_MIB else None


def _pressure(host: HostTrace) -> dict[str, Value] | None:
    pressure = host.pressure or 0.0
    return {"percent": round(pressure)} if pressure > PRESSURE else None


def _battery(host: HostTrace) -> dict[str, Value] | None:
    return {} if host.battery else None


_TESTS: dict[str, Test] = {
    "host_load": _load,
    "steal": _steal,
    "swapping": _swap,
    "memory_pressure": _pressure,
    "battery": _battery,
}


def look(launch: Launch, earlier: Sequence[Launch], backend: Backend) -> Iterator[Guard]:
    """The host's guards of one launch.

    With a GPU each invalidates. Without one a shared machine is the rule (the demo on two rented cores): the
    first two disturbed launches are measured again, later ones only said, so that a busy machine costs two
    reruns and never the answer.
    """
    host = launch.host
    if host is None or host.seconds < SHORTEST_S or launch.status != "ok":
        return
    for code, test in _TESTS.items():
        if (args := test(host)) is not None:
            usual = backend == "cpu" and _count(earlier, test) >= TOLERATED_FROM
            yield Guard(code=code, invalidates=not usual, args=args)
    if host.governors and host.governors != "performance":
        yield Guard(code="governor", invalidates=False, args={"governor": host.governors})


def _count(earlier: Sequence[Launch], test: Test) -> int:
    """Launches that showed the same, warm-up pair included."""
    hosts = (item.host for item in earlier)
    return sum(host is not None and host.seconds >= SHORTEST_S and test(host) is not None for host in hosts)
