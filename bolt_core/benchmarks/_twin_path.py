r"""A sample of a GP conditioned on data, as a function (pathwise conditioning, Wilson et al. 2020).

    f(z) = g(z) + k(z, D) A^-1 (r - g(D) - e),   A = k(D, D) + sigma_0^2 I,   e ~ N(0, sigma_0^2 I)

r are the standardised residuals y - m, and g is a sample of the prior by random Fourier features
(`gp_sample`). Over samples, mean and covariance of f are exactly those of the posterior,
whatever the number of features is: the covariance of g is exactly k, and the update is exact. Far
from the data, in place or in time, k(z, D) vanishes and f goes on as a sample of the prior.

Integers and choices: f is a function of the settable point of a cell, as the fitted covariance is.
The levels of a choice are the corners of a simplex, which have the distances of `choice_distance`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bolt_core.benchmarks.gp_sample import Path, draw_prior
from bolt_core.benchmarks.oracle import dense_points, highest, local_maxima
from bolt_core.common.domain import Domain
from bolt_core.common.types import Array
from bolt_core.gp.posterior import condition
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.kernels import Covariance

ROWS_PER_CALL = 2048  # points whose features and covariances are in memory at a time
NEGLIGIBLE = 1e-9  # k_T below which the search for the optimum leaves a row of the log out
MAX_STARTS = 12  # ascents per optimum; with 60, f* was higher by 0.01 standard deviations (d = 6)
PROMISE = 4.0  # times the largest gain of an ascent so far that another one may bring
SMALL_GAIN = 1e-3  # standardised: what it may bring in any case
EXCHANGES = 10  # rounds in which a better level of a knob is sought
LEVELS_TRIED = 64  # of an integer, around the present one


@dataclass(frozen=True)
class TwinPath:
    """The sampled function, in raw units, and its moving maximum over the settable points."""

    model: Model
    inference: Inference
    Z: Array  # (n, d + 1) of the data: settable points and seconds, in the order of time
    a: Array  # (n,): A^-1 (r - g(D) - e), standardised units
    prior: Path  # g, on embedded places

    def f(self, x: Array, t: Array) -> Array:
        """Return f at x (..., d) and t (...) in seconds."""
        shape = np.broadcast_shapes(x.shape[:-1], t.shape)
        points = np.empty((*shape, x.shape[-1] + 1))
        points[..., :-1], points[..., -1] = x, t
        flat = points.reshape(-1, points.shape[-1])
        parts = [flat[k : k + ROWS_PER_CALL] for k in range(0, len(flat), ROWS_PER_CALL)]
        values = np.concatenate([self._standardised(part) for part in parts] or [np.empty(0)])
        return self._raw(values.reshape(shape))

    def best(self, t: float) -> tuple[Array, float]:
        """Return (x*, f*): a dense set of points, ascent from its maxima, exchange of levels."""
        count = 8 if self._d <= 3 else MAX_STARTS
        starts = local_maxima(self._dense_points, self._dense_values(t), count)
        x, value = self._highest(starts, t)
        for _ in range(EXCHANGES if self._domain.discrete else 0):
            others = self._exchanges(x)
            values = self._standardised(_at(others, t))
            if values.max() <= value:
                break
            x, value = self._highest(others[[int(np.argmax(values))]], t)
        return x, float(self._raw(np.array(value)))

    def climb(self, start: Array, t: float) -> Callable[[Array], tuple[float, Array]]:
        """Return x -> (f, gradient) over the continuous knobs x, others as in `start`.

        Standardised units, at time t.
        """
        k, free = self._k, self._continuous
        window, weights = self._weights(t)
        places = self.Z[window, :-1]
        per_length = 1.0 / np.broadcast_to(k.space_scale, (self._d,))[free]
        others = start[None].copy()
        others[:, free] = 0.0
        at_zero = places.copy()
        at_zero[:, free] = 0.0
        fixed = k.space_radii(others, at_zero)[0] ** 2  # of r^2
        w = self.prior.w[:, self._columns]
        phase = self.prior.w @ embedded(others, self._domain)[0] + self.prior.v * t + self.prior.phi
        scaled, spatial = places[:, free] * per_length, k.spatial

        def at(x: Array) -> tuple[float, Array]:
            phases = w @ x + phase
            apart = x * per_length - scaled
            r = np.sqrt(fixed + np.einsum("ij,ij->i", apart, apart))
            value = self.prior.scale * float(np.sum(np.cos(phases))) + float(weights @ spatial(r))
            slope = -self.prior.scale * (np.sin(phases) @ w)
            return value, slope - ((weights * spatial.radial(r)) @ apart) * per_length

        return at

    def _highest(self, starts: Array, t: float) -> tuple[Array, float]:
        """Return the highest point reached from the starts, those of small promise left out."""
        values = self._standardised(_at(starts, t))
        row = int(np.argmax(values))
        x, top, gain = starts[row], float(values[row]), 0.0
        for start, value in zip(starts, values, strict=True) if self._continuous else ():
            if value + PROMISE * gain + SMALL_GAIN < top:
                continue
            place, reached = highest(self.climb(start, t), start[None, self._continuous])
            gain = max(gain, reached - value)
            if reached > top:
                x, top = start.copy(), reached
                x[self._continuous] = place
        return x, top

    def _exchanges(self, x: Array) -> Array:
        """Return x with one knob at another level, all such points (m, d)."""
        rows = []
        for k in self._domain.discrete:
            m = self._domain.levels[k]
            here = int(x[k] * m)
            first = 0 if self._domain.choice[k] else max(here - LEVELS_TRIED // 2, 0)
            last = m if self._domain.choice[k] else min(here + LEVELS_TRIED // 2 + 1, m)
            others = np.repeat(x[None], last - first, axis=0)
            others[:, k] = (np.arange(first, last) + 0.5) / m
            rows.append(others)
        return np.concatenate(rows)

    def _standardised(self, points: Array) -> Array:
        """Return f at points (s, d + 1), in standardised units without the mean."""
        X, t = self._domain.snap(points[:, :-1]), points[:, -1]
        at = np.column_stack([X, t])
        return self.prior.f(embedded(X, self._domain), t) + self._k.between(at, self.Z) @ self.a

    def _raw(self, values: Array) -> Array:
        learned = self.inference
        return np.asarray(learned.y_mean + learned.y_sd * (learned.mean + values))

    def _weights(self, t: float) -> tuple[slice, Array]:
        """Return the rows of the data that count at time t, and lambda k_T a of each."""
        k = self._k
        k_T = k.temporal(k.time_radii(np.array([t]), self.Z[:, -1])[0])
        near = np.flatnonzero(k_T > NEGLIGIBLE)
        window = slice(int(near[0]), int(near[-1]) + 1) if len(near) else slice(0, 0)
        return window, k.theta.signal_variance * k_T[window] * self.a[window]

    def _dense_values(self, t: float) -> Array:
        """Return f at the dense points, standardised, from stored factors: products, no kernel."""
        cosines, sines, k_S = self._dense_factors
        now = self.prior.v * t + self.prior.phi
        scale = self.prior.scale
        window, weights = self._weights(t)
        return np.asarray(
            (scale * np.cos(now)).astype(np.float32) @ cosines
            - (scale * np.sin(now)).astype(np.float32) @ sines
            + weights.astype(np.float32) @ k_S[window]
        )

    @cached_property
    def _dense_points(self) -> Array:
        return self._domain.snap(dense_points(self._d, 12 if self._d <= 3 else 13))

    @cached_property
    def _dense_factors(self) -> tuple[NDArray[np.float32], ...]:
        """Return cos and sin of the phases, and k_S with the data, at the dense points; float32."""
        points = self._dense_points
        phases = self.prior.w @ embedded(points, self._domain).T
        k_S = np.empty((len(self.Z), len(points)), dtype=np.float32)
        for row in range(len(self.Z)):
            radii = self._k.space_radii(self.Z[row : row + 1, :-1], points)
            k_S[row] = self._k.spatial(radii)[0]
        return np.cos(phases).astype(np.float32), np.sin(phases).astype(np.float32), k_S

    @cached_property
    def _k(self) -> Covariance:
        return self.model.covariance(self.inference.theta)

    @cached_property
    def _domain(self) -> Domain:
        return self.model.domain or continuous(self.model.dimension)

    @property
    def _d(self) -> int:
        return self.model.dimension

    @cached_property
    def _continuous(self) -> list[int]:
        return [k for k in range(self._d) if not self._domain.levels[k]]

    @cached_property
    def _columns(self) -> list[int]:
        """The embedded columns of the continuous knobs."""
        ordered = _ordered(self._domain)
        return [ordered.index(k) for k in self._continuous]


def conditioned(model: Model, inference: Inference, data: Data, sample: int) -> TwinPath:
    """Return a sample, by its seed, of the GP given the data (y in raw units)."""
    domain = model.domain or continuous(model.dimension)
    order = np.argsort(data.Z[:, -1], kind="stable")
    Z = data.Z[order]
    Z[:, :-1] = domain.snap(Z[:, :-1])
    theta = inference.theta
    scales = tuple(embedded_scales(theta.per_knob, domain).tolist())
    kernels = model.spatial_kernel, model.temporal_kernel
    prior = draw_prior(replace(theta, lengthscale_space=scales), kernels, sample)
    noise = np.random.default_rng((sample, 1)).standard_normal(len(Z))
    drawn = prior.f(embedded(Z[:, :-1], domain), Z[:, -1]) + theta.noise_variance**0.5 * noise
    rest = Data(Z, data.y[order] - inference.y_sd * drawn, data.weights[order])
    state = condition(model.covariance(theta), rest, inference)
    return TwinPath(model, inference, Z, state.a, prior)


def embedded(X: Array, domain: Domain) -> Array:
    """Return places (s, d) with each choice replaced by a corner of a simplex, (s, d')."""
    if not domain.choices:
        return X
    parts = [X[:, _ordered(domain)]]
    for k in domain.choices:
        m = domain.levels[k]
        level = np.clip(np.floor(X[:, k] * m), 0, m - 1)
        parts.append((level[:, None] == np.arange(m)) * (domain.choice_distance(k) / 2**0.5))
    return np.concatenate(parts, axis=1)


def embedded_scales(per_knob: tuple[float, ...], domain: Domain) -> Array:
    """Return the lengthscale of each embedded coordinate, (d',)."""
    scales = np.broadcast_to(per_knob, (domain.dimension,))
    levels = [np.full(domain.levels[k], scales[k]) for k in domain.choices]
    return np.concatenate([scales[_ordered(domain)], *levels])


def continuous(dimension: int) -> Domain:
    """Return the domain of which every coordinate may be set anywhere."""
    return Domain((0,) * dimension, (False,) * dimension)


def _ordered(domain: Domain) -> list[int]:
    """Return the coordinates that are not choices."""
    return [k for k in range(domain.dimension) if not domain.choice[k]]


def _at(X: Array, t: float) -> Array:
    """Return places (s, d) at one time as points (s, d + 1)."""
    return np.column_stack([X, np.full(len(X), t)])
