"""What untrusted code may see and do: its own folder, what it must read, its GPUs, a loopback; nothing else.

`Box` says what one command needs, `means` what this machine can give, `enclose` turns both into the words
before the command. The sandbox is bubblewrap's (`bwrap`), which asks no right of the user where the kernel
lets users make namespaces, and has its own (set-user-ID) where an administrator chose that.
"""

from bot.isolation.box import CODES, PLAIN, Box, Level
from bot.isolation.enclose import enclose, inner_environment
from bot.isolation.files import read_plain
from bot.isolation.means import Means, demand, forget, means
from bot.isolation.places import named_in

__all__ = [
    "CODES",
    "PLAIN",
    "Box",
    "Level",
    "Means",
    "demand",
    "enclose",
    "forget",
    "inner_environment",
    "means",
    "named_in",
    "read_plain",
]
