"""`bolt bench iteration`: a whole BOLT pass, R(n) of this machine and the n* it implies.

A pass infers hyperparameters, chooses the observation to remove, conditions on the rest and
maximises the acquisition; restarts are spread over the passes. R(n) is the non-negative cubic
through the measured passes, to which the cost of one query, R(0), is added. n* maximises
sum_{i <= n} k_T^2(i R(n)) (Recommendation 1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.bench.calibration import Sample, fit_device
from bolt_core.bench.datasets import from_gp
from bolt_core.bench.engine import fitted_windows, noisy_covariance, window
from bolt_core.bench.timing import Stopwatch, column, lapack_floor
from bolt_core.gp import load
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.dataset_size import recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponseTime

SIZES = (100, 200, 400, 800)
PASSES = 14  # two restarts, one of each kind
FEW_SIZES, FEW_PASSES = (100, 200, 400), 7  # for a quick measurement
KERNEL = "matern32"  # k_T
LENGTHSCALES = (20.0, 60.0, 200.0, 600.0)  # l_T, seconds
LARGEST_SIZE_SEEN = 10_000  # n* is searched up to twice this size


@dataclass(frozen=True, slots=True)
class Row:
    """Mean CPU seconds of each part of a pass."""

    n: int = column("n")
    infer: float = column("infer (s)")
    choose: float = column("choose (s)")
    acquire: float = column("condition + acquire (s)")
    seconds: float = column("R(n), amortised (s)")
    over_floor: float = column("over potrf + potri")


@dataclass(frozen=True, slots=True)
class Calibration:
    """This machine as a device: c_0 .. c_3 of R(n) - R(0) in s per n^j, and n* for some l_T."""

    coefficients: tuple[float, ...]
    recommended: dict[float, int | None]  # l_T in seconds -> n*; None: no limit


def run(
    sizes: Sequence[int] = SIZES, *, dimension: int = 3, count: int = PASSES, seed: int = 0
) -> list[Row]:
    """Return one row per dataset size."""
    model = Model(dimension)
    rng = np.random.default_rng(seed)
    return [_row(model, from_gp(rng, model, n + count, 0.4), n, count) for n in sizes]


def calibrate(rows: Sequence[Row], cost: float) -> Calibration:
    """Fit R(n) to `rows`, and compute n* for queries that cost `cost` seconds."""
    c = fit_device([Sample(row.n, row.seconds) for row in rows])
    R = ResponseTime((cost + c[0], *c[1:]))
    stars = {
        l_T: recommended_size(temporal_correlation(KERNEL, l_T), R, seen=LARGEST_SIZE_SEEN)
        for l_T in LENGTHSCALES
    }
    return Calibration(c, stars)


def thinking_time(
    dimension: int, sizes: Sequence[int] = FEW_SIZES, count: int = FEW_PASSES
) -> tuple[float, ...]:
    """Measure T(n) = R(n) - R(0) of this machine within seconds; return its c_0 .. c_3."""
    rows = run(sizes, dimension=dimension, count=count)
    return fit_device([Sample(row.n, row.seconds) for row in rows])


def growth(rows: Sequence[Row]) -> float:
    """Return the exponent p of R(n) ~ n^p between the first and the last row."""
    first, last = rows[0], rows[-1]
    return float(np.log(last.seconds / first.seconds) / np.log(last.n / first.n))


def passes(
    model: Model, data: Data, n: int, count: int
) -> tuple[tuple[float, float, float], Inference]:
    """Return mean CPU seconds per part over `count` passes of a moving window, and the last fit."""
    engine = load("exact", model)
    infer, choose, acquire = Stopwatch(), Stopwatch(), Stopwatch()
    for surrogate, now, rng in fitted_windows(model, data, n, count, infer):
        with choose.lap():
            ((stale, _),) = surrogate.removals(now)
        with acquire.lap():
            kept = surrogate.data.without(stale)
            engine.condition(kept, surrogate.inference).maximise_ucb(now, rng)
    return (infer.mean, choose.mean, acquire.mean), surrogate.inference


def _row(model: Model, data: Data, n: int, count: int) -> Row:
    parts, known = passes(model, data, n, count)
    floor = lapack_floor(noisy_covariance(model, window(data, 0, n), known), 9)
    return Row(n, *parts, seconds=sum(parts), over_floor=sum(parts) / floor)
