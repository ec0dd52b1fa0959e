r"""The published removal score of W-DBO: an upper bound of W_2, relative to the whole.

(sigma - sigma_i)^2 <= |sigma^2 - sigma_i^2| makes the integral of exact.py a quadratic form. With
C_ij = c_S(x_i, x_j) c_T(t_i, t_j), integrals of products of correlations,

    W_i = lambda sqrt( (M C M)_ii (a_i^2 + M_ii) ) / M_ii       W_2(GP_D, GP_{D \ i}), bounded
    N   = lambda sqrt( a'Ca + sum_ij M_ij C_ij )                W_2(GP_D, prior), same bound
    R_i = W_i / N                                               what W-DBO pays for a removal

in O(n^3) for all i at once (the public C++ is O(n^4)). As published, c_T runs over [now, infinity)
and c_S over all of R^d, both in closed form. The public code cuts c_S at 1, which acts from
l_S = 0.55 (d = 6) to 0.64 (d = 1) on; C is then indefinite, some of its scores become -1, and it
removes those observations free of charge. Here c_S is not cut. The rational quadratic has no
closed form, and its integral over R^d diverges from d = 4 on: its c_S runs over the box [0, 1]^d,
by nodes around the data (within 10 % of 131,072 nodes for l_S >= 0.1, d <= 6). So it does where
some knobs are choices, whose values have no space between them; integers count as real numbers.
With one lengthscale per knob, x_k / l_k takes the place of x_k, and a factor prod_k l_k is the
volume of a unit cube of those.
"""

import numpy as np

from bolt_core.common.types import Array
from bolt_core.theory.kernels import Covariance, distances
from bolt_core.theory.wasserstein.exact import downdate
from bolt_core.theory.wasserstein.integrals import CLOSED_FORM, over_all_space, over_future
from bolt_core.theory.wasserstein.nodes import nodes_near, time_extent

BOX_NODES = 4096
BOX_NEAR = 0.7  # share of them around the data
BOX_SPREAD = 0.5  # of that share, in l_S


class BoundScores:
    """W_i and N of a dataset, before and after removals; a = M(y - m), standardised units."""

    def __init__(self, k: Covariance, Z: Array, M: Array, a: Array, now: float) -> None:
        C = spatial_products(k, Z[:, :-1])
        if k.sees_time:
            C = C * over_future(k.temporal, now - Z[:, -1], k.time_scale)
        self.kept = np.arange(len(Z))
        self._lam = k.theta.signal_variance
        self._C, self._M, self._a = C, M, a
        self._quadratic = np.einsum("ij,ij->i", M @ C, M)

    def scores(self) -> Array:
        """Return W_i, (n,)."""
        diagonal = np.diagonal(self._M)
        quadratic = np.maximum(self._quadratic, 0.0)  # rounding may go below 0
        return np.asarray(self._lam * np.sqrt(quadratic * (self._a**2 + diagonal)) / diagonal)

    def whole(self) -> float:
        """Return N."""
        squared = float(self._a @ self._C @ self._a + np.vdot(self._M, self._C))
        return float(self._lam * max(squared, 0.0) ** 0.5)

    def relative(self) -> Array:
        """Return R_i = W_i / N; 0 if the whole dataset is too stale to matter."""
        whole = self.whole()
        return self.scores() / whole if whole > 0 else np.zeros(len(self.kept))

    def remove(self, i: int) -> None:
        """Remove the i-th kept row. diag(MCM) follows from g = M C M[:, i], so it costs O(n^2)."""
        m, share = self._M[:, i], self._M[:, i] / self._M[i, i]
        Cm = self._C @ m
        quadratic = self._quadratic - 2 * share * (self._M @ Cm) + share**2 * (m @ Cm)
        rest = np.arange(len(self.kept)) != i
        self._quadratic = quadratic[rest]
        self._C = self._C[np.ix_(rest, rest)]
        self._M, self._a = downdate(self._M, self._a, i)
        self.kept = self.kept[rest]


def spatial_products(k: Covariance, X: Array) -> Array:
    """Return c_S(x_i, x_j), (n, n)."""
    l_S, choices = k.theta.lengthscale_space, k.domain is not None and bool(k.domain.choices)
    if k.spatial.name in CLOSED_FORM and not choices:
        if not isinstance(l_S, tuple):
            return over_all_space(k.spatial, distances(X, X), l_S, X.shape[1])
        volume = float(np.prod(l_S))  # of a unit cube in scaled coordinates
        return volume * over_all_space(k.spatial, k.space_radii(X, X), 1.0, X.shape[1])
    nodes = nodes_near(k, X, 0.0, BOX_NODES, BOX_NEAR, spread=BOX_SPREAD, decay=0.0)
    Phi = k.spatial(k.space_radii(X, nodes.Z[:, :-1]))
    return np.asarray((Phi * (nodes.weights / time_extent(k))) @ Phi.T)
