"""`bolt calibrate`: measure stock BoTorch on this machine as a device for the model clock.

The device R(n) - R(0) = c_0 + c_1 n + c_2 n^2 + c_3 n^3 with c_j >= 0 minimises the squared
RELATIVE error to the CPU time of one stock fit plus one stock acquisition (stock.py; one BLAS
thread, median of repeats).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from bolt_core.bench.datasets import from_gp
from bolt_core.bench.engine import stock_passes
from bolt_core.common.devices import thinking_time
from bolt_core.gp.protocol import Model

SIZES = (25, 50, 100, 200, 400, 800)
DIMENSION = 3
REPEATS = 9


@dataclass(frozen=True, slots=True)
class Sample:
    """Median CPU seconds of one stock pass."""

    n: int
    seconds: float


def measure(sizes: Sequence[int] = SIZES, repeats: int = REPEATS) -> Iterator[Sample]:
    """Yield one sample per size as it is measured."""
    model = Model(DIMENSION)
    rng = np.random.default_rng(0)
    for n in sizes:
        fit, acquire = stock_passes(model, from_gp(rng, model, n + repeats, 0.4), n, repeats)
        yield Sample(n, fit.median + acquire.median)


def fit_device(samples: Sequence[Sample]) -> tuple[float, ...]:
    """Return c_0 .. c_3 in seconds per n^j."""
    n = np.array([s.n for s in samples], dtype=float)
    seconds = np.array([s.seconds for s in samples])
    powers = n[:, None] ** np.arange(4.0)
    scale = powers.max(axis=0)  # keeps the columns within a few orders of each other
    c, _ = nnls(powers / scale / seconds[:, None], np.ones(len(n)))
    return tuple((c / scale).tolist())


def worst_error(device: tuple[float, ...], samples: Sequence[Sample]) -> float:
    """Return the largest relative error of the device at the measured sizes."""
    return max(abs(thinking_time(device, s.n) / s.seconds - 1.0) for s in samples)
