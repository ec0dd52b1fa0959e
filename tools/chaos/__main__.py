"""Run one part, or `all` of them, and print the table; the exit code is 1 if a check failed."""

import argparse
import importlib
import signal
import sys

from bolt_core.common import runtime
from tools.chaos.report import Check, table

PARTS = ("kills", "tells", "inputs", "viewers", "disk", "classroom", "service", "soak")


def run(part: str, seed: int, *, long: bool) -> list[Check]:
    """Run one part and return its checks."""
    checks: list[Check] = importlib.import_module(f"tools.chaos.{part}").run(seed, long=long)
    return checks


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("part", choices=(*PARTS, "all"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--long", action="store_true", help="minutes to an hour, not seconds")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends processes, removes folders
    runtime.configure()
    parts = PARTS if chosen.part == "all" else (chosen.part,)
    checks = [check for part in parts for check in run(part, chosen.seed, long=chosen.long)]
    sys.stdout.write(table(checks) + "\n")
    sys.exit(any(check.problems or not check.cases for check in checks))


if __name__ == "__main__":
    main()
