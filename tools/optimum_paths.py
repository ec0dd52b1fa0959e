"""The path of the optimum of every benchmark from 0 to H: `python tools/optimum_paths.py`.

The exact search takes 1 to 20 ms a time, too long for a page of twelve pictures, so its answers at
121 times are kept in bolt_core/data/optimum_paths.json. Places only: heights are computed from the
benchmark itself wherever they are shown, and a test asks the oracle again.
"""

import json
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bolt_core import benchmarks
from bolt_core.benchmarks import oracle
from bolt_core.common import runtime

STEPS = 120
DIGITS = 6
TARGET = ROOT / "bolt_core/data/optimum_paths.json"


def path(key: str) -> list[list[float]]:
    """Return x* at STEPS + 1 evenly spaced times, with the benchmark's default options."""
    board = benchmarks.load(key)
    times = np.linspace(0.0, board.horizon, STEPS + 1)
    return [np.round(oracle.best(board, float(t))[0], DIGITS).tolist() for t in times]


def main() -> None:
    runtime.configure()
    own = {key: spec for key, spec in benchmarks.catalog().items() if _ours(spec.landscape)}
    lines = [f'  "{key}": {json.dumps(path(key), separators=(",", ":"))}' for key in sorted(own)]
    text = ",\n".join(lines)
    command = json.dumps("python tools/optimum_paths.py")
    TARGET.write_text(f'{{\n "command": {command},\n "paths": {{\n{text}\n }}\n}}\n', "utf-8")
    sys.stdout.write(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size:,} bytes\n")


def _ours(landscape: object) -> bool:
    """Return the benchmarks of this package, without those of installed plug-ins."""
    return str(getattr(landscape, "__module__", "")).startswith("bolt_core.")


if __name__ == "__main__":
    main()
