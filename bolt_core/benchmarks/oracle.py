"""The moving optimum (x*_t, f(x*_t, t)): what regret is measured against.

Never shown to an algorithm, and outside the time a run is charged for. Exact at each time it is
asked for; nothing is tabulated. Where a landscape has no method of its own, a dense look at the
box is polished from the summits it shows.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.optimize import minimize

from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.types import Array

LOOKS = 12  # log2 of the number of points of the dense look
POLISHED = 12  # how many summits are polished
CROWD = 256  # the best points, among which summits are sought

ValueAndGradient = Callable[[Array], tuple[float, Array]]


def best(benchmark: Benchmark, t: float) -> tuple[Array, float]:
    """(x*, f*): where the objective is largest at time t, and how large it is there."""
    if benchmark.landscape.best is not None:
        x, _ = benchmark.landscape.best(t)
    else:
        x = _searched(benchmark, t)
    x = np.clip(x, 0.0, 1.0)
    return x, float(benchmark.value(x, t))  # the very function the queries are scored with


def highest(climb: ValueAndGradient, starts: Array) -> tuple[Array, float]:
    """The best local maximum on the unit cube reached from `starts`, by L-BFGS-B."""

    def descend(x: Array) -> tuple[float, Array]:
        value, gradient = climb(x)
        return -value, -gradient

    box = [(0.0, 1.0)] * starts.shape[1]
    options = {"ftol": 1e-15, "gtol": 1e-12, "maxiter": 500}
    runs = [
        minimize(descend, x, jac=True, method="L-BFGS-B", bounds=box, options=options)
        for x in starts
    ]
    top = min(runs, key=lambda run: run.fun)
    return np.asarray(top.x), -float(top.fun)


def summits(points: Array, values: Array, count: int) -> Array:
    """At most `count` of the best points, none with a better one near: about one a hill."""
    crowd = points[np.argsort(-values, kind="stable")[:CROWD]]
    spacing = len(points) ** (-1.0 / points.shape[1])
    near = min(2.0 * spacing, 0.15)  # in many dimensions two spacings span several hills
    apart = np.sum((crowd[:, None] - crowd) ** 2, axis=-1) > near**2
    better = np.tri(len(crowd), k=-1, dtype=bool)  # row i: all that stand before it
    return crowd[np.all(apart | ~better, axis=1)][:count]


@lru_cache(maxsize=8)
def dense_look(dimension: int, log2: int = LOOKS) -> Array:
    """2^log2 points that fill the unit cube evenly; the same ones every time."""
    from scipy.stats import qmc  # a third of a second that `bolt list` need not pay

    points = np.asarray(qmc.Sobol(dimension, scramble=True, rng=0).random_base2(log2))
    points.flags.writeable = False
    return points


def _searched(benchmark: Benchmark, t: float) -> Array:
    points = dense_look(benchmark.dimension)
    values = benchmark.value(points, np.full(len(points), t))
    starts = summits(points, values, POLISHED)
    return highest(lambda x: _differences(benchmark, x, t), starts)[0]


def _differences(benchmark: Benchmark, x: Array, t: float, h: float = 1e-6) -> tuple[float, Array]:
    """f and its central differences, one-sided at the border; one vectorised call."""
    step = h * np.eye(len(x))
    up, down = np.minimum(x + step, 1.0), np.maximum(x - step, 0.0)
    values = benchmark.value(np.vstack([x, up, down]), np.full(1 + 2 * len(x), t))
    rise = values[1 : 1 + len(x)] - values[1 + len(x) :]
    return float(values[0]), rise / np.sum(up - down, axis=1)
