r"""Setting of the n* lab: k_T, l_T and the four terms of R(n), on the steps of the sliders.

R is given here, not measured, so n* is searched further than in a run: up to `CAP`. There are four
outcomes: an n*; a constant R, for which ||u_n||^2 has no maximum; a maximum beyond the cap; and
observations that are stale before the next query, so that no size is of use.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bolt_core.common.types import Array
from bolt_core.theory.dataset_size import Decay, recommended_size, squared_norm_u
from bolt_core.theory.kernels import SPATIAL, temporal_correlation
from bolt_core.theory.response_time import ResponseTime

Response = Callable[[float | Array], Array]  # R(n) of one size or several, seconds

CAP = 5000  # observations
CURVE_POINTS = 90
MAX_TERMS = 150_000  # of all points of a curve together: a few milliseconds
STALE_NORM = 1e-6  # of ||u||^2: below it, k_T^2 <= 1 has decreased to nothing
# Neighbouring steps differ by at most 15 %: the slider feels continuous and numbers stay round.
MANTISSAS = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.2, 3.6, 4, 4.5, 5, 5.5, 6,
             6.5, 7, 7.5, 8, 9)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dial:
    """One number of the setting, with its unit and its possible values."""

    name: str  # in the URL
    label: str
    unit: str
    parts: float  # units per second: dividing by 1e9 gives exactly 1e-7, multiplying by 1e-9 not
    default: float
    steps: tuple[float, ...]

    def nearest(self, value: float) -> float:
        """Return the step closest to `value` by ratio, or the first step for values below it."""
        if value <= self.steps[0]:
            return self.steps[0]
        if not math.isfinite(value):
            return self.default
        return min(filter(None, self.steps), key=lambda step: abs(math.log(value) - math.log(step)))


def _decades(first: int, last: int, *, zero: bool) -> tuple[float, ...]:
    steps = [float(f"{m}e{k}") for k in range(first, last) for m in MANTISSAS]
    return (*([0.0] if zero else []), *steps, float(f"1e{last}"))


DIALS = {
    dial.name: dial
    for dial in (
        Dial("lt", "Lengthscale l_T", "s", 1.0, 60.0, _decades(0, 4, zero=False)),
        Dial("r0", "R(0)", "s", 1.0, 0.5, _decades(-2, 1, zero=False)),
        Dial("lin", "Linear term", "ms per n", 1e3, 0.0, _decades(-2, 2, zero=True)),
        Dial("quad", "Quadratic term", "µs per n²", 1e6, 0.0, _decades(-2, 2, zero=True)),
        Dial("cub", "Cubic term", "ns per n³", 1e9, 100.0, _decades(-1, 4, zero=True)),
    )
}
TERMS = ("r0", "lin", "quad", "cub")


@dataclass(frozen=True)
class Setting:
    """A checked setting of the lab."""

    kernel: str = "matern32"
    lengthscale: float = 60.0  # l_T, seconds
    coefficients: tuple[float, ...] = (0.5, 0.0, 0.0, 1e-7)  # of R(n), seconds per n^j

    @property
    def k_T(self) -> Decay:
        """Correlation as a function of age in seconds."""
        return temporal_correlation(self.kernel, self.lengthscale)

    @property
    def R(self) -> ResponseTime:
        """Response time as a function of n."""
        return ResponseTime(self.coefficients)

    @cached_property
    def n_star(self) -> int | None:
        """Recommended size; None without a limit up to the cap, or if all data are stale."""
        return None if self.stale else recommended_size(self.k_T, self.R, seen=CAP // 2)

    @cached_property
    def stale(self) -> bool:
        """Whether an observation says nothing any more at the time of the next query."""
        return squared_norm_u(1, self.k_T, self.R) < STALE_NORM

    @property
    def reach(self) -> int:
        """Upper end of the n axis: twice n*, or the size from which the curve is flat."""
        if self.n_star is not None:
            return max(20, 2 * self.n_star)
        if self.R.constant:
            return min(max(40, math.ceil(4 * self.lengthscale / self.coefficients[0])), CAP)
        return 20 if self.stale else CAP

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """(n, ||u_n||^2) at whole n, among them n*."""
        points = min(CURVE_POINTS, self.reach, 2 * MAX_TERMS // self.reach)
        sizes = np.linspace(1, self.reach, points).round()
        return squared_norms(np.unique([*sizes, self.n_star or 1]), self.k_T, self.R)

    def balance(self, n: int) -> tuple[float, float]:
        """Return what observation n + 1 adds to ||u||^2, and what it costs by ageing the others."""
        gain = float(self.k_T(np.array([(n + 1) * float(self.R(n + 1))]))[0]) ** 2
        with_it = squared_norm_u(n + 1, self.k_T, self.R)
        return gain, squared_norm_u(n, self.k_T, self.R) - (with_it - gain)


def squared_norms(sizes: Array, k_T: Decay, R: Response) -> tuple[Array, Array]:
    """Return (n, ||u_n||^2) for several sizes, with one call of k_T for all terms."""
    counts = sizes.astype(int)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    i = np.arange(counts.sum()) - np.repeat(starts, counts) + 1.0
    terms = k_T(i * np.repeat(R(sizes), counts)) ** 2
    return sizes, np.add.reduceat(terms, starts)


def setting(kernel: object, values: Sequence[object]) -> Setting:
    """Return a valid setting for any values of the controls, in the order and units of `DIALS`."""
    checked = kernel if isinstance(kernel, str) and kernel in SPATIAL else "matern32"
    lengthscale, *coefficients = (
        dial.nearest(parse_number(value, dial.default)) / dial.parts
        for dial, value in zip(DIALS.values(), values, strict=True)
    )
    return Setting(checked, lengthscale, tuple(coefficients))


def parse_number(value: object, default: float) -> float:
    """Return a number from a link; the default if it is not a finite number."""
    try:
        number = float(str(value))
    except ValueError:
        return default
    return number if math.isfinite(number) else default


def nearest_steps(coefficients: Sequence[float]) -> dict[str, float]:
    """Return the steps of the four dials of R(n) nearest to its coefficients, in seconds."""
    return {
        name: DIALS[name].nearest(c * DIALS[name].parts)
        for name, c in zip(TERMS, coefficients, strict=True)
    }
