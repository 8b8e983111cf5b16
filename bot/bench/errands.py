"""What a launch does besides timing scenarios, one entry per kind. Standard library only.

An errand fills `found` as it goes, so that a server that dies in the middle leaves what it answered.
"""

from collections.abc import Callable

from bot.bench.canary import canary, greedy
from bot.bench.chat import chat
from bot.bench.line import Line
from bot.bench.parallel import slots
from bot.bench.plan import Json
from bot.bench.repeated import leak

Errand = Callable[[Line, Json, Json], None]

ERRANDS: dict[str, Errand] = {
    "chat": chat,
    "canary": canary,
    "greedy": greedy,
    "slots": slots,
    "leak": leak,
}
