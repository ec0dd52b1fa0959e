r"""The negative log marginal likelihood and its gradient, in closed form.

    A = lambda k_S k_T + sigma_0^2 diag(w),   M = A^-1,   m = 1'My / 1'M1,   a = M(y - m)
    L(theta)     = (y - m)'a / 2 + log|A| / 2 + n log(2 pi) / 2
    dL / d p     = sum_ij (M - a a')_ij (dA / dp)_ij / 2

The mean m depends on theta too, but it minimises L, so it adds nothing to the gradient (envelope
theorem). Two of the derivatives need no matrix: with A a = y - m,

    sum_ij (M - aa')_ij A_ij = n - (y - m)'a = (lambda part) + (noise part),
    noise part = sigma_0^2 sum_i w_i (M_ii - a_i^2).

A and its derivatives in the lengthscales are those of `packed_covariance`.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.packed_covariance import packed_covariance
from bolt_core.gp.protocol import Bounds, Data, Model
from bolt_core.gp.workspace import Workspace
from bolt_core.theory.kernels import correlation


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best point that a descent has evaluated."""

    theta: Hyperparameters
    loss: float  # L, nats
    mean: float  # m
    jitter: float
    factor: Array  # of A there, packed


class Likelihood:
    """L and its gradient on one dataset, in log parameters (lambda, l_S, [l_T,] sigma_0^2).

    With one lengthscale per knob (ARD), l_S stands for l_1, ..., l_d.
    """

    def __init__(
        self, model: Model, data: Data, y: Array, workspace: Workspace, bounds: Bounds | None = None
    ) -> None:
        """`bounds` are applied to theta: exp(log(bound)) may miss a bound by one rounding."""
        n = len(data)
        self._bounds = bounds
        self.n, self.y, self.weights = n, y, data.weights
        self.ard, self.sees_time = model.ard, model.sees_time
        self.lengthscales = model.dimension if model.ard else 1  # in space
        self.evaluations = 0
        self.mean = 0.0  # m, of the last call
        self.lowest: Optimum | None = None  # of all calls since the last forget()
        self._between_evaluations = workspace.between_evaluations
        self._right = np.empty((n, 2), order="F")
        kernels = correlation(model.spatial_kernel), correlation(model.temporal_kernel)
        self._A = packed_covariance(kernels, model.levels, data, workspace, ard=model.ard)

    def __call__(self, p: Array) -> tuple[float, Array]:
        """Return L and dL/dp at log parameters `p`; FitError if A has no Cholesky factor."""
        self._between_evaluations()
        self.evaluations += 1
        theta, A = self.unpack(p), self._A
        factor = A.factorise(theta, derivatives=True)
        log_det = 2.0 * float(np.log(factor[A.diagonal]).sum())
        residual, a = self._profile(factor)
        fit = float(residual @ a)
        loss = 0.5 * (fit + log_det + self.n * math.log(2 * math.pi))
        self._keep_if_lowest(theta, loss, factor)
        M, _ = lapack.dpftri(self.n, factor, uplo="L", overwrite_a=1)
        noise = theta.noise_variance * float(self.weights @ (M[A.diagonal] - a * a))
        R = lapack.dsfrk(self.n, 1, -1.0, a[:, None], 1.0, M, uplo="L", overwrite_c=1)
        slack = A.jitter * float(R[A.diagonal].sum()) if A.jitter else 0.0
        gradient = [0.5 * (self.n - fit - noise - slack), *A.by_lengthscales(R, theta)]
        if self.sees_time:
            gradient.append(float(R @ A.by_time))
        gradient.append(0.5 * noise)
        return loss, np.array(gradient)

    def forget(self) -> None:
        """Forget the lowest value, before a new descent."""
        self.lowest = None

    def pack(self, theta: Hyperparameters) -> Array:
        """Return the log parameters of theta."""
        values = [theta.signal_variance, *theta.per_knob]
        if self.sees_time:
            values.append(theta.lengthscale_time or 1.0)
        return np.log([*values, theta.noise_variance])

    def unpack(self, p: Array) -> Hyperparameters:
        """Return theta of log parameters."""
        lam, *scales, noise = (float(v) for v in np.exp(p))
        l_T = scales.pop() if self.sees_time else None
        theta = Hyperparameters(lam, tuple(scales) if self.ard else scales[0], l_T, noise)
        return theta if self._bounds is None else self._bounds.clip(theta)

    def _keep_if_lowest(self, theta: Hyperparameters, loss: float, factor: Array) -> None:
        """Keep this point, with a copy of its factor, if it is the lowest of the descent."""
        lowest = self.lowest
        if lowest is not None and not loss < lowest.loss:
            return
        copied = np.empty_like(factor) if lowest is None else lowest.factor
        np.copyto(copied, factor)
        self.lowest = Optimum(theta, loss, self.mean, self._A.jitter, copied)

    def _profile(self, factor: Array) -> tuple[Array, Array]:
        """Return y - m and M(y - m)."""
        self._right[:, 0], self._right[:, 1] = self.y, 1.0
        solved, _ = lapack.dpftrs(self.n, factor, self._right, uplo="L")
        self.mean = float(solved[:, 0].sum() / solved[:, 1].sum())
        return self.y - self.mean, solved[:, 0] - self.mean * solved[:, 1]
