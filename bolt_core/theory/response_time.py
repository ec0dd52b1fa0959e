r"""Response time R(n): the duration of one iteration with n observations.

Definition 3.5 of the paper asks three things of R : N -> R+,

    (i)    R(0) > 0             observing f is never free,
    (ii)   R(n + 1) >= R(n)     more data never makes an iteration faster,
    (iii)  R(n) -> infinity     GP inference is O(n^3).

R is estimated by least squares on the cubic

    R(n) = c_0 + c_1 n + c_2 n^2 + c_3 n^3,    c_j >= 0,

to the medians of the samples in bins of similar n, and never below the shortest pass measured.
The paper uses a cubic regression; the signs, the medians and the floor are additions. The signs
make (ii) hold at every n, not only at the sizes seen so far. The medians keep one slow pass from
bending the curve, and the thousands of samples at n* from outweighing the few at other sizes.
"""

import math
from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import Array, ResponseSample

DEGREE = 3
BIN_RATIO = 1.05  # of the sizes in one bin, approximately
SINGLE_SIZES = 20  # smaller sizes have a bin each


@dataclass(frozen=True, slots=True)
class ResponseTime:
    """A fitted R; called with dataset sizes, it returns seconds."""

    coefficients: tuple[float, ...]  # c_0 .. c_3; c_j in seconds per observation^j
    floor: float = 0.0  # seconds

    def __call__(self, n: float | Array) -> Array:
        sizes = np.asarray(n, dtype=float)
        cubic: Array = np.polynomial.polynomial.polyval(sizes, self.coefficients)
        return np.maximum(cubic, self.floor)

    @property
    def constant(self) -> bool:
        """Whether R is the same at every size."""
        return not any(self.coefficients[1:])


class ResponsePool:
    """Samples in bins of similar sizes, each bin sorted: adding one and refitting is cheap.

    A pure function of the samples, so a restored run can pool them again.
    """

    def __init__(self) -> None:
        self._empty()

    def _empty(self) -> None:
        self._bins: dict[int, tuple[list[int], list[float]]] = {}
        self._taken: Sequence[ResponseSample] = ()
        self._pooled = 0  # of them
        self.largest = 0  # n
        self.floor = float("inf")  # seconds

    def take(self, samples: Sequence[ResponseSample]) -> None:
        """Add the new entries of `samples`, a list that only grows; another list replaces all.

        (A change of the device's speed makes another list: see `loop.Run.change_speed`.)
        """
        if samples is not self._taken:
            self._empty()
        for sample in samples[self._pooled :]:
            sizes, seconds = self._bins.setdefault(_bin(sample.n), ([], []))
            insort(sizes, sample.n)
            insort(seconds, sample.seconds)
            self.largest = max(self.largest, sample.n)
            self.floor = min(self.floor, sample.seconds)
        self._taken, self._pooled = samples, len(samples)

    def fit(self) -> ResponseTime:
        """Return the non-negative cubic closest to the medians of the bins.

        With fewer than four bins a cubic is not determined, and R is the median of medians.
        """
        if not self._bins:
            raise ConfigError("a response time needs at least one sample, got none")
        sizes = np.array([_middle(n) for n, _ in self._bins.values()])
        seconds = np.array([_middle(s) for _, s in self._bins.values()])
        if len(self._bins) <= DEGREE:
            return ResponseTime((float(np.median(seconds)), 0.0, 0.0, 0.0), self.floor)
        return ResponseTime(_cubic(sizes, seconds, lambda A, b: nnls(A, b)[0]), self.floor)


def medians(sizes: Array, seconds: Array) -> tuple[Array, Array]:
    """Return the median size and the median seconds of each bin that a fit uses."""
    known, back = np.unique(sizes, return_inverse=True)
    which = np.array([_bin(int(n)) for n in known], dtype=np.intp)[back]
    first = np.searchsorted(np.sort(which), np.arange(which.max() + 2))  # of each bin, in order
    first, last = first[:-1], first[1:] - 1
    low, high = ((first + last) // 2)[first <= last], ((first + last + 1) // 2)[first <= last]

    def middles(values: Array) -> Array:
        ordered = values[np.lexsort((values, which))]
        found: Array = (ordered[low] + ordered[high]) / 2
        return found

    return middles(sizes), middles(seconds)


def fit_response_time(samples: Sequence[ResponseSample], *, plain: bool = False) -> ResponseTime:
    """Return R fitted to samples; `plain` is the paper's unconstrained regression on all."""
    pool = ResponsePool()
    pool.take(samples)
    robust = pool.fit()
    sizes = np.array([s.n for s in samples], dtype=float)
    if not plain or len(np.unique(sizes)) <= DEGREE:
        return robust
    seconds = np.array([s.seconds for s in samples])
    free = _cubic(sizes, seconds, lambda A, b: np.asarray(np.linalg.lstsq(A, b)[0], float))
    return ResponseTime(free, robust.floor)


def different_sizes(n: Array) -> int:
    """Return how many bins the sizes fill: a cubic needs more than DEGREE of them."""
    return len({_bin(int(size)) for size in np.unique(n)})


def _cubic(
    sizes: Array, seconds: Array, solve: Callable[[Array, Array], Array]
) -> tuple[float, ...]:
    scale = max(float(sizes.max()), 1.0)  # keeps n^3 within a few orders of 1
    powers = np.vander(sizes / scale, DEGREE + 1, increasing=True)
    coefficients = solve(powers, seconds) / scale ** np.arange(DEGREE + 1)
    return tuple(coefficients.tolist())


def _bin(n: int) -> int:
    """Return the bin of a size: small sizes have one each, larger ones share it within 5 %."""
    if n < SINGLE_SIZES:
        return n
    return SINGLE_SIZES + round(math.log(n / SINGLE_SIZES) / math.log(BIN_RATIO))


def _middle(ordered: Sequence[float]) -> float:
    half = len(ordered) // 2
    return float(ordered[half]) if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
