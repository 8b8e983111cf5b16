"""How often the decision rule errs and what it costs, beside its peers, on simulated machines.

    python -m benchmarks.decision_power [--reports N] [--seed S] [--json] [--write-table [FILE]]

Every report is nine metrics (three scenarios of TTFT, prefill, decode), decided by `bot.stats` itself, look
by look; every peer's rule gets the same simulated measurements. Prints the tables of docs/measuring.md, or
with `--json` the rows; exits 1 when a stated target is missed by more than two standard errors of
the simulation. The noise of a machine is an assumption: a machine's own A/A says which of the simulated
ones it resembles.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.power.busy import busy
from benchmarks.power.figures import HELD, OTHERS, Row, figures, rows
from benchmarks.power.page import page, write

DOCUMENT = Path(__file__).parents[1] / "docs" / "measuring.md"


def main() -> int:
    """Run it; 1 where a target is missed."""
    options = _options()
    found = [item for machine in (*HELD, *OTHERS) for item in figures(machine, options.reports, options.seed)]
    every = rows(found, options.reports)
    text = page(found, list(busy(options.reports, options.seed)), options.reports, options.seed)
    if options.write_table:
        write(options.write_table, text)
    print(json.dumps([asdict(row) | {"met": row.met} for row in every], indent=1) if options.json else text)
    return _judged(every)


def _judged(every: Sequence[Row]) -> int:
    missed = [row for row in every if not row.met]
    for row in missed:
        print(f"missed: {row.name} = {row.value:.2f} {row.unit}, target {row.target}", file=sys.stderr)
    return 1 if missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Error rates and cost of the decision rule, simulated.")
    parser.add_argument("--reports", type=int, default=1000, help="sessions per cell (steps of 250)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument(
        "--write-table", type=Path, nargs="?", const=DOCUMENT, help="put the tables into this page"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
