r"""The profile likelihood of l_T, and the interval that it gives.

    D(l_T) = 2 (min_theta L(theta, l_T) - min L)

compared with the 95 % quantile of chi^2 with one degree of freedom, 3.84. The other parameters are
minimised anew at each l_T. The minimum over all parameters is searched from several l_T. From it,
or from the outermost other minimum with D below the quantile, steps go outwards until D exceeds
it, and the crossing is then located: the root of D is almost linear in log l_T. If D does not
exceed the quantile up to the limits of l_T, the interval is open at that end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from bolt_core.logs.fitting import LogFit, Point
from bolt_core.logs.verdict import Interval

QUANTILE = float(chi2.ppf(0.95, 1))  # 3.84
START_SHARES = (2.0, 1 / 6, 1 / 40)  # of the span of the log: l_T of the first starts
MIN_STEP, MAX_STEP, GROWTH = 0.1, 1.0, 1.6  # of log l_T
REFINEMENTS = 5  # of each end
END_TOLERANCE = 0.01  # of log l_T


@dataclass(frozen=True, slots=True)
class Profile:
    """The minimum over all l_T, and minima at fixed l_T."""

    best: Point
    points: tuple[tuple[float, Point], ...]  # (log l_T, minimum there)

    @property
    def lengthscale(self) -> float:
        """l_T of the minimum, seconds."""
        return lengthscale_of(self.best)

    def deviances(self) -> tuple[tuple[float, float], ...]:
        """Return (l_T, D) in rising order of l_T."""
        best = self.best.loss
        pairs = {round(x, 9): 2.0 * max(point.loss - best, 0.0) for x, point in self.points}
        return tuple((math.exp(x), pairs[x]) for x in sorted(pairs))


def lengthscale_of(point: Point) -> float:
    """Return l_T of a minimum, seconds."""
    return float(point.optimum.theta.lengthscale_time or math.inf)


def profile(fit: LogFit, low: float, high: float, span: float) -> tuple[Profile, Interval]:
    """Return the profile likelihood of l_T within [low, high], and the 95 % interval."""
    minima = _minima(fit, [min(max(share * span, low), high) for share in START_SHARES])
    best = min(minima, key=lambda point: point.loss)
    near = [p for p in minima if 2.0 * (p.loss - best.loss) <= QUANTILE]
    near.sort(key=lengthscale_of)
    points = [(math.log(lengthscale_of(point)), point) for point in minima]
    bottom = best.loss
    ends: list[float | None] = []
    for start, limit in ((near[0], math.log(low)), (near[-1], math.log(high))):
        walk = _Walk(lambda x, known: _held(fit, x, known), bottom, limit, points)
        ends.append(walk.crossing(math.log(lengthscale_of(start)), start, _step(fit, start)))
    lower, upper = (None if end is None else math.exp(end) for end in ends)
    lowest = min((point for _, point in points), key=lambda point: point.loss)
    return Profile(lowest, tuple(points)), Interval(lower, upper, low, high)


def _minima(fit: LogFit, lengthscales: Sequence[float]) -> list[Point]:
    """Return the minima that are reached from several l_T, and from rough surfaces at the best."""
    minima = [fit.descend(fit.starts(l_T)[0]) for l_T in lengthscales]
    best = min(minima, key=lambda point: point.loss)
    rough = fit.starts(lengthscale_of(best))[1]
    return [*minima, fit.descend(rough)]


def _held(fit: LogFit, x: float, known: Point) -> Point:
    """Return the minimum at log l_T = x, from a neighbouring minimum."""
    start = known.p.copy()
    start[-2] = x
    return fit.descend(start, known.curvature, l_T=math.exp(x))


def _step(fit: LogFit, point: Point) -> float:
    """Return two standard deviations of log l_T by the curvature at a minimum."""
    H = point.curvature * len(fit.data)
    k = len(H) - 2
    others = [j for j in range(len(H)) if j != k]
    solved = np.linalg.solve(H[np.ix_(others, others)], H[others, k])
    left = float(H[k, k] - H[k, others] @ solved)
    return min(max(2.0 / math.sqrt(left), MIN_STEP), MAX_STEP) if left > 0 else MAX_STEP


class _Walk:
    """Steps of log l_T from a minimum towards a limit, and the crossing of the quantile."""

    def __init__(
        self,
        held: Callable[[float, Point], Point],
        bottom: float,
        limit: float,
        points: list[tuple[float, Point]],
    ) -> None:
        self._held, self._bottom, self._limit, self._points = held, bottom, limit, points

    def crossing(self, x: float, point: Point, step: float) -> float | None:
        """Return log l_T where D reaches the quantile; None if it does not up to the limit."""
        inner, inside = x, point
        sign = 1.0 if self._limit >= x else -1.0
        while inner != self._limit:
            outer = inner + sign * step
            outer = min(outer, self._limit) if sign > 0 else max(outer, self._limit)
            outside = self._at(outer, inside)
            if self._root(outside) > math.sqrt(QUANTILE):
                return self._located(inner, inside, outer, outside)
            inner, inside = outer, outside
            step *= GROWTH
        return None

    def _located(self, inner: float, inside: Point, outer: float, outside: Point) -> float:
        for _ in range(REFINEMENTS):
            if abs(outer - inner) < END_TOLERANCE:
                break
            x = self._between(inner, inside, outer, outside)
            point = self._at(x, inside)
            if self._root(point) > math.sqrt(QUANTILE):
                outer, outside = x, point
            else:
                inner, inside = x, point
        return self._between(inner, inside, outer, outside)

    def _between(self, inner: float, inside: Point, outer: float, outside: Point) -> float:
        low, high, level = self._root(inside), self._root(outside), math.sqrt(QUANTILE)
        share = (level - low) / max(high - low, 1e-12)
        return inner + (outer - inner) * min(max(share, 0.05), 0.95)

    def _at(self, x: float, known: Point) -> Point:
        point = self._held(x, known)
        self._points.append((x, point))
        return point

    def _root(self, point: Point) -> float:
        return math.sqrt(max(2.0 * (point.loss - self._bottom), 0.0))
