"""Files that code in a sandbox may have made, read from outside of it."""

import errno
import os
import stat
from pathlib import Path

_MOST = 256 << 20


def read_plain(path: Path, most: int = _MOST) -> bytes:
    """The content of a plain file of at most `most` bytes.

    Raises OSError for anything else: a link would have another file of this machine read and told of, a pipe
    would be waited for, a device never ends.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "no plain file", str(path))
        if found.st_size > most:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return file.read(most)
