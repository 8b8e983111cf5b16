"""What the two sides' servers say of themselves, compared: equal flags are not equal configurations. Pure."""

from bot.records import Difference, ServerFacts, Value

#: Keys of /props that differ between any two builds, or whose difference is no property of the comparison.
_EXPECTED = frozenset({"build_info"})
_BLOCKING = frozenset({"n_ctx", "total_slots", "model"})
#: A buffer is worth a word from this difference on: less is rounding and alignment.
BUFFER_TOLERANCE_MIB = 8.0


def compare_facts(base: ServerFacts, head: ServerFacts) -> tuple[Difference, ...]:
    """Every difference worth showing, blocking ones first, where the model lies before all.

    Blocking: context length, slots, model file, offloaded layers, devices. Shown only: chat template and the
    other properties, buffers that moved by more than `BUFFER_TOLERANCE_MIB`. A fact that one side's build
    does not report is no difference.
    """
    found = [*_placement(base, head), *_props(base, head), *_buffers(base, head)]
    return tuple(sorted(found, key=lambda item: not item.blocks))


def _props(base: ServerFacts, head: ServerFacts) -> list[Difference]:
    shared = sorted(set(base.props) & set(head.props) - _EXPECTED)
    return [
        _difference(name, base.props[name], head.props[name], blocks=name in _BLOCKING)
        for name in shared
        if base.props[name] != head.props[name]
    ]


def _placement(base: ServerFacts, head: ServerFacts) -> list[Difference]:
    found = []
    if base.offloaded and head.offloaded and base.offloaded != head.offloaded:
        sides = ("/".join(str(part) for part in side.offloaded or ()) for side in (base, head))
        found.append(_difference("offloaded_layers", *sides, blocks=True))
    if base.devices and head.devices and base.devices != head.devices:
        found.append(_difference("devices", ", ".join(base.devices), ", ".join(head.devices), blocks=True))
    return found


def _buffers(base: ServerFacts, head: ServerFacts) -> list[Difference]:
    if not (base.buffers and head.buffers):
        return []
    names = sorted(set(base.buffers) | set(head.buffers))
    pairs = [(name, base.buffers.get(name, 0.0), head.buffers.get(name, 0.0)) for name in names]
    return [
        _difference(f"buffer:{name}", f"{before:.2f} MiB", f"{after:.2f} MiB", blocks=False)
        for name, before, after in pairs
        if abs(after - before) > BUFFER_TOLERANCE_MIB
    ]


def _difference(name: str, base: Value, head: Value, *, blocks: bool) -> Difference:
    return Difference(name=name, base=str(base), head=str(head), blocks=blocks)
