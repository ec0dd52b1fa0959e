r"""A temperature field from sensor readings: kriging in space, PCHIP in time.

    f(x, t) = w(x)' s(t),    [ K + nu I   1 ] [ w  ]   [ k(x) ]
                             [    1'      0 ] [ mu ] = [  1   ]

s(t): the 46 sensors by PCHIP, which, unlike a cubic spline, does not oscillate after the heating
starts in the morning. w(x): ordinary kriging with a Matern-5/2 of 6 m and a nugget nu = 0.01 of
its variance. With C = K + nu I, the multiplier mu is eliminated once for all x:

    w(x) = A k(x) + b,    b = C^-1 1 / 1'C^-1 1,    A = C^-1 - C^-1 1 b'.

The leave-one-out error is 1.07 C (of the spatial mean: 1.79 C), and does not depend on the
lengthscale between 4 and 20 m.
"""

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import maximum_filter

from bolt_core.benchmarks._intel_lab import DAY_SECONDS
from bolt_core.benchmarks.oracle import highest
from bolt_core.benchmarks.spec import TABLE_3
from bolt_core.common.types import Array

HORIZON = TABLE_3["temperature"].horizon  # seconds
LENGTHSCALE, NUGGET = 6.0, 1e-2  # metres; share of the variance
LOW, HIGH = np.array([0.5, 1.0]), np.array([40.5, 31.0])  # metres: the floor, x in [0, 1]^2
SIDE = 121  # points per side of the grid searched for the optimum: 0.33 m by 0.25 m
MAX_STARTS = 3  # local maxima of the grid from which ascent starts

_AXIS = np.linspace(0.0, 1.0, SIDE)
_GRID = np.stack(np.meshgrid(_AXIS, _AXIS, indexing="ij"), axis=-1).reshape(-1, 2)


class Field:
    """f on the unit square, for readings of sensors at given places. Immutable."""

    def __init__(self, places: Array, times: Array, values: Array, begin: float = 0.0) -> None:
        """Interpolate `values` (knots, sensors), C, at `times` (knots,) in seconds of the day.

        `places` (sensors, 2) are in metres; t = 0 stands for `begin` seconds after midnight and
        t = HORIZON for the end of the day.
        """
        self.places, self.times, self.begin = places, times, begin
        self._mix, self._base = kriging(places)  # A and b
        self._course = PchipInterpolator(times, values)
        self._grid_correlations = self._correlations(_GRID)  # k at the grid, (SIDE^2, sensors)

    def __call__(self, x: Array, t: Array) -> Array:
        """Return f at x (..., 2) in [0, 1]^2 and t (...) in seconds of the run."""
        slopes, level = self._readings(t)
        return np.asarray(np.einsum("...s,...s->...", self._correlations(x), slopes) + level)

    def best(self, t: float) -> tuple[Array, float]:
        """Return (x*, f*): a grid much finer than the lengthscale, then ascent from its maxima."""
        slopes, level = self._readings(np.asarray(t))
        values = (self._grid_correlations @ slopes).reshape(SIDE, SIDE)
        peaks = np.flatnonzero(values == maximum_filter(values, size=3, mode="nearest"))
        starts = _GRID[peaks[np.argsort(values.ravel()[peaks])[-MAX_STARTS:]]]
        x, value = highest(lambda x: self._climb(x, slopes), starts)
        return x, value + float(level)

    def sensors(self, t: Array) -> Array:
        """Return s(t), (..., sensors), at times t (...) of the run; constant beyond the ends."""
        seconds = self.begin + (DAY_SECONDS - self.begin) * t / HORIZON
        return np.asarray(self._course(np.clip(seconds, self.times[0], self.times[-1])))

    def _readings(self, t: Array) -> tuple[Array, Array]:
        """Return A s(t) and b' s(t): f is k(x)' times the first plus the second."""
        now = self.sensors(t)
        return now @ self._mix, now @ self._base

    def _correlations(self, x: Array) -> Array:
        """Return k(x), (..., sensors): the correlation of the points x with each sensor."""
        away = (LOW + (HIGH - LOW) * x)[..., None, :] - self.places
        return matern52(np.hypot(away[..., 0], away[..., 1]))

    def _climb(self, x: Array, slopes: Array) -> tuple[float, Array]:
        """Return k(x)' slopes and its gradient in x; k'(r) / r = -5 / (3 l^2) (1 + a) e^-a."""
        away = LOW + (HIGH - LOW) * x - self.places
        a = np.sqrt(5) * np.hypot(away[:, 0], away[:, 1]) / LENGTHSCALE
        pull = -5 / (3 * LENGTHSCALE**2) * (1 + a) * np.exp(-a) * slopes
        value = float((1 + a + a**2 / 3) * np.exp(-a) @ slopes)
        return value, (HIGH - LOW) * (pull @ away)


def matern52(r: Array, lengthscale: float = LENGTHSCALE) -> Array:
    """Return the Matern-5/2 correlation (1 + a + a^2 / 3) e^-a, a = sqrt(5) r / l."""
    a = np.sqrt(5) * r / lengthscale
    return np.asarray((1 + a + a**2 / 3) * np.exp(-a))


def kriging(places: Array, nugget: float = NUGGET) -> tuple[Array, Array]:
    """Return (A, b) of the ordinary-kriging weights w(x) = A k(x) + b."""
    away = places[:, None, :] - places
    covariance = matern52(np.hypot(away[..., 0], away[..., 1])) + nugget * np.eye(len(places))
    inverse = np.asarray(np.linalg.inv(covariance), dtype=float)
    total = inverse.sum(axis=1)  # C^-1 1
    base = total / total.sum()
    return np.asarray(inverse - np.outer(total, base)), base
