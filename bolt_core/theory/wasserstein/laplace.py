r"""Densities around given points, for the nodes of the integrated distance.

A coordinate of a number has a Laplace law of scale b cut to [0, 1]. A choice with m levels has no
neighbouring ones: its density is constant on cells, and that of any other cell is exp(-D / b) of
the centre's own, as a Laplace law has it at their distance D. Places with levels are snapped to
them, so an integer's density may be replaced by its mean over each cell: the weights vary less.
"""

import numpy as np
from scipy.spatial.distance import cdist

from bolt_core.common.domain import Domain
from bolt_core.common.types import Array
from bolt_core.theory.kernels import CHUNK

MAX_CELLS = 256  # of a coordinate, for which a table of cells is made


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
        own = _own_share(m, domain.choice_distance(k) / scales[k])
        cell = np.clip(np.floor(centre[:, k] * m), 0, m - 1)
        inside = u[:, k] < own
        step = np.where(inside, u[:, k] / own, (u[:, k] - own) / max(1.0 - own, 1e-300) * (m - 1))
        other = (cell + 1.0 + np.minimum(np.floor(step), max(m - 2, 0))) % m
        places[:, k] = (np.where(inside, cell, other) + 0.5) / m
    return places


def settable_density(places: Array, X: Array, scale: float | Array, domain: Domain) -> Array:
    """Return the density of `settable_quantile` over centres X, by cells of levels; (Q,)."""
    scales = np.broadcast_to(scale, (domain.dimension,))
    density = np.ones((len(places), len(X)))
    for k in range(domain.dimension):
        m, b = domain.levels[k], float(scales[k])
        if m:
            cell, own_cell = (np.clip(np.floor(x[:, k] * m), 0, m - 1) for x in (places, X))
        if domain.choice[k]:
            away = domain.choice_distance(k) / b
            own = m * _own_share(m, away)
            density *= np.where(cell[:, None] == own_cell, own, own * np.exp(-away))
        elif 0 < m <= MAX_CELLS:
            density *= _laplace_cells(X[:, k], m, b)[cell.astype(int)]
        else:
            mass = -np.expm1(-X[:, k] / b) - np.expm1((X[:, k] - 1.0) / b)
            distance = np.abs(np.subtract.outer(places[:, k], X[:, k]))
            density *= np.exp(distance / -b) / (b * mass)
    return np.asarray(density.mean(axis=1))


def _laplace_cells(x: Array, m: int, b: float) -> Array:
    """Return the mean density of m equal cells of [0, 1], (m, n), of laws around x (n,)."""
    edges = np.linspace(0.0, 1.0, m + 1)[:, None] - x
    signed = np.sign(edges) * -np.expm1(-np.abs(edges) / b)  # mass from the centre, times 2
    return np.asarray(m * np.diff(signed, axis=0) / (signed[-1] - signed[0]))


def _own_share(m: int, away: float) -> float:
    """Return the probability of the centre's own level among m; others are `away` scales off."""
    return float(1.0 / (1.0 + (m - 1) * np.exp(-away)))
