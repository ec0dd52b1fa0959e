"""`bolt bench w2`: removal scores compared with the public package `wdbo-criterion`."""

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.bench.datasets import from_gp
from bolt_core.bench.timing import Stopwatch, column, median_seconds
from bolt_core.common.types import Hyperparameters
from bolt_core.gp import load
from bolt_core.gp.protocol import Inference, Model, Surrogate

SIZES = (50, 100, 200, 400)


@dataclass(frozen=True, slots=True)
class Row:
    """CPU seconds to score all n observations of one dataset."""

    n: int = column("n")
    wheel: float | None = column("wdbo-criterion (s)")  # None: the package is not installed
    choice: float = column("exact W2, choice (s)")  # both stages of `removals`
    bound: float = column("published bound (s)")
    speedup: float | None = column("times faster, exact")
    speedup_bound: float | None = column("times faster, bound")


def run(sizes: Sequence[int] = SIZES, *, dimension: int = 3, seed: int = 0) -> list[Row]:
    """Return one row per dataset size."""
    return [_row(_surrogate(n, dimension, seed), n) for n in sizes]


def _row(surrogate: Surrogate, n: int) -> Row:
    now = float(surrogate.data.Z[-1, -1]) + 1.0
    choice = median_seconds(lambda: surrogate.removals(now), 9)
    bound = median_seconds(lambda: surrogate.bound_scores(now).relative(), 9)
    score_with_wheel = wheel(surrogate, now)
    if score_with_wheel is None:
        return Row(n, None, choice, bound, None, None)
    watch = Stopwatch()
    with watch.lap():  # once: it takes 40 s at n = 400
        score_with_wheel()
    return Row(n, watch.median, choice, bound, watch.median / choice, watch.median / bound)


def wheel(surrogate: Surrogate, now: float) -> Callable[[], object] | None:
    """Return a call that scores with the public package, or None if it is not installed."""
    if importlib.util.find_spec("wdbo_criterion") is None:
        return None
    package = importlib.import_module("wdbo_criterion")
    data, theta = surrogate.data, surrogate.inference.theta
    n, d = len(data), surrogate.model.dimension
    X = np.ascontiguousarray(data.Z[:, :-1])
    t = np.ascontiguousarray(data.Z[:, -1])
    space = package.MaternKernel(theta.lengthscale_space, 2.5)
    time = package.MaternKernel(theta.lengthscale_time, 1.5)
    scales = (theta.signal_variance, theta.noise_variance)

    def call() -> object:
        return package.wasserstein_criterion(
            X, data.y.copy(), t, n, d, *scales, space, time, now, 0, 1
        )

    return call


def _surrogate(n: int, dimension: int, seed: int) -> Surrogate:
    model = Model(dimension)
    data = from_gp(np.random.default_rng([seed, n]), model, n, 0.3)
    theta = Hyperparameters(1.0, 0.3, 0.3 * n, 0.01)
    return load("exact", model).condition(data, Inference(theta))
