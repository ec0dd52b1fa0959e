"""Write bolt_core/data/optimum_grids.npz: f* of every built-in benchmark on its grid of times.

    python tools/make_optimum_grids.py

An array is named BENCHMARK/FINGERPRINT. It takes about three minutes.
"""

import sys
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis import optimum_grid
from bolt_core.common import runtime


def main() -> None:
    """Compute every grid and write the file."""
    runtime.configure()
    grids: dict[str, Any] = {}
    for key in sorted(benchmarks.built_in()):
        benchmark = benchmarks.load(key)
        name = f"{key}/{optimum_grid.fingerprint(benchmark)}"
        grids[name] = optimum_grid.optimum_values(benchmark)
        sys.stdout.write(f"{name}\n")
    np.savez_compressed(optimum_grid.BUNDLED, **grids)


if __name__ == "__main__":
    main()
