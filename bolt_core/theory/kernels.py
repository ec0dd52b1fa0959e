r"""Correlation functions, and the covariance lambda k_S k_T of the surrogates.

Every correlation here has the form, with r = distance / lengthscale and s = c r,

    k = P(s) exp(-E(s)),    -k'(r) / r = S(s) exp(-E(s)),

so that a product of several needs one exponential in all, and S alone gives both derivatives:

    dk / d log l = r^2 S(s) exp(-E(s)),    dk / dx = -S(s) exp(-E(s)) (x - x') / l^2.

    matern12  P = 1                    E = s          S = 1 / s  (0 at s = 0, where k has a kink)
    matern32  P = 1 + s                E = s          S = 3                  c = sqrt(3)
    matern52  P = 1 + s + s^2 / 3      E = s          S = 5 (1 + s) / 3      c = sqrt(5)
    rbf       P = 1                    E = s^2 / 2    S = 1
    rq        P = 1 / (1 + s^2 / 2)    E = 0          S = P^2                alpha = 1
    none      P = 1                    E = 0          S = 0                  sees no time

c = 1 unless it is given. Coordinates are multiplied by c / l before their distance is taken: that
gives s without another pass over all pairs.

The Wiener process is not stationary, and is used in time only, by UI-TVBO. With t_0 the time of the
oldest observation, it has the same form in another s:

    wiener    P = 1 + s                E = 0          s = (min(t, t') - t_0) / l_T

a constant plus a process whose variance grows by lambda per l_T: lambda + s^2 (min(t, t') - t_0),
s^2 = lambda / l_T. Its prior variance is lambda P, not lambda (`Covariance.variance`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.spatial.distance import cdist

from bolt_core.common.domain import Domain
from bolt_core.common.errors import UnknownNameError
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.theory.choice_distance import squared_radii

Radial: TypeAlias = Callable[[Array], Array]  # elementwise in a distance >= 0
Parts: TypeAlias = tuple[Array | float, Array | float, Array | float]  # E, P, r^2 S
# Elements worked on at a time, 96 kB: in the L2 cache, and below the size (128 kB) from which
# malloc maps fresh pages for every temporary. 4.9 ms against 12.3 ms in one piece at 200 x 1,024.
CHUNK = 12_288
ROOT3, ROOT5 = math.sqrt(3.0), math.sqrt(5.0)


@dataclass(frozen=True, slots=True)
class Correlation:
    """k = P(s) exp(-E(s)) and its slope, s = `rate` r; `None` stands for P = 1 or E = 0."""

    name: str
    slope: Radial  # S(s)
    factor: Radial | None = None  # P(s)
    exponent: Radial | None = None  # E(s); it may return s itself
    rate: float = 1.0  # c
    fused: Callable[[Array], Parts] | None = None  # `parts`, with its common terms computed once

    def __call__(self, r: Array) -> Array:
        return self.at(r if self.rate == 1.0 else self.rate * r)

    def at(self, s: Array) -> Array:
        """Return k at s = c r."""
        if self.exponent is None:
            return np.ones_like(s) if self.factor is None else self.factor(s)
        value = np.exp(np.negative(self.exponent(s)))
        if self.factor is not None:
            value *= self.factor(s)
        return value

    def radial(self, r: Array) -> Array:
        """Return -k'(r) / r; r^2 times it is dk / d log l."""
        s = self.rate * r
        slope = self.slope(s)
        return slope if self.exponent is None else slope * np.exp(-self.exponent(s))

    def parts(self, s: Array) -> Parts:
        """Return E, P and r^2 S: arrays, of which E may be s itself, or numbers."""
        if self.fused is not None:
            return self.fused(s)
        return (
            0.0 if self.exponent is None else self.exponent(s),
            1.0 if self.factor is None else self.factor(s),
            (s * s) * self.slope(s) / self.rate**2,
        )


def _itself(s: Array) -> Array:
    return s


def _inverse(s: Array) -> Array:
    return np.divide(1.0, s, out=np.zeros_like(s), where=s > 0)


def _quadratic(s: Array) -> Array:
    P = s * (1.0 / 3.0)
    P += 1.0
    P *= s
    P += 1.0
    return np.asarray(P)


def _rational(s: Array) -> Array:
    return np.asarray(1.0 / (1.0 + 0.5 * s * s))


def _matern32_parts(s: Array) -> Parts:
    return s, 1.0 + s, s * s


def _matern52_parts(s: Array) -> Parts:
    grown, squared = 1.0 + s, s * s
    squared *= 1.0 / 3.0
    P = grown + squared
    squared *= grown  # s^2 (1 + s) / 3
    return s, P, squared


CORRELATIONS = {
    k.name: k
    for k in (
        Correlation("matern12", _inverse, exponent=_itself),
        Correlation(
            "matern32",
            lambda s: np.full_like(s, 3.0),
            lambda s: 1.0 + s,
            _itself,
            ROOT3,
            _matern32_parts,
        ),
        Correlation(
            "matern52",
            lambda s: (5.0 / 3.0) * (1.0 + s),
            _quadratic,
            _itself,
            ROOT5,
            _matern52_parts,
        ),
        Correlation("rbf", np.ones_like, exponent=lambda s: 0.5 * s * s),
        Correlation("rq", lambda s: _rational(s) ** 2, _rational),
        Correlation("none", np.zeros_like),
    )
}
WIENER = Correlation("wiener", lambda s: -_inverse(s), lambda s: np.asarray(1.0 + s))
SPATIAL = tuple(name for name in CORRELATIONS if name != "none")
LABELS = {  # as written on screen
    "matern12": "Mat\N{LATIN SMALL LETTER E WITH ACUTE}rn-1/2",
    "matern32": "Mat\N{LATIN SMALL LETTER E WITH ACUTE}rn-3/2",
    "matern52": "Mat\N{LATIN SMALL LETTER E WITH ACUTE}rn-5/2",
    "rbf": "RBF",
    "rq": "RQ",
}
SMOOTHNESS = {"matern12": 0.5, "matern32": 1.5, "matern52": 2.5}  # nu of the Matern kernels
TEMPORAL = tuple(CORRELATIONS)  # those of a benchmark, functions of age
TIME_MODELS = (*TEMPORAL, WIENER.name)  # those of a surrogate


def correlation(name: str) -> Correlation:
    """Return the correlation of that name."""
    if name == WIENER.name:
        return WIENER
    if name not in CORRELATIONS:
        raise UnknownNameError("kernel", name, CORRELATIONS)
    return CORRELATIONS[name]


def temporal_correlation(name: str, lengthscale: float) -> Radial:
    """Return k_T as a function of age, in the unit of `lengthscale`."""
    k = correlation(name)
    return lambda age: k(np.abs(np.asarray(age, dtype=float)) / lengthscale)


def age_at(name: str, level: float) -> float:
    """Return the age, over l_T, at which k_T falls to `level`; by bisection, at most 1e6."""
    k = correlation(name)
    low, high = 0.0, 1e6
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if float(k(np.array(middle))) > level else (low, middle)
    return low


@dataclass(frozen=True, slots=True)
class Covariance:
    """lambda k_S k_T on points z = (x, t): arrays (..., d + 1), seconds in the last column."""

    spatial: Correlation
    temporal: Correlation
    theta: Hyperparameters
    origin: float = 0.0  # t_0 of a Wiener process, seconds; others ignore it
    domain: Domain | None = None  # where some coordinates have levels

    @property
    def space_scale(self) -> float | Array:
        """l_S, a number or one per knob (d,)."""
        l_S = self.theta.lengthscale_space
        return np.array(l_S) if isinstance(l_S, tuple) else l_S

    @property
    def stationary(self) -> bool:
        """Whether it depends on differences only, so that lambda is its prior variance."""
        return self.temporal is not WIENER

    @property
    def sees_time(self) -> bool:
        """Whether the covariance depends on time."""
        return self.temporal.name != "none"

    @property
    def time_scale(self) -> float:
        """l_T, or 1 if there is none: the kernel "none" ignores its argument."""
        return self.theta.lengthscale_time or 1.0

    def between(self, Z: Array, other: Array) -> Array:
        """Return the (m, n) covariances of m points with n others."""
        K = np.empty((len(Z), len(other)))
        self._fill(K, Z, other, max(CHUNK // max(len(other), 1), 1))
        return K

    def among(self, Z: Array) -> Array:
        """Return the (n, n) covariances of n points, valid on and above the diagonal."""
        n = len(Z)
        K = np.empty((n, n))
        step = max(CHUNK // max(n, 1), 1)
        for start in range(0, n, step):
            rows = slice(start, start + step)
            self._fill(K[rows, start:], Z[rows], Z[start:], step)
        return K

    def space_radii(self, X: Array, other: Array, rate: float = 1.0) -> Array:
        """Return `rate` times the argument r of k_S for m places with n others, (m, n)."""
        per_length = rate / self.space_scale
        if self.domain is not None and self.domain.choices:
            return np.sqrt(squared_radii(X, other, per_length, self.domain))
        return distances(X * per_length, other * per_length)

    def time_radii(self, t: Array, other: Array, rate: float = 1.0) -> Array:
        """Return `rate` times the argument r of k_T for m times with n others, (m, n)."""
        if self.stationary:
            r_T = np.subtract.outer(t, other)
            np.abs(r_T, out=r_T)
        else:
            r_T = np.maximum(np.minimum(t[:, None], other) - self.origin, 0.0)
        r_T *= rate / self.time_scale
        return np.asarray(r_T)

    def variance(self, Z: Array) -> Array:
        """Return the prior variance at m points, (m,)."""
        lam = self.theta.signal_variance
        if self.stationary:
            return np.full(len(Z), lam)
        return np.asarray(lam + lam * np.maximum(Z[:, -1] - self.origin, 0.0) / self.time_scale)

    def _fill(self, out: Array, Z: Array, other: Array, step: int) -> None:
        """Write the covariances of m points with n others into `out`, `step` rows at a time."""
        rate, per_time = self.spatial.rate, self.temporal.rate
        X, places, choices = Z[:, :-1], other[:, :-1], self.domain and self.domain.choices
        if not choices:  # scaled once for all rows
            X, places = X * (rate / self.space_scale), places * (rate / self.space_scale)
        t, times = Z[:, -1], other[:, -1]
        for start in range(0, len(Z), step):
            c = slice(start, start + step)
            s = self.space_radii(X[c], places, rate) if choices else distances(X[c], places)
            pairs = [(self.spatial, s)]
            if self.sees_time:
                pairs.append((self.temporal, self.time_radii(t[c], times, per_time)))
            self._product(out[c], pairs)

    def _product(self, out: Array, pairs: list[tuple[Correlation, Array]]) -> None:
        """Write lambda times the correlations, each at its s."""
        exponents = [k.exponent(s) for k, s in pairs if k.exponent is not None]
        if exponents:
            np.negative(exponents[0], out=out)
            for exponent in exponents[1:]:
                out -= exponent
            np.exp(out, out=out)
            out *= self.theta.signal_variance
        else:
            out.fill(self.theta.signal_variance)
        for k, s in pairs:
            if k.factor is not None:
                out *= k.factor(s)


def distances(X: Array, other: Array) -> Array:
    """Return Euclidean distances (m, n), from differences: exactly 0 for duplicates."""
    return np.asarray(cdist(X, other))
