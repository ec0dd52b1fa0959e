"""`bolt bench engine`: infer + acquire on the exact engine against stock BoTorch.

Stock is defined in stock.py. Ours: passes as in a run of steady size, each with one new
observation and the oldest gone, warm from the pass before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.bench import stock
from bolt_core.bench.datasets import from_gp
from bolt_core.bench.timing import Stopwatch, lapack_floor, median_seconds
from bolt_core.gp import load
from bolt_core.gp.likelihood import Likelihood
from bolt_core.gp.protocol import (
    Data,
    FitRequest,
    Inference,
    Model,
    scheduled_restart,
    standardisation,
)
from bolt_core.gp.workspace import Workspace

SIZES = (50, 100, 200, 400)
PASSES = 30
COLUMNS = {
    "n": "n",
    "stock_fit": "stock fit s",
    "stock_acquire": "stock acq. s",
    "fit": "our fit s",
    "acquire": "our acq. s",
    "speedup": "times faster",
    "amortised": "in 30 passes",
    "likelihood": "L and grad. s",
    "over_floor": "over LAPACK",
}


@dataclass(frozen=True, slots=True)
class Row:
    """Seconds are CPU seconds of one pass."""

    n: int
    stock_fit: float
    stock_acquire: float
    fit: float  # median of passes without a restart
    acquire: float
    speedup: float  # stock over ours, without a restart in the pass
    amortised: float  # stock over the mean pass, restarts included
    likelihood: float  # one evaluation with its gradient
    over_floor: float  # that, over potrf + potri of the same matrix


def run(
    sizes: Sequence[int] = SIZES,
    *,
    dimension: int = 3,
    passes: int = PASSES,
    repeats: int = 3,
    seed: int = 0,
) -> list[Row]:
    model = Model(dimension)
    rng = np.random.default_rng(seed)
    return [_row(model, from_gp(rng, model, n + passes, 0.4), n, (passes, repeats)) for n in sizes]


def _row(model: Model, data: Data, n: int, effort: tuple[int, int]) -> Row:
    passes, repeats = effort
    stock_fit, stock_acquire = stock_passes(model, data, n, repeats)
    ours = exact_passes(model, data, n, passes)
    likelihood, floor = _likelihood(model, window(data, 0, n), ours.last)
    total = stock_fit.median + stock_acquire.median
    warm = float(np.median(ours.fit)) + float(np.median(ours.acquire))
    mean = float(np.mean([*ours.fit, *ours.fit_restart])) + float(np.mean(ours.acquire))
    return Row(
        n=n,
        stock_fit=stock_fit.median,
        stock_acquire=stock_acquire.median,
        fit=float(np.median(ours.fit)),
        acquire=float(np.median(ours.acquire)),
        speedup=total / warm,
        amortised=total / mean,
        likelihood=likelihood,
        over_floor=likelihood / floor,
    )


@dataclass(frozen=True, slots=True)
class Passes:
    """CPU seconds of a sequence of passes, and what the last one knew."""

    fit: list[float]  # passes without a restart
    fit_restart: list[float]  # passes with one
    acquire: list[float]
    last: Inference


def window(data: Data, start: int, n: int) -> Data:
    c = slice(start, start + n)
    return Data(data.Z[c], data.y[c], data.weights[c])


def stock_passes(model: Model, data: Data, n: int, repeats: int) -> tuple[Stopwatch, Stopwatch]:
    """Fit and acquisition of stock BoTorch on `repeats` datasets, after one to warm up."""
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


def exact_passes(model: Model, data: Data, n: int, passes: int) -> Passes:
    """A run of steady size on the exact engine."""
    engine, rng = load("exact", model), np.random.default_rng(n)
    first = window(data, 0, n)
    known = engine.fit(first, FitRequest(float(first.Z[-1, -1])), rng).inference
    plain, restarted, acquire = Stopwatch(), Stopwatch(), Stopwatch()
    for number in range(1, passes + 1):
        part = window(data, number, n)
        now = float(part.Z[-1, -1]) + 1.0
        restart = scheduled_restart(number)
        with (plain if restart is None else restarted).lap():
            surrogate = engine.fit(part, FitRequest(now, known, restart), rng)
        with acquire.lap():
            surrogate.maximise_ucb(now, rng)
        known = surrogate.inference
    return Passes(plain.laps, restarted.laps, acquire.laps, known)


def _likelihood(model: Model, data: Data, known: Inference) -> tuple[float, float]:
    """Seconds of one likelihood + gradient, and of potrf + potri on the same matrix."""
    y_mean, y_sd = standardisation(data.y)
    loss = Likelihood(model, data, (data.y - y_mean) / y_sd, Workspace())
    p = loss.pack(known.theta)
    K = model.covariance(known.theta).between(data.Z, data.Z)
    K += known.theta.noise_variance * np.eye(len(data))
    return median_seconds(lambda: loss(p), 15), lapack_floor(K, 15)
