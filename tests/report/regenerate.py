"""Writes the golden reports anew: `python -m tests.report.regenerate`. Read the difference first."""

from pathlib import Path

from bot.report.render import render
from tests.support.outcomes import OUTCOMES

GOLDEN = Path(__file__).parent / "golden"


def files() -> dict[str, str]:
    """Path below the golden folder -> text, for every outcome."""
    return {
        f"{outcome}/{name}": text
        for outcome, make in OUTCOMES.items()
        for name, text in render(make()).items()
    }


def main() -> None:
    """Write them all, and remove what no outcome makes any more."""
    wanted = files()
    for path in GOLDEN.rglob("*.md"):
        if str(path.relative_to(GOLDEN)) not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = GOLDEN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
