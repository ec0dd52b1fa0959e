"""The moving optimum (x*_t, f(x*_t, t)) from which regret is computed.

Algorithms never see it, and its computation is not charged to a run. It is computed at each
requested time; nothing is tabulated. If a landscape has no method of its own, a dense set of points
is evaluated and its local maxima are refined by ascent.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy.optimize import minimize

from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.types import Array

LOG2_POINTS = 12  # of the dense set
MAX_STARTS = 12  # local maxima from which ascent starts
BEST_POINTS = 256  # among which local maxima are sought

ValueAndGradient = Callable[[Array], tuple[float, Array]]


def best(benchmark: Benchmark, t: float) -> tuple[Array, float]:
    """Return (x*, f*): the maximiser of the objective at time t, and its value."""
    if benchmark.landscape.best is not None:
        x, _ = benchmark.landscape.best(t)
    else:
        x = _searched(benchmark, t)
    x = np.clip(x, 0.0, 1.0)
    return x, float(benchmark.value(x, t))  # the function that queries are evaluated with


def highest(climb: ValueAndGradient, starts: Array) -> tuple[Array, float]:
    """Return the best local maximum on the unit cube reached from `starts` by L-BFGS-B."""

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


def local_maxima(points: Array, values: Array, count: int) -> Array:
    """Return at most `count` of the best points, none near a better one: about one per peak."""
    top = points[np.argsort(-values, kind="stable")[:BEST_POINTS]]
    spacing = len(points) ** (-1.0 / points.shape[1])
    near = min(2.0 * spacing, 0.15)  # in many dimensions two spacings span several peaks
    apart = np.sum((top[:, None] - top) ** 2, axis=-1) > near**2
    better = np.tri(len(top), k=-1, dtype=bool)  # row i: all points before it
    return top[np.all(apart | ~better, axis=1)][:count]


@lru_cache(maxsize=8)
def dense_points(dimension: int, log2: int = LOG2_POINTS) -> Array:
    """Return 2^log2 points that fill the unit cube evenly, always the same ones."""
    from scipy.stats import qmc  # takes 0.3 s to import: not needed by `bolt list`

    points = np.asarray(qmc.Sobol(dimension, scramble=True, rng=0).random_base2(log2))
    points.flags.writeable = False
    return points


def _searched(benchmark: Benchmark, t: float) -> Array:
    points = dense_points(benchmark.dimension)
    values = benchmark.value(points, np.full(len(points), t))
    starts = local_maxima(points, values, MAX_STARTS)
    return highest(lambda x: _differences(benchmark, x, t), starts)[0]


def _differences(benchmark: Benchmark, x: Array, t: float, h: float = 1e-6) -> tuple[float, Array]:
    """Return f and its central differences, one-sided at the border, in one vectorised call."""
    step = h * np.eye(len(x))
    up, down = np.minimum(x + step, 1.0), np.maximum(x - step, 0.0)
    values = benchmark.value(np.vstack([x, up, down]), np.full(1 + 2 * len(x), t))
    rise = values[1 : 1 + len(x)] - values[1 + len(x) :]
    return float(values[0]), rise / np.sum(up - down, axis=1)
