r"""GP-UCB, its gradient and its maximisation.

    alpha(z) = mu(z) + sqrt(beta) sigma(z),   z = (x, t)

With c = M k(D, z), q_i = a_i - sqrt(beta) c_i / sigma and -k_S'(r)/r = S_S(r) e^(-E),

    d alpha / dx = -sum_i q_i lambda S_S(r_i) P_T(r_i) e^(-E) (x - x_i) / l_S^2

and the same in t with the kernels' parts exchanged. Candidates are uniform points, the points of D
with the highest posterior mean now, and neighbours of these. The best are optimised together by one
L-BFGS on the sum of their alphas, so that the overhead of numpy is paid once, and the best of them
is then refined alone.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from bolt_core.common.types import Array
from bolt_core.gp.posterior import TINY, Posterior

UNIFORM = 256  # candidates
TOP_OBSERVED = 16  # points of D taken as candidates
NEIGHBOURS = 4  # around each of them
STARTS = 4
ITERATIONS = 30
POLISH = 10  # iterations of the best start alone
COARSE, FINE = 1e-5, 1e-8  # L-BFGS stops when a step gains less than this share of max(|alpha|, 1)


@dataclass(frozen=True, slots=True)
class Search:
    """The function to maximise and its box: x in [0, 1]^d, t in [start, start + window]."""

    posterior: Posterior
    beta: float
    start: float
    window: float

    @property
    def free(self) -> int:
        """The number of free coordinates: d, and time if there is a window."""
        return int(self.posterior.Z.shape[1]) - (self.window <= 0)

    def points(self, U: Array) -> Array:
        """Return unit coordinates (s, free) as points (s, d + 1)."""
        d = self.posterior.Z.shape[1] - 1
        Z = np.empty((len(U), d + 1))
        Z[:, :d] = U[:, :d]
        Z[:, d] = self.start if self.window <= 0 else self.start + self.window * U[:, d]
        return Z

    def value(self, U: Array) -> Array:
        """Return alpha (s,) at unit coordinates (s, free)."""
        mu, sigma = self.posterior.predict(self.points(U))
        return np.asarray(mu + self.beta**0.5 * sigma)

    def value_and_gradient(self, U: Array) -> tuple[Array, Array]:
        """Return alpha (s,) and its gradient (s, free) in unit coordinates."""
        alpha, gradient = ucb_gradient(self.posterior, self.points(U), self.beta)
        if self.window <= 0:
            return alpha, gradient[:, :-1]
        gradient[:, -1] *= self.window
        return alpha, gradient


def ucb_gradient(posterior: Posterior, points: Array, beta: float) -> tuple[Array, Array]:
    """Return alpha (s,) and its gradient (s, d + 1) in x and t at `points` (s, d + 1)."""
    k, lam = posterior.k, posterior.k.theta.signal_variance
    r_S, r_T = k.radii(points, posterior.Z)
    e = k.exponential(r_S, r_T)
    by_S = e if k.temporal.factor is None else e * k.temporal.factor(r_T)
    by_T = e if k.spatial.factor is None else e * k.spatial.factor(r_S)
    K = by_S if k.spatial.factor is None else by_S * k.spatial.factor(r_S)
    V = posterior.rotate(K)
    sigma = np.sqrt(np.maximum(lam - np.einsum("ij,ij->i", V, V), TINY * lam))
    alpha = posterior.mean + K @ posterior.a + beta**0.5 * sigma
    q = V @ posterior.root
    q *= -(beta**0.5) / sigma[:, None]
    q += posterior.a
    gradient = np.zeros_like(points)
    G = q * by_S * k.spatial.slope(r_S)
    G /= -(k.theta.lengthscale_space**2)
    gradient[:, :-1] = G.sum(axis=1)[:, None] * points[:, :-1] - G @ posterior.Z[:, :-1]
    if k.sees_time:
        G = q * by_T * k.temporal.slope(r_T)
        G /= -(k.time_scale**2)
        gradient[:, -1] = G.sum(axis=1) * points[:, -1] - G @ posterior.Z[:, -1]
    return alpha, gradient


def maximise(search: Search, rng: np.random.Generator) -> tuple[Array, float]:
    """Return the best point (d + 1,) and its alpha."""
    if len(search.posterior.Z) == 0:
        U = rng.random((1, search.free))
        return search.points(U)[0], float(search.value(U)[0])
    U = candidates(search, rng)
    starts = U[_best_apart(U, search.value(U), search.posterior.k.theta.lengthscale_space)]
    found = _climb(search, starts, ITERATIONS, COARSE)
    top = found[[int(np.argmax(search.value(found)))]]
    last = np.concatenate([_climb(search, top, POLISH, FINE), top, starts[:1]])
    values = search.value(last)
    best = int(np.argmax(values))
    return search.points(last[[best]])[0], float(values[best])


def candidates(search: Search, rng: np.random.Generator) -> Array:
    """Return unit coordinates to start from, (s, free)."""
    posterior = search.posterior
    U = rng.random((UNIFORM, search.free))
    X = posterior.Z[:, :-1]
    d = X.shape[1]
    now = np.column_stack([X, np.full(len(X), search.start)])
    mu = posterior.k.between(now, posterior.Z) @ posterior.a
    good = X[np.argsort(-mu)[:TOP_OBSERVED]]
    reach = 0.1 * min(posterior.k.theta.lengthscale_space, 1.0)
    near = np.repeat(good, NEIGHBOURS, axis=0)
    near = np.clip(near + reach * rng.standard_normal(near.shape), 0.0, 1.0)
    local = rng.random((len(good) + len(near), search.free))
    local[:, :d] = np.concatenate([good, near])
    return np.concatenate([U, local])


def _best_apart(U: Array, values: Array, l_S: float) -> list[int]:
    """Return the best candidates, no two of them closer than a tenth of l_S."""
    order = np.argsort(-values)
    chosen = [int(order[0])]
    for i in order[1:]:
        if len(chosen) == STARTS:
            break
        gap = np.linalg.norm(U[chosen] - U[i], axis=1).min()
        if gap > 0.1 * min(l_S, 1.0):
            chosen.append(int(i))
    return chosen


def _climb(search: Search, starts: Array, iterations: int, tolerance: float) -> Array:
    """Ascend from all starts at once; return the points reached."""
    shape = starts.shape

    def loss(flat: Array) -> tuple[float, Array]:
        alpha, gradient = search.value_and_gradient(flat.reshape(shape))
        return -float(alpha.sum()), -gradient.ravel()

    box = [(0.0, 1.0)] * starts.size
    found = minimize(
        loss,
        starts.ravel(),
        jac=True,
        method="L-BFGS-B",
        bounds=box,
        options={"maxiter": iterations, "ftol": tolerance},
    )
    return np.asarray(found.x).reshape(shape)
