r"""A sample path of the GP that the algorithms assume, with known hyperparameters.

Random Fourier features of lambda k_S k_T, k_S Matern-5/2 and k_T Matern-3/2:

    f(x, t) = sqrt(2 lambda / m) sum_j cos(w_j . x + v_j t + phi_j)

    w_j: multivariate t, 5 degrees of freedom, scale 1 / l_S     (spectrum of Matern-5/2)
    v_j: t, 3 degrees of freedom, scale 1 / l_T                  (spectrum of Matern-3/2)
    phi_j: uniform on [0, 2 pi]

Its covariance over environments is exactly lambda k_S k_T; with m = 512 features it is nearly
Gaussian. `environment` is the seed of the function: keep it the same in a comparison. `draw_prior`
knows the spectra of all kernels, because the twin of a log (`twin.py`) is drawn from its own.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bolt_core.benchmarks.oracle import dense_points, highest, local_maxima
from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow
from bolt_core.common.errors import UnknownNameError
from bolt_core.common.options import Option
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.theory.kernels import SMOOTHNESS, SPATIAL

FEATURES = 512  # m
KERNELS = ("matern52", "matern32")  # k_S, k_T
ROW = TableRow(noise_variance=0.01, cost=0.05, horizon=600.0, lengthscale_time=60.0)


@dataclass(frozen=True)
class Path:
    """One sampled function: its features, its values and its moving maximum."""

    w: Array  # (m, d), radians per unit of x
    v: Array  # (m,), radians per second
    phi: Array  # (m,)
    scale: float  # sqrt(2 lambda / m)

    def f(self, x: Array, t: Array) -> Array:
        """Return f at x (..., d) and t (...) in seconds."""
        phases = x @ self.w.T + t[..., None] * self.v + self.phi
        return np.asarray(self.scale * np.sum(np.cos(phases), axis=-1))

    def climb(self, t: float) -> Callable[[Array], tuple[float, Array]]:
        """Return the function x -> (f(x, t), gradient in x)."""
        now = self.v * t + self.phi

        def at(x: Array) -> tuple[float, Array]:
            phases = self.w @ x + now
            slope = -self.scale * (np.sin(phases) @ self.w)
            return self.scale * float(np.sum(np.cos(phases))), slope

        return at

    def best(self, t: float) -> tuple[Array, float]:
        """Return (x*, f*): a dense set of points, then ascent from its local maxima.

        Both are larger in more dimensions.
        """
        points, cosines, sines = self._dense_points
        now = self.v * t + self.phi
        values = cosines @ np.cos(now) - sines @ np.sin(now)  # f / scale: two products, no cosine
        dimension = points.shape[1]
        starts = 8 if dimension <= 3 else 12 * 2 ** (dimension - 3)
        return highest(self.climb(t), local_maxima(points, values, starts))

    @cached_property
    def _dense_points(self) -> tuple[Array, Array, Array]:
        dimension = self.w.shape[1]
        points = dense_points(dimension, 12 if dimension <= 3 else 13)
        phases = points @ self.w.T
        return points, np.cos(phases), np.sin(phases)


def draw(
    *,
    d: int,
    environment: int,
    signal_variance: float,
    lengthscale_space: float,
    lengthscale_time: float,
    features: int = FEATURES,
) -> Path:
    """Return a path of the GP with these hyperparameters."""
    theta = Hyperparameters(signal_variance, (lengthscale_space,) * d, lengthscale_time, 0.0)
    return draw_prior(theta, KERNELS, environment, features)


def draw_prior(
    theta: Hyperparameters, kernels: tuple[str, str], environment: int, features: int = FEATURES
) -> Path:
    """Return a path of lambda k_S k_T with these kernels; l_S has one value per input."""
    rng = np.random.default_rng(environment)
    tail_space, tail_time = (_tails(kernel, rng, features) for kernel in kernels)
    l_S, l_T = np.array(theta.per_knob), theta.lengthscale_time
    w = rng.standard_normal((features, len(l_S))) * tail_space[:, None] / l_S
    v = rng.standard_normal(features) * tail_time / (math.inf if l_T is None else l_T)
    phi = 2.0 * np.pi * rng.random(features)
    return Path(w, v, phi, float(np.sqrt(2.0 * theta.signal_variance / features)))


def _tails(kernel: str, rng: np.random.Generator, count: int) -> Array:
    """Return the factors that turn normal frequencies into those of a kernel's spectrum.

    Matern-nu: a t distribution with 2 nu degrees of freedom; RQ with alpha = 1: the mean of RBF
    kernels over exponential squared frequencies; RBF: normal as it is.
    """
    if kernel in SMOOTHNESS:
        freedom = 2.0 * SMOOTHNESS[kernel]
        return np.sqrt(freedom / rng.chisquare(freedom, count))
    if kernel == "rq":
        return np.sqrt(rng.exponential(1.0, count))
    if kernel == "rbf":
        return np.ones(count)
    raise UnknownNameError("kernel with a spectrum", kernel, SPATIAL)


def landscape(*, d: int, lengthscale_time: float, noise_variance: float, **gp: Any) -> Landscape:  # noqa: ANN401
    """Return the landscape of a sample path; its row follows the options, `gp` is for `draw`."""
    path = draw(d=d, lengthscale_time=lengthscale_time, **gp)
    row = replace(ROW, noise_variance=noise_variance, lengthscale_time=lengthscale_time)
    return Landscape(d, path.f, path.best, source="random Fourier features", row=row)


BENCHMARK = BenchmarkSpec(
    key="gp-sample",
    label="GP sample",
    dimension=2,
    row=ROW,
    landscape=landscape,
    options=(
        Option("d", 2, "dimension of x", low=1, high=6),
        Option("environment", 0, "seed of the function; keep it fixed in a comparison", low=0),
        Option("signal_variance", 1.0, "lambda", low=1e-6, high=1e6),
        Option("lengthscale_space", 0.2, "l_S, in units of the box", low=0.1, high=10.0),
        Option("lengthscale_time", ROW.lengthscale_time, "l_T", low=1.0, high=1e4, unit="s"),
        Option("noise_variance", ROW.noise_variance, "sigma_0^2", low=0.0, high=1e6),
    ),
    in_paper=False,
    notes=(
        "Not in the paper. The model of the surrogate is exact here, so l_T and n* can be checked.",
        "For d >= 4 the optimum is found by search: f* may be slightly too low.",
    ),
)
