r"""Response time R(n): how long one iteration takes with n observations.

Definition 3.5 of the paper asks three things of R : N -> R+,

    (i)    R(0) > 0             observing f is never free,
    (ii)   R(n + 1) >= R(n)     more data never makes an iteration faster,
    (iii)  R(n) -> infinity     GP inference is O(n^3).

R is estimated by least squares on the cubic

    R(n) = c_0 + c_1 n + c_2 n^2 + c_3 n^3,    c_j >= 0,

to the medians of the samples in bins of similar n, and never below the shortest pass measured.
The paper asks for a cubic regression; the signs, the medians and the floor are ours. The signs make
(ii) hold at every n, not only at the sizes seen so far. The medians keep one slow pass from bending
the curve, and the thousands of samples at n* from drowning the few at other sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from bolt_core.errors import ConfigError
from bolt_core.types import Array, ResponseSample

DEGREE = 3
BIN = 1.05  # sizes within about 5 % share a bin


@dataclass(frozen=True, slots=True)
class ResponseTime:
    """A fitted R. Call it with dataset sizes to get seconds."""

    coefficients: tuple[float, ...]  # c_0 .. c_3; c_j in seconds per observation^j
    floor: float = 0.0  # seconds

    def __call__(self, n: float | Array) -> Array:
        sizes = np.asarray(n, dtype=float)
        cubic: Array = np.polynomial.polynomial.polyval(sizes, self.coefficients)
        return np.maximum(cubic, self.floor)

    @property
    def constant(self) -> bool:
        """No size costs more than another: a metronome."""
        return not any(self.coefficients[1:])


def fit_response_time(samples: Sequence[ResponseSample], *, plain: bool = False) -> ResponseTime:
    """The non-negative cubic closest to the binned medians; `plain`: the paper's regression.

    With fewer than four different sizes a cubic is not determined, and R is their median.
    """
    if not samples:
        raise ConfigError("a response time needs at least one sample, got none")
    sizes = np.array([s.n for s in samples], dtype=float)
    seconds = np.array([s.seconds for s in samples])
    floor = float(seconds.min())
    if not plain:
        sizes, seconds = _pooled(sizes, seconds)
    if len(np.unique(sizes)) <= DEGREE:
        return ResponseTime((float(np.median(seconds)), 0.0, 0.0, 0.0), floor)
    scale = max(sizes.max(), 1.0)  # keeps n^3 within a few orders of 1
    powers = np.vander(sizes / scale, DEGREE + 1, increasing=True)
    scaled = np.linalg.lstsq(powers, seconds)[0] if plain else nnls(powers, seconds)[0]
    coefficients = scaled / scale ** np.arange(DEGREE + 1)
    return ResponseTime(tuple(coefficients.tolist()), floor)


def _pooled(sizes: Array, seconds: Array) -> tuple[Array, Array]:
    """Median size and median seconds of each bin of similar sizes."""
    bins = np.round(np.log(sizes + 1.0) / np.log(BIN))
    bins = np.where(sizes < 1.0 / (BIN - 1.0), -sizes, bins)  # small sizes keep a bin each
    pools = [bins == b for b in np.unique(bins)]
    return (
        np.array([np.median(sizes[pool]) for pool in pools]),
        np.array([np.median(seconds[pool]) for pool in pools]),
    )
