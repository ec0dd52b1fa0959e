r"""Densities around given points, for the nodes of the integrated distance.

A coordinate of a number has a Laplace law of scale b cut to [0, 1]. A choice with m levels has no
neighbouring ones: its density is constant on cells, and that of any other cell is exp(-1 / b) of
the centre's own, as a Laplace law has it at distance 1.
"""

import numpy as np
from scipy.spatial.distance import cdist

from bolt_core.common.domain import Domain
from bolt_core.common.types import Array
from bolt_core.theory.kernels import CHUNK


def laplace_quantile(u: Array, centre: Array, scale: float | Array) -> Array:
    """Return the u-quantile of a Laplace law around `centre` cut to [0, 1], elementwise."""
    low, high = np.expm1(-centre / scale), -np.expm1((centre - 1.0) / scale)  # in (-1, 0), (0, 1)
    v = low + u * (high - low)  # signed mass from the centre, in units of half the total
    offset = -np.sign(v) * scale * np.log1p(-np.abs(v))
    return np.asarray(np.clip(centre + offset, 0.0, 1.0))


def mixture_density(places: Array, X: Array, scale: float | Array) -> Array:
    """Return mean_j prod_k g(places_k; X_jk), (Q,)."""
    mass = -np.expm1(-X / scale) - np.expm1((X - 1.0) / scale)  # (n, d), over 1 / scale
    normal = 1.0 / np.prod(scale * mass, axis=1)
    normal /= len(X)
    factor = -1.0
    if isinstance(scale, np.ndarray):
        places, X = places / scale, X / scale
    else:
        factor /= scale
    density = np.empty(len(places))
    step = max(CHUNK // len(X), 1)
    for start in range(0, len(places), step):
        rows = slice(start, start + step)
        near = cdist(places[rows], X, "cityblock")
        near *= factor
        density[rows] = np.exp(near, out=near) @ normal
    return density


def settable_quantile(u: Array, centre: Array, scale: float | Array, domain: Domain) -> Array:
    """Return the u-quantiles of the laws around `centre` (s, d), before they are snapped."""
    scales = np.broadcast_to(scale, (domain.dimension,))
    places = laplace_quantile(u, centre, scales)
    for k in domain.choices:
        m = domain.levels[k]
        own = _own_share(m, scales[k])
        cell = np.clip(np.floor(centre[:, k] * m), 0, m - 1)
        inside = u[:, k] < own
        step = np.where(inside, u[:, k] / own, (u[:, k] - own) / max(1.0 - own, 1e-300) * (m - 1))
        other = (cell + 1.0 + np.minimum(np.floor(step), max(m - 2, 0))) % m
        places[:, k] = (np.where(inside, cell, other) + 0.5) / m
    return places


def settable_density(places: Array, X: Array, scale: float | Array, domain: Domain) -> Array:
    """Return the density of `settable_quantile` over centres X, before it is snapped; (Q,)."""
    scales = np.broadcast_to(scale, (domain.dimension,))
    log_density = np.zeros((len(places), len(X)))
    for k in range(domain.dimension):
        m, b = domain.levels[k], scales[k]
        if domain.choice[k]:
            own = _own_share(m, b)
            same = np.floor(places[:, k, None] * m) == np.clip(np.floor(X[:, k] * m), 0, m - 1)
            log_density += np.where(same, np.log(m * own), -1.0 / b + np.log(m * own))
        else:
            mass = -np.expm1(-X[:, k] / b) - np.expm1((X[:, k] - 1.0) / b)
            log_density -= np.abs(np.subtract.outer(places[:, k], X[:, k])) / b + np.log(b * mass)
    return np.asarray(np.exp(log_density).mean(axis=1))


def _own_share(m: int, b: float) -> float:
    """Return the probability of the centre's own level among m."""
    return float(1.0 / (1.0 + (m - 1) * np.exp(-1.0 / b)))
