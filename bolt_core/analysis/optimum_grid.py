"""f(x*_t, t) of a benchmark on a grid of 2,001 times, from which held regret is integrated.

One call of the oracle takes 0.1 to 30 ms, a grid up to a minute. One of a twin of a log takes about
90 ms: its grid has 301 times, one per query, between which the record knows f* at the queries. A
grid is computed once per moving function and kept in memory, in the data directory and, for the
benchmarks of this package with their default options, in `data/optimum_grids.npz`
(`tools/make_optimum_grids.py`).
Its key is a fingerprint of the function, so that options that do not change f share one grid, and
a plug-in that was changed never meets the grid of its earlier version.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common import files, paths
from bolt_core.common.types import Array, RunConfig, Scalar

GRID_TIMES = 2001
GRID_TIMES_OF_TWIN = 301
PROBES = 32  # values of f in a fingerprint
PROBE_DIGITS = 8  # machines differ in the last ones
BUNDLED = paths.DATA / "optimum_grids.npz"

_grids: dict[str, Array] = {}  # by fingerprint


def benchmark_of(config: RunConfig) -> Benchmark:
    """Return the benchmark of a run; it is built once."""
    return _benchmark(config.benchmark, tuple(sorted(config.options.items())))


def grid_times(benchmark: Benchmark) -> Array:
    """Return the times of the grid, from 0 to the benchmark's own horizon, in seconds."""
    count = GRID_TIMES if benchmark.landscape.twin is None else GRID_TIMES_OF_TWIN
    return np.linspace(0.0, benchmark.horizon, count)


def known(benchmark: Benchmark) -> Array | None:
    """Return f* at the times of the grid if it is in memory or in a file; None otherwise."""
    key = fingerprint(benchmark)
    if (grid := _grids.get(key)) is None:
        grid = _bundled().get(key)
        if grid is None:
            grid = _stored(key, len(grid_times(benchmark)))
        if grid is not None:
            _grids[key] = grid
    return grid


def computed(benchmark: Benchmark) -> Array:
    """Return f* at the times of the grid; compute and store it if it is not known.

    It takes up to a minute: call it neither in charged time nor in a page's thread.
    """
    grid = known(benchmark)
    if grid is None:
        grid = optimum_values(benchmark)
        key = fingerprint(benchmark)
        _grids[key] = grid
        _store(key, grid)
    return grid


def optimum_values(benchmark: Benchmark) -> Array:
    """Return f(x*_t, t) at each time of the grid, from the oracle."""
    return np.array([oracle.best(benchmark, float(t))[1] for t in grid_times(benchmark)])


def fingerprint(benchmark: Benchmark) -> str:
    """Return a hash of the horizon, the dimension and some values of the moving function."""
    return _fingerprint(benchmark.key, tuple(sorted(benchmark.options.items())))


@lru_cache(maxsize=64)
def _benchmark(key: str, options: tuple[tuple[str, Scalar], ...]) -> Benchmark:
    return benchmarks.load(key, **dict(options))


@lru_cache(maxsize=64)
def _fingerprint(key: str, options: tuple[tuple[str, Scalar], ...]) -> str:
    benchmark = _benchmark(key, options)
    rng = np.random.default_rng(0)
    x = rng.random((PROBES, benchmark.dimension))
    times = benchmark.horizon * rng.random(PROBES)
    values = [float(benchmark.value(point, t)) for point, t in zip(x, times, strict=True)]
    shown = [f"{value:.{PROBE_DIGITS - 1}e}" for value in values]
    facts = json.dumps([benchmark.horizon, benchmark.dimension, len(grid_times(benchmark)), shown])
    return hashlib.sha256(facts.encode()).hexdigest()[:16]


@cache
def _bundled() -> Mapping[str, Array]:
    """Return the grids of this package by fingerprint."""
    with np.load(BUNDLED) as stored:
        return {name.rpartition("/")[2]: stored[name] for name in stored.files}


def _stored(key: str, length: int) -> Array | None:
    try:
        values: list[Any] = json.loads((_folder() / f"{key}.json").read_text("utf-8"))
        grid = np.array(values, dtype=float)
    except (OSError, ValueError, TypeError):
        return None
    return grid if grid.shape == (length,) and np.isfinite(grid).all() else None


def _store(key: str, grid: Array) -> None:
    """Write a grid to the data directory; a full disk costs only time."""
    if not np.isfinite(grid).all():
        return
    with suppress(OSError):
        files.write_atomically(_folder() / f"{key}.json", json.dumps(grid.tolist()).encode())


def _folder() -> Path:
    return paths.home() / "optimum_grids"
