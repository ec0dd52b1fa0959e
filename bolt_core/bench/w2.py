"""`bolt bench w2`: removal scores against the public `wdbo-criterion`, where it is installed."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.bench.datasets import from_gp
from bolt_core.bench.timing import Stopwatch, median_seconds
from bolt_core.common.types import Hyperparameters
from bolt_core.gp import load
from bolt_core.gp.protocol import Inference, Model, Surrogate

SIZES = (50, 100, 200, 400)
COLUMNS = {
    "n": "n",
    "wheel": "wdbo-criterion (s)",
    "choice": "exact W2, choice (s)",
    "bound": "published bound (s)",
    "speedup": "times faster, exact",
    "speedup_bound": "times faster, bound",
}


@dataclass(frozen=True, slots=True)
class Row:
    """CPU seconds for all n observations."""

    n: int
    wheel: float | None  # None where the package is not installed
    choice: float  # factors given: pilot scores of all n, shortlist, fine scores
    bound: float
    speedup: float | None
    speedup_bound: float | None


def run(sizes: Sequence[int] = SIZES, *, dimension: int = 3, seed: int = 0) -> list[Row]:
    return [_row(_surrogate(n, dimension, seed), n) for n in sizes]


def _row(surrogate: Surrogate, n: int) -> Row:
    now = float(surrogate.data.Z[-1, -1]) + 1.0
    choice = median_seconds(lambda: surrogate.stalest(now), 9)
    bound = median_seconds(lambda: surrogate.bound_scores(now).relative(), 9)
    call = wheel(surrogate, now)
    seconds = None
    if call is not None:
        watch = Stopwatch()
        with watch.lap():  # once: 40 s at n = 400
            call()
        seconds = watch.median
    return Row(
        n=n,
        wheel=seconds,
        choice=choice,
        bound=bound,
        speedup=None if seconds is None else seconds / choice,
        speedup_bound=None if seconds is None else seconds / bound,
    )


def wheel(surrogate: Surrogate, now: float) -> Callable[[], object] | None:
    """The same scores by the public package, ready to call, or None if it is not installed."""
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
