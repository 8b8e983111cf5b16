"""Makes the folder that is handed over to a machine with a GPU and no network: wheels, source, a model.

`gpu_check.sh --pack DIR --source TARBALL [--other TARBALL] [--python 3.12]`; at most 64 MiB in all.
"""

import argparse
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from benchmarks.gpu_check.sources import trimmed

#: What a run imports, and the programs that build; the rest of the lock is for charts, GitHub and packaging.
PACKAGES = tuple(Path(__file__).with_name("packages.txt").read_text(encoding="utf-8").split())
#: Two thirds of these wheels are never read here: other languages, other programs, tests.
_LEFT_OUT = re.compile(
    r"^babel/locale-data/(?!(root|en|zh)[_.])|^cmake/data/(doc|man|bin/(ctest|cpack|ccmake))"
    r"|^numpy/.*/tests/|^numpy/(f2py|_core/include|random/lib|_core/lib)/"
)
_LOCK = Path(__file__).parents[2] / "requirements.lock"
MOST_MIB = 64.0


def main() -> None:
    """Fill the folder, print what it weighs; exit 1 when it weighs too much."""
    asked = _arguments()
    asked.pack.mkdir(parents=True, exist_ok=True)
    pins = pinned(_LOCK.read_text(encoding="utf-8"))
    (asked.pack / "requirements.txt").write_text("\n".join(pins) + "\n", encoding="utf-8")
    _download(asked.pack, pins, asked.python)
    for wheel in asked.pack.glob("*.whl"):
        lighten(wheel)
    for place, source in enumerate(item for item in (asked.source, asked.other) if item):
        name = f"{source.name.removesuffix('.gz').removesuffix('.tar')}.trimmed-{place}.tar.gz"
        trimmed(source, asked.pack / name)
    mib = sum(path.stat().st_size for path in asked.pack.iterdir()) / 2**20
    sys.stdout.write(f"{asked.pack}: {mib:.1f} MiB (at most {MOST_MIB:.0f})\n")
    sys.exit(0 if mib <= MOST_MIB else 1)


def pinned(lock: str) -> list[str]:
    """`name==version` of each package of `PACKAGES`. Raises ValueError where the lock lacks one."""
    versions = dict(re.findall(r"^([a-z0-9-]+)==([^\s;\\]+)", lock, re.MULTILINE))
    if missing := [name for name in PACKAGES if name not in versions]:
        raise ValueError(f"not in the lock: {missing}")
    return [f"{name}=={versions[name]}" for name in PACKAGES]


def lighten(wheel: Path) -> None:
    """Write the wheel again without what is never read here."""
    with zipfile.ZipFile(wheel) as whole:
        entries = [
            (item, whole.read(item)) for item in whole.infolist() if not _LEFT_OUT.search(item.filename)
        ]
        if len(entries) == len(whole.infolist()):
            return
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as light:
        for item, data in entries:
            light.writestr(item, data, zipfile.ZIP_DEFLATED)


def _download(folder: Path, pins: list[str], python: str) -> None:
    common = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    target = ["--python-version", python, "--dest", str(folder)]
    subprocess.run([*common, *target, *pins, "pip"], check=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--other", type=Path)
    parser.add_argument("--python", default=f"{sys.version_info.major}.{sys.version_info.minor}")
    return parser.parse_args()


if __name__ == "__main__":
    main()
