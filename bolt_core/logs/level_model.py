r"""A rival of the model with time: a surface that stays, and a level that moves by itself.

    A = lambda k_S + lambda_0 k_0(|t - t'| / l_0) + sigma_0^2 I

The level may be a drifting sensor, a disturbance that no knob counteracts, or noise that is
correlated from row to row: the best setting stays where it is. k_0 is Matern-1/2, the correlation
of noise from row to row, or the k_T of the rival, for a level that moves as smoothly. The
likelihood has the form of `gp/likelihood`, with the constant mean profiled out and the gradient in
closed form.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import lapack
from scipy.optimize import minimize

from bolt_core.common.types import Array, Hyperparameters
from bolt_core.gp.protocol import Bounds, Data, Model, standardisation
from bolt_core.theory.choice_distance import squared_differences
from bolt_core.theory.kernels import correlation

MAX_ITERATIONS = 40
LEVEL_SHARE = 0.3  # of the variance of y, at the start
ROUGH = "matern12"
ROUGH_STARTS, SMOOTH_STARTS = (0.2, 0.01), (1.0,)  # l_0, of the span of the log
REFUSED = 1e10  # in place of a likelihood that cannot be computed


class LevelLikelihood:
    """Negative log likelihood and gradient in (lambda, l_1 .. l_d, lambda_0, l_0, sigma_0^2)."""

    def __init__(self, model: Model, data: Data, kernel: str = ROUGH) -> None:
        y_mean, y_sd = standardisation(data.y)
        self._y = (data.y - y_mean) / y_sd
        X, t = data.Z[:, :-1], data.Z[:, -1]
        self._squared = np.array(
            [squared_differences(X, k, model.levels) for k in range(model.dimension)]
        )
        self._ages = np.abs(np.subtract.outer(t, t))
        self._spatial = correlation(model.spatial_kernel)
        self._temporal = correlation(kernel)

    def __call__(self, p: Array) -> tuple[float, Array]:
        """Return the value and its gradient at log parameters `p`."""
        lam, *scales, lam_0, l_0, noise = np.exp(p).tolist()
        n, k_S, k_0 = len(self._y), self._spatial, self._temporal
        r = np.sqrt(np.tensordot(1.0 / np.array(scales) ** 2, self._squared, axes=1))
        surface = lam * k_S(r)
        r_0 = self._ages / l_0
        level = lam_0 * k_0(r_0)
        A = surface + level
        A[np.diag_indices(n)] += noise
        factor, info = lapack.dpotrf(A, lower=1)
        if info:
            return REFUSED, np.zeros(len(p))
        log_det = 2.0 * float(np.log(np.diag(factor)).sum())
        solved, _ = lapack.dpotrs(factor, np.column_stack([self._y, np.ones(n)]), lower=1)
        mean = solved[:, 0].sum() / solved[:, 1].sum()
        a = solved[:, 0] - mean * solved[:, 1]
        M, _ = lapack.dpotri(factor, lower=1)
        M = np.tril(M) + np.tril(M, -1).T
        G = M - np.multiply.outer(a, a)
        by_scale = lam * k_S.radial(r) * G
        gradient = [
            np.sum(G * surface),
            *(np.sum(by_scale * D) / l_k**2 for D, l_k in zip(self._squared, scales, strict=True)),
            np.sum(G * level),
            lam_0 * np.sum(G * r_0**2 * k_0.radial(r_0)),
            noise * np.trace(G),
        ]
        loss = 0.5 * (float((self._y - mean) @ a) + log_det + n * math.log(2 * math.pi))
        return loss, 0.5 * np.array(gradient)


def level_loss(model: Model, data: Data, static: Hyperparameters) -> tuple[float, int]:
    """Return the smallest negative log likelihood, and the number of parameters with the mean.

    The surface starts at that of the model without time.
    """
    span = float(np.ptp(data.Z[:, -1]))
    known = Bounds(time=(1e-4 * span, 100.0 * span))
    small = (1e-6, known.signal[1])
    boxes = [known.signal, *[known.space] * model.dimension, small, known.time, known.noise]
    bounds = np.log(np.array(boxes))
    options = {"maxiter": MAX_ITERATIONS}
    values = []
    for kernel, shares in ((ROUGH, ROUGH_STARTS), (model.temporal_kernel, SMOOTH_STARTS)):
        loss = LevelLikelihood(model, data, kernel)
        for share in shares:
            start = [static.signal_variance, *static.per_knob, LEVEL_SHARE, share * span]
            p = np.clip(np.log([*start, static.noise_variance]), *bounds.T)
            end = minimize(loss, p, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
            values.append(float(end.fun))
    return min(values), len(bounds) + 1
