r"""The posterior of a GP from a root B of the inverse: M = A^-1 = B'B.

    A = lambda k_S k_T + sigma_0^2 diag(w) + jitter I = L L',   B = L^-1,   a = B'B(y - m)
    mu(z) = m + k(z, D) a,     sigma^2(z) = k(z, z) - |B k(D, z)|^2

B k loses about sqrt(cond A) in precision, k'Mk would lose cond A. Removing observation i keeps the
form: with b = B[:, i], |b|^2 = M_ii,

    M - M[:, i] M[i, :] / M_ii = B' (I - b b' / |b|^2) B,

a projection. It is made where the root is used: B stays triangular, B k becomes (I - Q Q') B k with
an orthonormal basis Q of the columns of the removed observations, and a_i = 0. So a removal costs
O(n^2), and a use of it O(n) per point. Everything here is in standardised units of y; the surrogate
converts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas, lapack

from bolt_core.common.types import Array
from bolt_core.gp.packed import inverse_of_packed_factor
from bolt_core.gp.packed_covariance import packed_covariance
from bolt_core.gp.protocol import Data, Inference
from bolt_core.gp.workspace import Workspace
from bolt_core.theory.kernels import Covariance, correlation

TINY = 1e-14  # of lambda: variances are not below it, so that a gradient of sigma exists


@dataclass(frozen=True, slots=True)
class Posterior:
    """The distribution of f given the data, in standardised units."""

    k: Covariance
    Z: Array  # (n, d + 1), those removed included
    residual: Array  # (n,): y - m, standardised
    mean: float  # m
    root: Array  # (q, n), q >= n; lower triangular unless some columns were deleted
    a: Array  # (n,), 0 where an observation was removed
    jitter: float
    triangular: bool = True
    removed: tuple[int, ...] = ()  # rows of Z that count no more
    lost: Array | None = None  # Q (q, len(removed)), orthonormal

    def rotate(self, K: Array) -> Array:
        """Return K B' for K of shape (s, n), without what was removed: (s, q), a row per point."""
        if self.triangular and len(K) >= 8:  # half the work; below that its call costs more
            V = np.asarray(blas.dtrmm(1.0, self.root, K.T, lower=1).T)
        else:
            V = np.asarray(K @ self.root.T)
        return V if self.lost is None else V - (V @ self.lost) @ self.lost.T

    def predict(self, points: Array) -> tuple[Array, Array]:
        """Return mean and standard deviation of f at `points` (s, d + 1)."""
        prior = self.k.variance(points)
        if len(self.Z) == 0:
            return np.full(len(points), self.mean), np.sqrt(prior)
        K = self.k.between(points, self.Z)
        V = self.rotate(K)
        variance = prior - np.einsum("ij,ij->i", V, V)
        return self.mean + K @ self.a, np.sqrt(np.maximum(variance, TINY * prior))

    def at(self, t: float) -> Posterior:
        """Return the posterior at time t alone, with a stationary covariance.

        For a Wiener process and one time t, k(z, z_i) = v k_S(x, x_i) c_i with v = k(z, z) and
        c_i = k_T(t, t_i) / k_T(t, t): the posterior without time of signal variance v, whose root
        and a have the factors c_i. A stationary one is returned as it is.
        """
        k = self.k
        if k.stationary or len(self.Z) == 0:
            return self
        now = np.array([t])
        level = k.temporal(k.time_radii(now, now))[0, 0]
        c = k.temporal(k.time_radii(now, self.Z[:, -1]))[0] / level
        theta = replace(k.theta, signal_variance=level * k.theta.signal_variance)
        spatial = Covariance(k.spatial, correlation("none"), theta, domain=k.domain)
        return replace(self, k=spatial, root=self.root * c, a=self.a * c)

    def compact(self) -> Posterior:
        """Return the same posterior without the rows that were removed; B is triangular no more."""
        if self.lost is None:
            return self
        rest = np.setdiff1d(np.arange(len(self.Z)), self.removed)
        root = self.root[:, rest]
        root -= self.lost @ (self.lost.T @ root)
        return replace(
            self,
            Z=self.Z[rest],
            residual=self.residual[rest],
            root=root,
            a=self.a[rest],
            triangular=False,
            removed=(),
            lost=None,
        )

    def inverse(self) -> Array:
        """Return M, (n, n), of the observations that were not removed."""
        if self.lost is not None:
            return self.compact().inverse()
        if self.triangular and len(self.Z):
            half, _ = lapack.dlauum(self.root, lower=1)  # the root is zero above the diagonal
            M = half + half.T
            np.fill_diagonal(M, half.diagonal())
            return np.asarray(M)
        return np.asarray(self.root.T @ self.root)

    def leave_one_out(self) -> tuple[Array, Array]:
        """Return the leave-one-out means, y_i - a_i / M_ii, and the variance of y, 1 / M_ii."""
        here = self.compact()
        diagonal = np.einsum("ij,ij->j", here.root, here.root)
        return here.residual + here.mean - here.a / diagonal, 1.0 / diagonal

    def without(self, i: int) -> Posterior:
        """Return the posterior without the i-th observation left, with the same m and theta."""
        if self.lost is None:
            row, b = i, self.root[:, i]
            lost = (b / np.linalg.norm(b))[:, None]
        else:
            row = int(np.setdiff1d(np.arange(len(self.Z)), self.removed)[i])
            b = self.root[:, row]
            for _ in range(2):  # twice is enough for an orthonormal basis
                b = b - self.lost @ (self.lost.T @ b)
                b /= np.linalg.norm(b)
            lost = np.column_stack([self.lost, b])
        removed = (*self.removed, row)
        explained = self.root @ self.residual
        a = self.root.T @ (explained - lost @ (lost.T @ explained))
        a[list(removed)] = 0.0
        return replace(self, a=a, removed=removed, lost=lost)


def condition(
    k: Covariance, data: Data, inference: Inference, workspace: Workspace | None = None
) -> Posterior:
    """Return the posterior of `data` under an inference; FitError if K has no Cholesky factor."""
    if len(data) == 0:
        nothing = np.empty(0)
        return Posterior(k, data.Z, nothing, inference.mean, np.empty((0, 0)), nothing, 0.0)
    ard = isinstance(k.theta.lengthscale_space, tuple)
    A = packed_covariance(
        (k.spatial, k.temporal), k.domain, data, workspace or Workspace(), ard=ard
    )
    factor = A.factorise(k.theta)
    return from_factor(k, data, inference, factor, A.jitter)


def from_factor(
    k: Covariance, data: Data, inference: Inference, factor: Array, jitter: float
) -> Posterior:
    """Return the posterior of `data`, given the packed Cholesky factor of K with its jitter."""
    residual = (data.y - inference.y_mean) / inference.y_sd - inference.mean
    root = inverse_of_packed_factor(len(data), factor)
    a = root.T @ (root @ residual)
    return Posterior(k, data.Z, residual, inference.mean, root, a, jitter)
