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

import numpy as np

from bolt_core.common.types import Array
from bolt_core.gp.posterior import TINY, Posterior
from bolt_core.theory.kernels import CHUNK, distances


class Search:
    """The function to maximise, in unit coordinates: x, and the share of the window if any."""

    def __init__(self, posterior: Posterior, beta: float, start: float, window: float) -> None:
        self.posterior = posterior
        self.beta = beta
        self.start, self.window = start, window  # seconds
        k = posterior.k
        self._scale = k.space_scale
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
        for rows in self._chunks(len(X)):
            mean[rows] = self.posterior.k.spatial.at(self._scaled_distances(X[rows])) @ weights
        return mean

    def value(self, U: Array) -> Array:
        """Return alpha (s,) at unit coordinates (s, free)."""
        posterior = self.posterior
        if len(posterior.Z) == 0:
            mu, sigma = posterior.predict(self.points(U))
            return np.asarray(mu + self.beta**0.5 * sigma)
        d = posterior.Z.shape[1] - 1
        alpha = np.empty(len(U))
        for rows in self._chunks(len(U)):
            K = posterior.k.spatial.at(self._scaled_distances(U[rows, :d]))
            K *= self._fixed_time if self.window <= 0 else self._times(self._clock(U[rows]))[1]
            alpha[rows] = self._alpha(K, posterior.rotate(K))[0]
        return alpha

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Return alpha (s,) and its gradient (s, free) in unit coordinates."""
        posterior = self.posterior
        spatial, d = posterior.k.spatial, posterior.Z.shape[1] - 1
        S = self._scaled_distances(U[:, :d])
        timed = self.window > 0
        r_T, k_T = self._times(self._clock(U)) if timed else (None, self._fixed_time)
        e = k_T if spatial.exponent is None else np.exp(np.negative(spatial.exponent(S))) * k_T
        K = e if spatial.factor is None else e * spatial.factor(S)
        V = posterior.rotate(K)
        alpha, sigma = self._alpha(K, V)
        q = V @ posterior.root
        q *= (-(self.beta**0.5) / sigma)[:, None]
        q += posterior.a
        gradient = np.empty_like(U)
        if r_T is not None:
            lam = posterior.k.theta.signal_variance
            G = q * spatial.at(S) * posterior.k.temporal.radial(r_T)
            G *= -lam * self.window / posterior.k.time_scale**2
            times = posterior.Z[:, -1]
            gradient[:, d] = G.sum(axis=1) * self._clock(U)[:, 0] - G @ times
        q *= e
        q *= spatial.slope(S)
        sums = q @ self._with_ones
        gradient[:, :d] = sums[:, :d]
        gradient[:, :d] -= sums[:, d:] * U[:, :d]
        gradient[:, :d] /= self._scale**2
        for k in self._choices:
            gradient[:, k] = 0.0  # a choice has levels only
        return alpha, gradient

    def _alpha(self, K: Array, V: Array) -> tuple[Array, Array]:
        """Return alpha and sigma (s,) from k(z, D) and the same times B'."""
        lam = self.posterior.k.theta.signal_variance
        sigma = np.sqrt(np.maximum(lam - np.vecdot(V, V), TINY * lam))
        return self.posterior.mean + K @ self.posterior.a + self.beta**0.5 * sigma, sigma

    def _chunks(self, count: int) -> Iterator[slice]:
        """Yield ranges of `count` rows whose kernel stays in the L2 cache."""
        step = max(CHUNK // len(self.posterior.Z), 1)
        return (slice(first, first + step) for first in range(0, count, step))

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
