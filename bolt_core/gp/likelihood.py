r"""The negative log marginal likelihood and its gradient, in closed form.

    A = lambda k_S k_T + sigma_0^2 diag(w),   M = A^-1,   m = 1'My / 1'M1,   a = M(y - m)
    L(theta)     = (y - m)'a / 2 + log|A| / 2 + n log(2 pi) / 2
    dL / d p     = sum_ij (M - a a')_ij (dA / dp)_ij / 2

The mean m depends on theta too, but it minimises L, so it adds nothing to the gradient (envelope
theorem). Two of the four derivatives need no matrix: with A a = y - m,

    sum_ij (M - aa')_ij A_ij = n - (y - m)'a = (lambda part) + (noise part),
    noise part = sigma_0^2 sum_i w_i (M_ii - a_i^2).

Matrices are kept in LAPACK's rectangular full packed format: n(n+1)/2 contiguous numbers, so
elementwise work is half of that on a square, and pftrf + pftri run at the speed of potrf + potri
(2.8 ms against 2.9 ms at n = 400). Elementwise work goes in chunks that stay in the L2 cache and
below malloc's mmap threshold: a temporary of n x n is a fresh mapping, zeroed page by page.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from bolt_core.common.errors import FitError
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.protocol import Data, Model
from bolt_core.gp.workspace import Workspace
from bolt_core.theory.choice_distance import apart
from bolt_core.theory.kernels import CHUNK, WIENER, correlation

JITTERS = (0.0, *(10.0**power for power in range(-10, -4)))  # of lambda + sigma_0^2; bounded


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best point that a descent has evaluated."""

    theta: Hyperparameters
    loss: float  # L, nats
    mean: float  # m
    jitter: float


class Likelihood:
    """L and its gradient on one dataset, in log parameters (lambda, l_S, [l_T,] sigma_0^2)."""

    def __init__(self, model: Model, data: Data, y: Array, workspace: Workspace) -> None:
        n = len(data)
        self.n, self.y, self.weights = n, y, data.weights
        self.sees_time = model.sees_time
        self.lengthscales = 1  # in space
        self.evaluations = 0
        self.mean, self.jitter = 0.0, 0.0  # m and what the diagonal needed, of the last call
        self.lowest: Optimum | None = None  # of all calls since the last forget()
        self._spatial = correlation(model.spatial_kernel)
        self._temporal = correlation(model.temporal_kernel)
        self._diagonal = packed_diagonal(n)
        self._between_evaluations = workspace.between_evaluations
        self._right = np.empty((n, 2), order="F")
        rows = workspace.rows(n * (n + 1) // 2)
        self._matrix, self._by_space, self._by_time, self._d_S, self._d_T = rows
        self._measure(model, data.Z[:, :-1])
        self._wiener = self._temporal is WIENER
        t = data.Z[:, -1]
        self._age_of_process = t - data.oldest  # at each observation
        if self._wiener:
            self._d_T[:] = packed(np.minimum.outer(t, t) - data.oldest)
        elif self.sees_time:
            self._d_T[:] = packed(np.abs(np.subtract.outer(t, t)))

    def __call__(self, p: Array) -> tuple[float, Array]:
        """Return L and dL/dp at log parameters `p`; FitError if A has no Cholesky factor."""
        self._between_evaluations()
        self.evaluations += 1
        theta = self.unpack(p)
        factor = self._factorise(theta)
        log_det = 2.0 * float(np.log(factor[self._diagonal]).sum())
        residual, a = self._profile(factor)
        fit = float(residual @ a)
        M, _ = lapack.dpftri(self.n, factor, uplo="L", overwrite_a=1)
        noise = theta.noise_variance * float(self.weights @ (M[self._diagonal] - a * a))
        R = lapack.dsfrk(self.n, 1, -1.0, a[:, None], 1.0, M, uplo="L", overwrite_c=1)
        slack = self.jitter * float(R[self._diagonal].sum())
        gradient = [0.5 * (self.n - fit - noise - slack), *self._by_lengthscales(R, theta)]
        if self.sees_time:
            gradient.append(float(R @ self._by_time))
        gradient.append(0.5 * noise)
        loss = 0.5 * (fit + log_det + self.n * math.log(2 * math.pi))
        if self.lowest is None or loss < self.lowest.loss:
            self.lowest = Optimum(theta, loss, self.mean, self.jitter)
        return loss, np.array(gradient)

    def forget(self) -> None:
        """Forget the lowest value, before a new descent."""
        self.lowest = None

    def pack(self, theta: Hyperparameters) -> Array:
        """Return the log parameters of theta."""
        values = [theta.signal_variance, theta.lengthscale_space, theta.noise_variance]
        if self.sees_time:
            values.insert(2, theta.lengthscale_time or 1.0)
        return np.log(values)

    def unpack(self, p: Array) -> Hyperparameters:
        """Return theta of log parameters."""
        lam, l_S, *rest, noise = (float(v) for v in np.exp(p))
        return Hyperparameters(lam, l_S, rest[0] if rest else None, noise)

    def _factorise(self, theta: Hyperparameters) -> Array:
        """Return the packed Cholesky factor of A, with the smallest jitter that works."""
        scale = theta.signal_variance + theta.noise_variance
        for share in JITTERS:
            self.jitter = share * scale
            self._fill(theta)
            on_diagonal = theta.noise_variance * self.weights + self.jitter
            self._matrix[self._diagonal] = self._prior(theta) + on_diagonal
            factor, info = lapack.dpftrf(self.n, self._matrix, uplo="L", overwrite_a=1)
            if info == 0 and np.isfinite(factor[self._diagonal]).all():
                return np.asarray(factor)
        raise FitError(f"no Cholesky factor of K within a jitter of {JITTERS[-1]:g} at {theta}")

    def _prior(self, theta: Hyperparameters) -> Array | float:
        """Return the prior variance at the observations."""
        lam = theta.signal_variance
        if not self._wiener:
            return lam
        return np.asarray(lam + lam * self._age_of_process / (theta.lengthscale_time or 1.0))

    def _measure(self, model: Model, X: Array) -> None:
        """Compute the packed distances of the places."""
        self._d_S[:] = packed(apart(X, X, model.levels))

    def _by_lengthscales(self, R: Array, theta: Hyperparameters) -> list[float]:
        """Return dL / d log l of each spatial lengthscale, here one; R = M - aa'."""
        del theta
        return [float(R @ self._by_space)]

    def _fill(self, theta: Hyperparameters) -> None:
        """Compute lambda k_S k_T and its derivatives in log l_S and log l_T, off the diagonal."""
        per_space = self._spatial.rate / theta.per_knob[0]
        per_time = self._temporal.rate / (theta.lengthscale_time or 1.0)
        E_T, P_T, Q_T = self._temporal.parts(np.zeros(1))  # without time: no effect
        for start in range(0, len(self._matrix), CHUNK):
            c = slice(start, start + CHUNK)
            E_S, P_S, Q_S = self._spatial.parts(self._d_S[c] * per_space)
            if self.sees_time:
                E_T, P_T, Q_T = self._temporal.parts(self._d_T[c] * per_time)
            total = np.asarray(E_S + E_T)
            np.negative(total, out=total)
            e = np.exp(total)  # one exponential for both kernels
            e *= theta.signal_variance
            shared = e * P_S
            np.multiply(shared, P_T, out=self._matrix[c])
            if self.sees_time:
                np.multiply(shared, Q_T, out=self._by_time[c])
            e *= P_T
            np.multiply(e, Q_S, out=self._by_space[c])
        if self._wiener:  # sums over the triangle count the diagonal twice; it is 0 in the others
            self._by_time[self._diagonal] *= 0.5

    def _profile(self, factor: Array) -> tuple[Array, Array]:
        """Return y - m and M(y - m)."""
        self._right[:, 0], self._right[:, 1] = self.y, 1.0
        solved, _ = lapack.dpftrs(self.n, factor, self._right, uplo="L")
        self.mean = float(solved[:, 0].sum() / solved[:, 1].sum())
        return self.y - self.mean, solved[:, 0] - self.mean * solved[:, 1]


def packed(square: Array) -> Array:
    """Return the lower triangle of a symmetric matrix in rectangular full packed format."""
    arf, _ = lapack.dtrttf(square.T, uplo="L")  # symmetric: the transpose is Fortran-ordered
    return np.asarray(arf)


def packed_diagonal(n: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the indices of the diagonal in rectangular full packed format (normal, lower).

    The first half of the columns is stored as it is, one row down if n is even; the triangle of the
    second half is stored transposed in the free corner.
    """
    height, first = (n + 1, n // 2) if n % 2 == 0 else (n, n // 2 + 1)
    down = 1 - n % 2
    j = np.arange(n)
    early = j * height + j + down
    late = (j - first + n % 2) * height + (j - first)
    return np.where(j < first, early, late)
