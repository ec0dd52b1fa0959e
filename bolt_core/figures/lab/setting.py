r"""What the lab turns: k_T, l_T and the four terms of R(n), on steps that a slider can stop at.

Here R is given, not measured, so n* is looked for further than in a run: up to CAP. Four things can
come of it. There is an n*; R is constant, and ||u_n||^2 never turns; it has not turned by the cap;
or an observation is stale before the next one comes, and no size is worth anything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bolt_core.common.types import Array
from bolt_core.theory.dataset_size import Decay, recommended_size, squared_norm_u
from bolt_core.theory.kernels import SPATIAL, temporal_correlation
from bolt_core.theory.response_time import ResponseTime

CAP = 5000  # observations
POINTS, WORK = 90, 150_000  # of a curve; terms of all of them, a few milliseconds
STALE = 1e-6  # ||u||^2 below this: of k_T^2 <= 1 nothing is left
# Each step is at most 15 % from the next: the eye sees no gap, and numbers stay round.
MANTISSAS = (1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.2, 3.6, 4, 4.5, 5, 5.5, 6,
             6.5, 7, 7.5, 8, 9)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dial:
    """One number of the lab, with its unit and the steps it may take."""

    name: str  # in the URL
    label: str
    unit: str
    parts: float  # of the unit in a second: dividing by 1e9 gives 1e-7 where 100 * 1e-9 does not
    default: float
    steps: tuple[float, ...]

    def nearest(self, value: float) -> float:
        """The step closest to `value`, by ratio; 0 and below are 0 where there is a 0."""
        if value <= self.steps[0] or not math.isfinite(value):
            return self.steps[0] if value <= self.steps[0] else self.default
        known = [step for step in self.steps if step > 0]
        return min(known, key=lambda step: abs(math.log(value / step)))


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
    """A state of the lab, checked."""

    kernel: str = "matern32"
    lengthscale: float = 60.0  # l_T, seconds
    coefficients: tuple[float, ...] = (0.5, 0.0, 0.0, 1e-7)  # of R(n), seconds per n^j

    @property
    def k_T(self) -> Decay:
        return temporal_correlation(self.kernel, self.lengthscale)

    @property
    def R(self) -> ResponseTime:
        return ResponseTime(self.coefficients)

    @cached_property
    def n_star(self) -> int | None:
        """None: no limit up to the cap, or nothing to keep."""
        found = recommended_size(self.k_T, self.R, seen=CAP // 2)
        return None if self.stale else found

    @cached_property
    def stale(self) -> bool:
        """An observation says nothing any more when the next one comes."""
        return squared_norm_u(1, self.k_T, self.R) < STALE

    @property
    def reach(self) -> int:
        """How far the n axis goes: twice n*, or to where a curve without one is flat."""
        if self.n_star is not None:
            return max(20, 2 * self.n_star)
        if self.R.constant:
            return min(max(40, math.ceil(4 * self.lengthscale / self.coefficients[0])), CAP)
        return 20 if self.stale else CAP

    @cached_property
    def curve(self) -> tuple[Array, Array]:
        """(n, ||u_n||^2) at whole n, n* among them."""
        points = min(POINTS, self.reach, 2 * WORK // self.reach)
        sizes = np.linspace(1, self.reach, points).round()
        return squared_norms(np.unique([*sizes, self.n_star or 1]), self.k_T, self.R)

    def balance(self, n: int) -> tuple[float, float]:
        """What one more than n observations brings, and what the ageing of the n costs."""
        brought = float(self.k_T(np.array([(n + 1) * float(self.R(n + 1))]))[0]) ** 2
        with_it = squared_norm_u(n + 1, self.k_T, self.R)
        return brought, squared_norm_u(n, self.k_T, self.R) - (with_it - brought)


def squared_norms(sizes: Array, k_T: Decay, R: Any) -> tuple[Array, Array]:  # noqa: ANN401 - any R(n)
    """(n, ||u_n||^2): all terms of all sizes in one call, summed size by size."""
    counts = sizes.astype(int)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    i = np.arange(counts.sum()) - np.repeat(starts, counts) + 1.0
    terms = k_T(i * np.repeat(R(sizes), counts)) ** 2
    return sizes, np.add.reduceat(terms, starts)


def setting(kernel: object, values: Sequence[object]) -> Setting:
    """From the controls, whatever they say: `values` in the order and the units of DIALS."""
    known = kernel if isinstance(kernel, str) and kernel in SPATIAL else "matern32"
    numbers = [
        dial.nearest(parse_number(value, dial.default)) / dial.parts
        for dial, value in zip(DIALS.values(), values, strict=True)
    ]
    return Setting(known, numbers[0], tuple(numbers[1:]))


def parse_number(value: object, default: float) -> float:
    """A number out of a link, or the default."""
    try:
        number = float(str(value))
    except ValueError:
        return default
    return number if math.isfinite(number) else default


def nearest_steps(coefficients: Sequence[float]) -> dict[str, float]:
    """R's coefficients, in seconds, as the nearest steps of its four dials."""
    return {
        name: DIALS[name].nearest(c * DIALS[name].parts)
        for name, c in zip(TERMS, coefficients, strict=True)
    }
