"""`bolt bench engine`: infer + acquire on the exact engine against stock BoTorch.

stock.py defines stock BoTorch. The exact engine is measured on passes as in a run of constant size:
each pass adds one observation, drops the oldest and starts from the previous fit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.bench import stock
from bolt_core.bench.datasets import from_gp
from bolt_core.bench.timing import Stopwatch, column, lapack_floor, median_seconds
from bolt_core.common.types import Array
from bolt_core.gp import load
from bolt_core.gp.likelihood import Likelihood
from bolt_core.gp.protocol import (
    Data,
    FitRequest,
    Inference,
    Model,
    Surrogate,
    scheduled_restart,
    standardisation,
)
from bolt_core.gp.workspace import Workspace

SIZES = (50, 100, 200, 400)
PASSES = 30
STOCK_REPEATS = 3


@dataclass(frozen=True, slots=True)
class Row:
    """Times of one dataset size, in CPU seconds per pass."""

    n: int = column("n")
    stock_fit: float = column("stock fit s")
    stock_acquire: float = column("stock acq. s")
    fit: float = column("our fit s")  # median of passes without a restart
    acquire: float = column("our acq. s")
    speedup: float = column("times faster")  # stock over ours, without a restart in the pass
    amortised: float = column("in 30 passes")  # stock over the mean pass, restarts included
    likelihood: float = column("L and grad. s")  # one evaluation with its gradient
    over_floor: float = column("over LAPACK")  # that, over potrf + potri of the same matrix


def run(
    sizes: Sequence[int] = SIZES, *, dimension: int = 3, passes: int = PASSES, seed: int = 0
) -> list[Row]:
    """Return one row per dataset size."""
    model = Model(dimension)
    rng = np.random.default_rng(seed)
    return [_row(model, from_gp(rng, model, n + passes, 0.4), n, passes) for n in sizes]


def _row(model: Model, data: Data, n: int, passes: int) -> Row:
    stock_fit, stock_acquire = stock_passes(model, data, n, STOCK_REPEATS)
    fit, acquire = Stopwatch(), Stopwatch()
    for surrogate, now, rng in fitted_windows(model, data, n, passes, fit):
        with acquire.lap():
            surrogate.maximise_ucb(now, rng)
    laps = enumerate(fit.laps, start=1)
    warm_fit = float(np.median([lap for number, lap in laps if scheduled_restart(number) is None]))
    likelihood, floor = _likelihood(model, window(data, 0, n), surrogate.inference)
    stock_total = stock_fit.median + stock_acquire.median
    return Row(
        n=n,
        stock_fit=stock_fit.median,
        stock_acquire=stock_acquire.median,
        fit=warm_fit,
        acquire=acquire.median,
        speedup=stock_total / (warm_fit + acquire.median),
        amortised=stock_total / (fit.mean + acquire.mean),
        likelihood=likelihood,
        over_floor=likelihood / floor,
    )


def window(data: Data, start: int, n: int) -> Data:
    """Return n consecutive observations, from number `start` on."""
    c = slice(start, start + n)
    return Data(data.Z[c], data.y[c], data.weights[c])


def stock_passes(model: Model, data: Data, n: int, repeats: int) -> tuple[Stopwatch, Stopwatch]:
    """Time fit and acquisition of stock BoTorch on `repeats` datasets, after one warm-up."""
    rng = np.random.default_rng(n)
    fit, acquire = Stopwatch(), Stopwatch()
    for start in (0, *range(repeats)):
        part = window(data, start, n)
        now = float(part.Z[-1, -1]) + 1.0
        with fit.lap():
            surrogate = stock.fit(model, part, now, rng)
        with acquire.lap():
            surrogate.maximise_ucb(now, rng)
    del fit.laps[0], acquire.laps[0]
    return fit, acquire


def fitted_windows(
    model: Model, data: Data, n: int, passes: int, fit: Stopwatch
) -> Iterator[tuple[Surrogate, float, np.random.Generator]]:
    """Yield the surrogate, the time and the generator of each pass over a window of n observations.

    Each pass starts from the previous fit on the exact engine; `fit` times the inference.
    """
    engine, rng = load("exact", model), np.random.default_rng(n)
    first = window(data, 0, n)
    known = engine.fit(first, FitRequest(float(first.Z[-1, -1])), rng).inference
    for number in range(1, passes + 1):
        part = window(data, number, n)
        now = float(part.Z[-1, -1]) + 1.0
        with fit.lap():
            surrogate = engine.fit(part, FitRequest(now, known, scheduled_restart(number)), rng)
        known = surrogate.inference
        yield surrogate, now, rng


def _likelihood(model: Model, data: Data, known: Inference) -> tuple[float, float]:
    """Return the seconds of one likelihood with gradient, and of potrf + potri on its matrix."""
    y_mean, y_sd = standardisation(data.y)
    loss = Likelihood(model, data, (data.y - y_mean) / y_sd, Workspace())
    p = loss.pack(known.theta)
    floor = lapack_floor(noisy_covariance(model, data, known), 15)
    return median_seconds(lambda: loss(p), 15), floor


def noisy_covariance(model: Model, data: Data, inference: Inference) -> Array:
    """Return the covariance matrix of the observations, noise included."""
    K = model.covariance(inference.theta).between(data.Z, data.Z)
    K += inference.theta.noise_variance * np.eye(len(data))
    return K
