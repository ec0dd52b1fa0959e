r"""GP-UCB and its gradient over a box: x in [0, 1]^d, t in [start, start + window].

    alpha(z) = mu(z) + sqrt(beta) sigma(z),   z = (x, t)

With c = M k(D, z), q_i = a_i - sqrt(beta) c_i / sigma and -k_S'(r)/r = S_S(r) e^(-E),

    d alpha / dx = -sum_i q_i lambda S_S(r_i) e^(-E_S) k_T (x - x_i) / l_S^2

and the same in t with the kernels' parts exchanged. l_S is that of the coordinate where there is
one per knob; a choice, which has levels only, has no derivative. Without a window the time is
fixed: k_T is then one number per observation, and half of the kernel is computed once for the whole
search.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
from scipy.linalg import blas

from bolt_core.common.types import Array
from bolt_core.gp.posterior import TINY, Posterior
from bolt_core.gp.ucb_rank import SingleUcb, is_precise
from bolt_core.theory.kernels import distances

BLOCK = 24_576  # elements of the kernel at a time, 192 kB: in the L2 cache
ROWS_OF_BLAS = 8  # products of BLAS are fastest for a multiple of so many rows
ROWS_BY_THEMSELVES = 2  # up to so many rows, a product with each of them is faster


class Search:
    """The function to maximise, in unit coordinates: x, and the share of the window if any."""

    def __init__(self, posterior: Posterior, beta: float, start: float, window: float) -> None:
        self.posterior = posterior
        self.beta = beta
        self.start, self.window = start, window  # seconds
        k = posterior.k
        self._scale = k.space_scale
        self._variance = k.theta.signal_variance
        self._per_square = 1.0 / self._scale**2
        self._sigmas = beta**0.5
        self._choices = () if k.domain is None else k.domain.choices
        self._per_length = k.spatial.rate / self._scale
        self._scaled = posterior.Z[:, :-1] * self._per_length
        self._with_ones = posterior.Z.copy()  # x, then 1: sums with weights and of weights
        self._with_ones[:, -1] = 1.0
        self._fixed_time = self._times(np.array([[start]]))[1]  # lambda k_T, (1, n)

    @property
    def free(self) -> int:
        """The number of free coordinates: d, and time if there is a window."""
        return int(self.posterior.Z.shape[1]) - (self.window <= 0)

    @property
    def reach(self) -> float:
        """The distance over which alpha changes, in unit coordinates: l_S, at most 1."""
        return min(float(np.min(self._scale)), 1.0)

    def points(self, U: Array) -> Array:
        """Return unit coordinates (s, free) as points (s, d + 1)."""
        d = self.posterior.Z.shape[1] - 1
        Z = np.empty((len(U), d + 1))
        Z[:, :d] = U[:, :d]
        Z[:, d] = self.start if self.window <= 0 else self.start + self.window * U[:, d]
        return Z

    def mean(self, X: Array) -> Array:
        """Return the posterior mean (s,) at places X (s, d) at the start, up to a constant."""
        weights = self._fixed_time[0] * self.posterior.a
        mean = np.empty(len(X))
        for rows in self._blocks(len(X)):
            mean[rows] = self.posterior.k.spatial.at(self._scaled_distances(X[rows])) @ weights
        return mean

    def rank_observed(self) -> Array:
        """Return `mean` at all observed places (n,), rounded as a rank allows."""
        if (single := self._single) is not None:
            return single.mean_at_observed(self._blocks(len(self.posterior.Z)))
        return self.mean(self.posterior.Z[:, :-1])

    def rank(self, U: Array) -> Array:
        """Return alpha (s,) at unit coordinates (s, free), rounded as a rank allows."""
        if (single := self._single) is not None:
            return single.value(U, self.beta, self._blocks(len(U)))
        return self.value(U)

    def value(self, U: Array) -> Array:
        """Return alpha (s,) at unit coordinates (s, free)."""
        posterior = self.posterior
        if len(posterior.Z) == 0:
            mu, sigma = posterior.predict(self.points(U))
            return np.asarray(mu + self.beta**0.5 * sigma)
        d = posterior.Z.shape[1] - 1
        alpha = np.empty(len(U))
        for rows in self._blocks(len(U)):
            K = posterior.k.spatial.at(self._scaled_distances(U[rows, :d]))
            K *= self._fixed_time if self.window <= 0 else self._times(self._clock(U[rows]))[1]
            alpha[rows] = self._alpha(K, posterior.rotate(K))[0]
        return alpha

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Return alpha (s,) and its gradient (s, free) in unit coordinates."""
        posterior = self.posterior
        d = posterior.Z.shape[1] - 1
        X = U[:, :d]
        S = self._scaled_distances(X)
        r_T, k_T = (None, self._fixed_time) if self.window <= 0 else self._times(self._clock(U))
        e, K = self._kernel(S, k_T)
        V = self._rotate(K)
        alpha, sigma = self._alpha(K, V)
        q = self._rotate_back(V)
        q *= np.divide(-self._sigmas, sigma, out=sigma)[:, None]
        q += posterior.a
        gradient = np.empty_like(U)
        if r_T is not None:
            gradient[:, d] = self._by_time(q, S, r_T, self._clock(U)[:, 0])
        q *= e
        q *= posterior.k.spatial.slope(S)
        sums = q @ self._with_ones
        by_place = gradient[:, :d]
        np.multiply(sums[:, d:], X, out=by_place)
        np.subtract(sums[:, :d], by_place, out=by_place)
        by_place *= self._per_square
        for k in self._choices:
            gradient[:, k] = 0.0  # a choice has levels only
        return alpha, gradient

    def _kernel(self, S: Array, k_T: Array) -> tuple[Array, Array]:
        """Return exp(-E_S) k_T, with lambda, and the same times P_S: k(z, D), (s, n)."""
        spatial = self.posterior.k.spatial
        if spatial.exponent is None:
            e = k_T
        else:
            e = np.negative(spatial.exponent(S))
            np.exp(e, out=e)
            e *= k_T
        return e, e if spatial.factor is None else e * spatial.factor(S)

    def _by_time(self, q: Array, S: Array, r_T: Array, t: Array) -> Array:
        """Return the derivative (s,) of alpha in the share of the window."""
        k, times = self.posterior.k, self.posterior.Z[:, -1]
        G = q * k.spatial.at(S) * k.temporal.radial(r_T)
        G *= -k.theta.signal_variance * self.window / k.time_scale**2
        return np.asarray(G.sum(axis=1) * t - G @ times)

    def _alpha(self, K: Array, V: Array) -> tuple[Array, Array]:
        """Return alpha and sigma (s,) from k(z, D) and the same times B'."""
        sigma = np.vecdot(V, V)
        np.subtract(self._variance, sigma, out=sigma)
        np.maximum(sigma, TINY * self._variance, out=sigma)
        np.sqrt(sigma, out=sigma)
        alpha = K @ self.posterior.a
        alpha += self._sigmas * sigma
        alpha += self.posterior.mean
        return alpha, sigma

    @cached_property
    def _single(self) -> SingleUcb | None:
        """The same in single precision, where that is possible and good enough for ranks."""
        if self.window > 0 or self._choices or not is_precise(self.posterior):
            return None
        return SingleUcb(self.posterior, self._per_length, self._fixed_time)

    def _rotate(self, K: Array) -> Array:
        """Return `posterior.rotate` of K; of a few rows each by itself, as BLAS is faster then."""
        if 1 < len(K) <= ROWS_BY_THEMSELVES:
            return np.concatenate([self.posterior.rotate(K[i : i + 1]) for i in range(len(K))])
        return self.posterior.rotate(K)

    def _rotate_back(self, V: Array) -> Array:
        """Return V B (s, n), which may take the place of V."""
        root = self.posterior.root
        if self.posterior.triangular and len(V) >= ROWS_OF_BLAS:
            return np.asarray(blas.dtrmm(1.0, root, V.T, lower=1, trans_a=1, overwrite_b=1).T)
        if len(V) <= ROWS_BY_THEMSELVES:
            return np.stack([row @ root for row in V])
        return np.asarray(V @ root)

    def _blocks(self, count: int) -> Iterator[slice]:
        """Yield ranges of `count` rows whose kernel stays in the L2 cache."""
        step = max(BLOCK // len(self.posterior.Z) // ROWS_OF_BLAS, 1) * ROWS_OF_BLAS
        return (slice(i, min(i + step, count)) for i in range(0, count, step))

    def _scaled_distances(self, X: Array) -> Array:
        """Return the argument of k_S, c |x - x_i| / l_S, (s, n)."""
        if self._choices:
            k = self.posterior.k
            return k.space_radii(X, self.posterior.Z[:, :-1], k.spatial.rate)
        return distances(X * self._per_length, self._scaled)

    def _clock(self, U: Array) -> Array:
        """Return the times of unit coordinates that have one, (s, 1)."""
        return np.asarray(self.start + self.window * U[:, -1:])

    def _times(self, t: Array) -> tuple[Array, Array]:
        """Return |t - t_i| / l_T and lambda k_T of it, (s, n), for times (s, 1)."""
        k = self.posterior.k
        r_T = np.abs(t - self.posterior.Z[:, -1])
        r_T /= k.time_scale
        return r_T, k.theta.signal_variance * k.temporal(r_T)
