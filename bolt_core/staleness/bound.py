r"""The published removal score of W-DBO: an upper bound of W_2, relative to the whole.

(sigma - sigma_i)^2 <= |sigma^2 - sigma_i^2| makes the integral of exact.py a quadratic form. With
C_ij = c_S(x_i, x_j) c_T(t_i, t_j), integrals of products of correlations,

    W_i = lambda sqrt( (M C M)_ii (a_i^2 + M_ii) ) / M_ii       W_2(GP_D, GP_{D \ i}), bounded
    N   = lambda sqrt( a'Ca + sum_ij M_ij C_ij )                W_2(GP_D, prior), same bound
    R_i = W_i / N                                               what W-DBO pays for a removal

in O(n^3) for all i at once (the public C++ is O(n^4)). c_T runs over [now, infinity) in closed
form; c_S runs over the box [0, 1]^d by fixed Sobol nodes, which keeps C positive semidefinite.
`Spatial.WHOLE` takes all of R^d as the public code does; `Spatial.CLIPPED` also cuts c_S at 1 as
it does (C is then indefinite, and some scores that code reports as -1 are 0 here).
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from bolt_core.kernels import Covariance, distances
from bolt_core.staleness.integrals import over_all_space, over_future
from bolt_core.staleness.nodes import COUNT, sobol
from bolt_core.types import Array


class Spatial(StrEnum):
    """How the spatial integral is taken."""

    BOX = "box"
    WHOLE = "whole"
    CLIPPED = "clipped"


def bound_scores(
    k: Covariance, Z: Array, M: Array, a: Array, now: float, spatial: Spatial = Spatial.BOX
) -> tuple[Array, float]:
    """W_i of every observation (n,), and N; W-DBO's relative scores are W_i / N.

    Zero mean is assumed: a = M(y - m), standardised units.
    """
    C = spatial_products(k, Z, spatial)
    if k.sees_time:
        C = C * over_future(k.temporal, now - Z[:, -1], k.time_scale)
    diagonal = np.diagonal(M)
    quadratic = np.maximum(np.sum((M @ C) * M, axis=1), 0.0)  # rounding may go below 0
    lam = k.theta.signal_variance
    scores = lam * np.sqrt(quadratic * (a**2 + diagonal)) / diagonal
    whole = lam * np.sqrt(max(float(a @ C @ a + np.sum(M * C)), 0.0))
    return scores, float(whole)


def spatial_products(k: Covariance, Z: Array, spatial: Spatial) -> Array:
    """c_S(x_i, x_j), (n, n)."""
    X = Z[:, :-1]
    if spatial is Spatial.BOX:
        Phi = k.spatial(distances(X, sobol(X.shape[1], COUNT)) / k.theta.lengthscale_space)
        return np.asarray(Phi @ Phi.T / COUNT)
    C = over_all_space(k.spatial, distances(X, X), k.theta.lengthscale_space, X.shape[1])
    return np.minimum(C, 1.0) if spatial is Spatial.CLIPPED else C
