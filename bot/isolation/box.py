"""What one command needs of the machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

#: `required`: nothing is started where any of `CODES` cannot be had. `auto`: what there is. `none`: nothing.
Level = Literal["auto", "required", "none"]
#: What a sandbox keeps the command from: any network but its own loopback, other processes, other files.
CODES = ("network", "pid", "filesystem")


@dataclass(frozen=True)
class Box:
    """Paths that a command may write to and read, besides the system's programs and libraries.

    Of a path that does not exist nothing is shown. `gpus`: whether the GPUs' device files are there. A folder
    of `writes` is made where it is missing.
    """

    writes: tuple[Path, ...] = ()
    reads: tuple[Path, ...] = ()
    gpus: bool = False
    level: Level = "auto"


#: Nothing besides the system, as far as that can be had.
PLAIN = Box()
