"""The gatherer of each kind of evidence, one module per kind beside this one.

A gatherer yields finished evidence one by one; each is on disk before it goes on. It raises BotError or
OSError for what keeps it from working: the kind then is `not_run`, and the run goes on.
"""

from collections.abc import Callable, Iterable

from bot.pipeline.evidence import energy, leak, likelihood, llama_bench, load, slots, variants
from bot.pipeline.evidence.canary import canary
from bot.pipeline.evidence.desk import Desk
from bot.pipeline.evidence.warm_chat import warm_chat
from bot.records import Evidence, EvidenceKind

Gatherer = Callable[[Desk], Iterable[Evidence]]

GATHERERS: dict[EvidenceKind, Gatherer] = {
    "warm_chat": warm_chat,
    "canary": canary,
    "llama_bench": llama_bench.gather,
    "likelihood": likelihood.gather,
    "load": load.gather,
    "energy": energy.gather,
    "variant": variants.gather,
    "slots": slots.gather,
    "leak": leak.gather,
}
