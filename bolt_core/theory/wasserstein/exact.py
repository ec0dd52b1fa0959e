r"""Integrated W_2 between the surrogates with and without each observation.

    W_2^2(GP_D, GP_{D \ i}) = int_S int_now^{now + 2 l_T} (mu - mu_i)^2 + (sigma - sigma_i)^2

With M = A^-1, a = M(y - m) and u_i(z) = k(z, D) M[:, i], block inversion gives, exactly,

    mu(z) - mu_i(z) = u_i(z) a_i / M_ii,      sigma_i^2(z) - sigma^2(z) = u_i(z)^2 / M_ii.

One product U = M k(D, nodes) serves all n observations, O(n^2 Q); after a removal everything is
downdated, O(n^2 + n Q). This is Recommendation 2 of the paper without the bound
(sigma - sigma_i)^2 <= |sigma^2 - sigma_i^2| that its predecessors integrate in closed form.

With a root B of M = B'B, V = B k gives the variance lambda - |V|^2, and U = B'V for all
observations or for some of them. M itself is then not needed.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from bolt_core.common.types import Array
from bolt_core.theory.kernels import CHUNK, Covariance
from bolt_core.theory.wasserstein.nodes import COUNT, Nodes, nodes_near

Rows: TypeAlias = NDArray[np.intp]
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Root:
    """A root B (q, n) of M = B'B; lower triangular, in Fortran order, unless q > n."""

    B: Array
    triangular: bool = True

    def times(self, K: Array) -> Array:
        """Return B K, (q, Q), for K (n, Q) in C order, whose contents are lost."""
        if not self.triangular:
            return np.asarray(self.B @ K)
        right = blas.dtrmm(1.0, self.B, K.T, side=1, lower=1, trans_a=1, overwrite_b=1)
        return np.asarray(right.T)

    def transposed_times(self, V: Array) -> Array:
        """Return B'V, (n, Q), for V (q, Q) in C order, whose contents are lost."""
        if not self.triangular:
            return np.asarray(self.B.T @ V)
        return np.asarray(blas.dtrmm(1.0, self.B, V.T, side=1, lower=1, overwrite_b=1).T)


class RemovalScores:
    """W_2 of all n observations, before and after removals."""

    def __init__(self, k: Covariance, Z: Array, M: Array, a: Array, nodes: Nodes) -> None:
        self.kept = np.arange(len(Z))  # rows of Z, always
        self._weights = nodes.weights
        self._M, self._a = M, a
        K = k.between(Z, nodes.Z)  # (n, Q)
        self._U = M @ K
        explained = np.einsum("ij,ij->j", self._U, K)
        self._variance = np.maximum(k.variance(nodes.Z) - explained, 0.0)

    def scores(self) -> Array:
        """Return W_2(GP_D, GP_{D without i}) of every kept i, (n,)."""
        return _scores(self._U, self._variance, self._a, np.diagonal(self._M), self._weights)

    def remove(self, i: int) -> None:
        """Remove the i-th of the kept rows and downdate M, a, U and the variance."""
        m, m_ii, u = self._M[:, i] / self._M[i, i], self._M[i, i], self._U[i].copy()
        self._variance = self._variance + u**2 / m_ii
        rest = np.arange(len(self.kept)) != i
        self._U = self._U[rest] - np.multiply.outer(m[rest], u)
        self._M, self._a = downdate(self._M, self._a, i)
        self.kept = self.kept[rest]


class ShortlistScores(RemovalScores):
    """W_2 of some rows of Z, before and after removals among them."""

    def __init__(
        self, k: Covariance, Z: Array, root: Root, a: Array, nodes: Nodes, rows: Rows
    ) -> None:
        V, self._variance = _explained(k, Z, root, nodes)
        columns = root.B[:, rows]
        self._U = columns.T @ V
        self._M, self._a = columns.T @ columns, a[rows]
        self.kept, self._weights = rows, nodes.weights

    def squared_by_runs(self, runs: int) -> Array:
        """Return W_2^2 of the rows by each of `runs` equal runs of the nodes, (s, runs)."""
        diagonal = np.diagonal(self._M)
        each = _squared_changes(self._U**2, self._variance, self._a, diagonal)
        each *= self._weights
        return np.asarray(each.reshape(len(each), runs, -1).sum(axis=2) * runs)


def downdate(M: Array, a: Array, i: int) -> tuple[Array, Array]:
    """Return the inverse and a = M(y - m) without observation i, in O(n^2)."""
    rest = np.arange(len(a)) != i
    column = M[rest, i]
    shrunk = M[np.ix_(rest, rest)] - np.multiply.outer(column, column / M[i, i])
    return shrunk, a[rest] - column * (a[i] / M[i, i])


def removal_scores(
    k: Covariance, Z: Array, root: Root, a: Array, now: float, count: int = COUNT
) -> Array:
    """Return the integrated W_2 of each observation, standardised y times sqrt(seconds); (n,)."""
    nodes = nodes_near(k, Z[:, :-1], now, count)
    V, variance = _explained(k, Z, root, nodes)
    diagonal = np.einsum("ij,ij->j", root.B, root.B)
    return _scores(root.transposed_times(V), variance, a, diagonal, nodes.weights)


def _explained(k: Covariance, Z: Array, root: Root, nodes: Nodes) -> tuple[Array, Array]:
    """Return V = B k(D, nodes), (q, Q), and the posterior variance at the nodes."""
    V = root.times(k.between(Z, nodes.Z))
    variance = k.variance(nodes.Z)
    variance -= np.einsum("ij,ij->j", V, V)
    return V, np.maximum(variance, 0.0)


def _scores(U: Array, variance: Array, a: Array, diagonal: Array, weights: Array) -> Array:
    """Return W_2 of the n rows of U (n, Q); `a` and `diagonal` of M are those of the rows."""
    n, Q = U.shape
    squared = np.empty(n)
    step = max(CHUNK // Q, 1)
    for start in range(0, n, step):
        c = slice(start, start + step)
        squared[c] = _squared_changes(U[c] ** 2, variance, a[c], diagonal[c]) @ weights
    return np.sqrt(squared)


def _squared_changes(squares: Array, variance: Array, a: Array, diagonal: Array) -> Array:
    """Return (mu - mu_i)^2 + (sigma - sigma_i)^2 at the nodes, for U^2, which it overwrites."""
    sd = np.sqrt(variance)
    sd += TINY  # where both v and x are 0, the quotient below is 0
    inverse = 1.0 / diagonal
    growth = squares * inverse[:, None]  # x
    sum_of_both = growth + variance
    np.sqrt(sum_of_both, out=sum_of_both)
    sum_of_both += sd
    growth /= sum_of_both  # x / (sqrt(v + x) + sqrt(v)): no cancellation where x is small
    growth *= growth
    squares *= ((a * inverse) ** 2)[:, None]
    squares += growth
    return squares
