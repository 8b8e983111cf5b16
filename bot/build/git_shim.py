"""A stand-in for git that answers what old trees ask at build time: which commit this is, and its number.

Trees before b5655 take neither from an option. The exported tree is no repository, and one would have to hold
the whole history for the count to be right.
"""

from pathlib import Path

_SCRIPT = """\
#!/bin/sh
case "$*" in
*--version*) echo "git version 2.0.0" ;;
*rev-list*--count*) echo {number} ;;
*rev-parse*--short*) echo {short} ;;
*rev-parse*) echo {sha} ;;
esac
"""


def write(folder: Path, sha: str, number: int) -> Path:
    """Put `git` into `folder`, which is to go before PATH; returns the folder. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "git"
    script.write_text(_SCRIPT.format(sha=sha, short=sha[:7], number=number), "ascii")
    script.chmod(0o755)
    return folder
