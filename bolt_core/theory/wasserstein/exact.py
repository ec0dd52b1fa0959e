r"""Integrated W_2 between the surrogates with and without each observation.

    W_2^2(GP_D, GP_{D \ i}) = int_S int_now^{now + 2 l_T} (mu - mu_i)^2 + (sigma - sigma_i)^2

With M = A^-1, a = M(y - m) and u_i(z) = k(z, D) M[:, i], block inversion gives, exactly,

    mu(z) - mu_i(z) = u_i(z) a_i / M_ii,      sigma_i^2(z) - sigma^2(z) = u_i(z)^2 / M_ii.

One product U = M k(D, nodes) serves all n observations, O(n^2 Q); after a removal everything is
downdated, O(n^2 + n Q). This is Recommendation 2 of the paper without the bound
(sigma - sigma_i)^2 <= |sigma^2 - sigma_i^2| that its predecessors integrate in closed form.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from bolt_core.common.types import Array
from bolt_core.theory.kernels import Covariance
from bolt_core.theory.wasserstein.nodes import COUNT, Nodes, nodes_near

Rows: TypeAlias = NDArray[np.intp]
CHUNK = 8192  # elements: temporaries stay in the L2 cache


class RemovalScores:
    """W_2 of all n observations, or of `rows` of them, before and after removals.

    With `root`, the lower triangular B of M = B'B, the scores of `rows` take half the work: the
    variance is lambda - |B k|^2, and only the rows of U in question are computed.
    """

    def __init__(  # noqa: PLR0913 - a posterior is k, Z, M, a and its root
        self,
        k: Covariance,
        Z: Array,
        M: Array,
        a: Array,
        nodes: Nodes,
        rows: Rows | None = None,
        root: Array | None = None,
    ) -> None:
        self.kept = np.arange(len(Z)) if rows is None else np.asarray(rows)  # as in Z, always
        self._weights = nodes.weights
        self._M, self._a = M, a
        if rows is not None:
            self._M, self._a = M[np.ix_(rows, rows)], a[rows]
        if rows is not None and root is not None:
            K = k.between(nodes.Z, Z)  # (Q, n)
            self._U = np.ascontiguousarray((K @ M[:, rows]).T)
            V = blas.dtrmm(1.0, root, K.T, lower=1, overwrite_b=1)  # (n, Q), in place of K'
            explained = np.einsum("ij,ij->j", V, V)
        else:
            K = k.between(Z, nodes.Z)  # (n, Q)
            U = M @ K
            explained = np.einsum("ij,ij->j", U, K)
            self._U = U if rows is None else U[rows]
        self._variance = np.maximum(k.variance(nodes.Z) - explained, 0.0)

    def scores(self) -> Array:
        """Return W_2(GP_D, GP_{D without i}) of every kept i, (n,)."""
        n, Q = self._U.shape
        squared = np.empty(n)
        sd = np.sqrt(self._variance)
        inverse = 1.0 / np.diagonal(self._M)
        step = max(CHUNK // Q, 1)
        for start in range(0, n, step):
            c = slice(start, start + step)
            U2 = self._U[c] ** 2
            squared[c] = (self._a[c] * inverse[c]) ** 2 * (U2 @ self._weights)
            U2 *= inverse[c, None]
            growth = np.sqrt(self._variance + U2)
            growth += sd
            # x / (sqrt(v + x) + sqrt(v)): no cancellation where the change is small
            change = np.divide(U2, growth, out=np.zeros_like(U2), where=growth > 0)
            change *= change
            squared[c] += change @ self._weights
        return np.sqrt(squared)

    def remove(self, i: int) -> None:
        """Remove the i-th of the kept rows and downdate M, a, U and the variance."""
        m, m_ii, u = self._M[:, i] / self._M[i, i], self._M[i, i], self._U[i].copy()
        self._variance = self._variance + u**2 / m_ii
        rest = np.arange(len(self.kept)) != i
        self._U = self._U[rest] - np.multiply.outer(m[rest], u)
        self._M, self._a = downdate(self._M, self._a, i)
        self.kept = self.kept[rest]


def downdate(M: Array, a: Array, i: int) -> tuple[Array, Array]:
    """Return the inverse and a = M(y - m) without observation i, in O(n^2)."""
    rest = np.arange(len(a)) != i
    column = M[rest, i]
    shrunk = M[np.ix_(rest, rest)] - np.multiply.outer(column, column / M[i, i])
    return shrunk, a[rest] - column * (a[i] / M[i, i])


def removal_scores(
    k: Covariance, Z: Array, M: Array, a: Array, now: float, count: int = COUNT
) -> Array:
    """Return the integrated W_2 of each observation, standardised y times sqrt(seconds); (n,)."""
    return RemovalScores(k, Z, M, a, nodes_near(k, Z[:, :-1], now, count)).scores()
