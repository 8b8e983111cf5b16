"""Asks CUDA's libraries for their versions; prints them as one JSON object.

Runs as a program of its own, because a library that is loaded cannot be put away again:
`runtime_probe.py LIBRARY...`. Prints {"cudart": "12.8", "cublas": "12.8.4"}, without what does not tell.
"""

import ctypes
import json
import sys
from pathlib import Path


def main(paths: list[str]) -> None:
    """Print the versions of these libraries."""
    asked = {"libcudart": _runtime, "libcublas": _cublas}
    found = {}
    for path in paths:
        kind = Path(path).name.partition(".so")[0]
        try:
            found[kind.removeprefix("lib")] = asked[kind](ctypes.CDLL(path))
        except (OSError, KeyError, AttributeError):
            continue
    print(json.dumps(found))  # noqa: T201 - this is its answer


def _runtime(library: ctypes.CDLL) -> str:
    """cudaRuntimeGetVersion: 1000 x major + 10 x minor."""
    version = ctypes.c_int()
    library.cudaRuntimeGetVersion(ctypes.byref(version))
    return f"{version.value // 1000}.{version.value % 1000 // 10}"


def _cublas(library: ctypes.CDLL) -> str:
    """cublasGetProperty: 0, 1, 2 are major, minor and patch level."""
    parts = []
    for place in range(3):
        value = ctypes.c_int()
        library.cublasGetProperty(place, ctypes.byref(value))
        parts.append(str(value.value))
    return ".".join(parts)


if __name__ == "__main__":
    main(sys.argv[1:])
