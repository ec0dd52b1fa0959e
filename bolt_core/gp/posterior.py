r"""The posterior of a GP from a root B of the inverse: M = A^-1 = B'B.

    A = lambda k_S k_T + sigma_0^2 diag(w) + jitter I = L L',   B = L^-1,   a = B'B(y - m)
    mu(z) = m + k(z, D) a,     sigma^2(z) = k(z, z) - |B k(D, z)|^2

B k loses about sqrt(cond A) in precision, k'Mk would lose cond A. Removing observation i keeps the
form: with b = B[:, i], |b|^2 = M_ii,

    M - M[:, i] M[i, :] / M_ii = B' (I - b b' / |b|^2) B,

a projection of the root, O(n^2), after which column i is zero and is dropped. Everything here
is in standardised units of y; the surrogate converts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas, lapack

from bolt_core.common.errors import FitError
from bolt_core.common.types import Array
from bolt_core.gp.likelihood import JITTERS
from bolt_core.gp.protocol import Data, Inference
from bolt_core.theory.kernels import Covariance, correlation

TINY = 1e-14  # of lambda: variances are not below it, so that a gradient of sigma exists


@dataclass(frozen=True, slots=True)
class Posterior:
    """The distribution of f given the data, in standardised units."""

    k: Covariance
    Z: Array  # (n, d + 1)
    residual: Array  # (n,): y - m, standardised
    mean: float  # m
    root: Array  # (q, n), q >= n; lower triangular until the first removal
    a: Array  # (n,)
    jitter: float
    triangular: bool = True

    def rotate(self, K: Array) -> Array:
        """Return K B' for K of shape (s, n): (s, q), one row per point."""
        if self.triangular and len(K) > 8:  # half the work; below that its call costs more
            return np.asarray(blas.dtrmm(1.0, self.root, K.T, lower=1).T)
        return np.asarray(K @ self.root.T)

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

    def inverse(self) -> Array:
        """Return M, (n, n)."""
        if self.triangular and len(self.Z):
            half, _ = lapack.dlauum(self.root, lower=1)  # the root is zero above the diagonal
            M = half + half.T
            np.fill_diagonal(M, half.diagonal())
            return np.asarray(M)
        return np.asarray(self.root.T @ self.root)

    def leave_one_out(self) -> tuple[Array, Array]:
        """Return the leave-one-out means, y_i - a_i / M_ii, and the variance of y, 1 / M_ii."""
        diagonal = np.einsum("ij,ij->j", self.root, self.root)
        return self.residual + self.mean - self.a / diagonal, 1.0 / diagonal

    def without(self, i: int) -> Posterior:
        """Return the posterior without observation i, with the same m and theta; O(n^2)."""
        b = self.root[:, i]
        root = np.delete(self.root - np.multiply.outer(b, (b @ self.root) / (b @ b)), i, axis=1)
        residual = np.delete(self.residual, i)
        a = root.T @ (root @ residual)
        Z = np.delete(self.Z, i, axis=0)
        return Posterior(self.k, Z, residual, self.mean, root, a, self.jitter, triangular=False)


def condition(k: Covariance, data: Data, inference: Inference) -> Posterior:
    """Return the posterior of `data` under an inference; FitError if K has no Cholesky factor."""
    residual = (data.y - inference.y_mean) / inference.y_sd - inference.mean
    if len(data) == 0:
        empty = np.empty((0, 0))
        return Posterior(k, data.Z, residual, inference.mean, empty, residual, 0.0)
    root, jitter = _inverse_factor(k, data)
    a = root.T @ (root @ residual)
    return Posterior(k, data.Z, residual, inference.mean, root, a, jitter)


def _inverse_factor(k: Covariance, data: Data) -> tuple[Array, float]:
    """Return L^-1 in Fortran order, with the smallest jitter for which L exists."""
    theta = k.theta
    diagonal = np.arange(len(data))
    for share in JITTERS:
        jitter = share * (theta.signal_variance + theta.noise_variance)
        A = k.among(data.Z)  # its upper triangle is the lower one of A.T
        A[diagonal, diagonal] = k.variance(data.Z) + theta.noise_variance * data.weights + jitter
        L, info = lapack.dpotrf(A.T, lower=1, overwrite_a=1, clean=1)
        if info == 0 and np.isfinite(L[diagonal, diagonal]).all():
            root, _ = lapack.dtrtri(L, lower=1, overwrite_c=1)
            return np.asarray(root), jitter
    raise FitError(f"no Cholesky factor of K within a jitter of {JITTERS[-1]:g} at {theta}")
