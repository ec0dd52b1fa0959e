r"""Correlation functions, and the covariance lambda k_S k_T of the surrogates.

Every correlation here has the form, with r = distance / lengthscale,

    k(r) = P(r) exp(-E(r)),    -k'(r) / r = S(r) exp(-E(r)),

so that a product of several needs one exponential in all, and S alone gives both derivatives:

    dk / d log l = r^2 S(r) exp(-E(r)),    dk / dx = -S(r) exp(-E(r)) (x - x') / l^2.

    matern12  P = 1                    E = r          S = 1 / r  (0 at r = 0, where k has a kink)
    matern32  P = 1 + s                E = s          S = 3                  s = sqrt(3) r
    matern52  P = 1 + s + s^2 / 3      E = s          S = 5 (1 + s) / 3      s = sqrt(5) r
    rbf       P = 1                    E = r^2 / 2    S = 1
    rq        P = 1 / (1 + r^2 / 2)    E = 0          S = P^2                alpha = 1
    none      P = 1                    E = 0          S = 0                  sees no time

The Wiener process is not stationary, and is used in time only, by UI-TVBO. With t_0 the time of the
oldest observation, it has the same form in another r:

    wiener    P = 1 + r                E = 0          r = (min(t, t') - t_0) / l_T

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

Radial: TypeAlias = Callable[[Array], Array]  # elementwise in r >= 0
# Elements worked on at a time, 96 kB: in the L2 cache, and below the size (128 kB) from which
# malloc maps fresh pages for every temporary. 4.9 ms against 12.3 ms in one piece at 200 x 1,024.
CHUNK = 12_288
ROOT3, ROOT5 = math.sqrt(3.0), math.sqrt(5.0)


@dataclass(frozen=True, slots=True)
class Correlation:
    """k(r) = P(r) exp(-E(r)) and its slope; `None` stands for P = 1 or E = 0."""

    name: str
    slope: Radial  # S
    factor: Radial | None = None  # P
    exponent: Radial | None = None  # E

    def __call__(self, r: Array) -> Array:
        value = np.ones_like(r) if self.factor is None else self.factor(r)
        return value if self.exponent is None else value * np.exp(-self.exponent(r))

    def radial(self, r: Array) -> Array:
        """Return -k'(r) / r; r^2 times it is dk / d log l."""
        slope = self.slope(r)
        return slope if self.exponent is None else slope * np.exp(-self.exponent(r))


def _inverse(r: Array) -> Array:
    return np.divide(1.0, r, out=np.zeros_like(r), where=r > 0)


def _quadratic(r: Array) -> Array:
    return np.asarray(1.0 + r * (ROOT5 + (5.0 / 3.0) * r))


def _rational(r: Array) -> Array:
    return np.asarray(1.0 / (1.0 + 0.5 * r * r))


CORRELATIONS = {
    k.name: k
    for k in (
        Correlation("matern12", _inverse, exponent=lambda r: r),
        Correlation(
            "matern32",
            lambda r: np.full_like(r, 3.0),
            lambda r: 1.0 + ROOT3 * r,
            lambda r: ROOT3 * r,
        ),
        Correlation(
            "matern52", lambda r: (5.0 / 3.0) * (1.0 + ROOT5 * r), _quadratic, lambda r: ROOT5 * r
        ),
        Correlation("rbf", np.ones_like, exponent=lambda r: 0.5 * r * r),
        Correlation("rq", lambda r: _rational(r) ** 2, _rational),
        Correlation("none", np.zeros_like),
    )
}
WIENER = Correlation("wiener", lambda r: -_inverse(r), lambda r: np.asarray(1.0 + r))
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
        step = max(CHUNK // max(len(other), 1), 1)
        for start in range(0, len(Z), step):
            rows = slice(start, start + step)
            self._fill(K[rows], *self.radii(Z[rows], other))
        return K

    def radii(self, Z: Array, other: Array) -> tuple[Array, Array]:
        """Return distances over lengthscales in space and in time, (m, n); 0 without time."""
        r_S = self.space_radii(Z[:, :-1], other[:, :-1])
        if not self.sees_time:
            return r_S, np.zeros((1, 1))
        return r_S, self.time_radii(Z[:, -1], other[:, -1])

    def space_radii(self, X: Array, other: Array) -> Array:
        """Return distances over lengthscales of m places with n others, (m, n)."""
        l_S = self.theta.lengthscale_space
        if self.domain is not None and self.domain.choices:
            return np.sqrt(squared_radii(X, other, self.space_scale, self.domain))
        if isinstance(l_S, tuple):
            return distances(X / self.space_scale, other / self.space_scale)
        r_S = distances(X, other)
        r_S /= l_S
        return r_S

    def time_radii(self, t: Array, other: Array) -> Array:
        """Return the argument of k_T for m times with n others, (m, n)."""
        if self.stationary:
            r_T = np.abs(t[:, None] - other)
        else:
            r_T = np.maximum(np.minimum(t[:, None], other) - self.origin, 0.0)
        r_T /= self.time_scale
        return np.asarray(r_T)

    def variance(self, Z: Array) -> Array:
        """Return the prior variance at m points, (m,)."""
        lam = self.theta.signal_variance
        if self.stationary:
            return np.full(len(Z), lam)
        return np.asarray(lam + lam * np.maximum(Z[:, -1] - self.origin, 0.0) / self.time_scale)

    def exponential(self, r_S: Array, r_T: Array) -> Array:
        """Return lambda exp(-E_S - E_T)."""
        parts = ((self.spatial.exponent, r_S), (self.temporal.exponent, r_T))
        total = None
        for E, r in parts:
            if E is not None:
                total = E(r) if total is None else total + E(r)
        if total is None:
            return np.full_like(r_S, self.theta.signal_variance)
        return np.asarray(self.theta.signal_variance * np.exp(-total))

    def _fill(self, out: Array, r_S: Array, r_T: Array) -> None:
        np.copyto(out, self.exponential(r_S, r_T))
        for k, r in ((self.spatial, r_S), (self.temporal, r_T)):
            if k.factor is not None:
                out *= k.factor(r)


def distances(X: Array, other: Array) -> Array:
    """Return Euclidean distances (m, n), from differences: exactly 0 for duplicates."""
    return np.asarray(cdist(X, other))
