"""The command line as a workflow's job starts it, with a clock that only a test moves.

`run` is answered from the folder `$RECORDED`: `run.json` and `exit` (a code); the rest is the program itself.
"""

import os
import shutil
import sys
from pathlib import Path

#: Not this folder: its package `github` is not PyGithub's.
sys.path[0] = str(Path(__file__).parents[2])

from bot import cli, http  # noqa: E402


def main() -> None:
    """Be the command line, or the recorded run."""
    recorded = Path(os.environ["RECORDED"])
    if sys.argv[1] == "run":
        _run(recorded, dict(zip(sys.argv[2::2], sys.argv[3::2], strict=True)))
    http.SystemClock.now = lambda self: float((recorded / "clock").read_text())  # type: ignore[method-assign]
    http.SystemClock.sleep = lambda self, seconds: None  # type: ignore[method-assign]
    cli.main()


def _run(recorded: Path, options: dict[str, str]) -> None:
    """What the machine with the GPU leaves behind: its record and a report that nobody may believe."""
    out = Path(options["--out"])
    names = (f"{options['--base']}-{options['--head']}-{options['--profile']}.json", "run.json")
    found = next((recorded / name for name in names if (recorded / name).is_file()), None)
    (recorded / "seen-by-bench").write_text("\n".join(f"{key}={value}" for key, value in os.environ.items()))
    if found:
        out.mkdir()
        shutil.copyfile(found, out / "run.json")
        (out / "report.md").write_text("planted by the machine with the GPU: @everyone\n")
    code = recorded / "exit"
    sys.exit(int(code.read_text()) if code.is_file() else 0)


if __name__ == "__main__":
    main()
