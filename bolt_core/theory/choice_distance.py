r"""Distances between places some of whose coordinates are choices.

    r^2 = sum over ordered k of ((x_k - x'_k) / l_k)^2
        + sum over choices k of [c_k != c'_k] D_k / l_k^2

Two different values of a choice with m levels are sqrt(D_k) apart whatever their order in the list,
D_k = m / (6 (m - 1)): with one lengthscale for all knobs a choice then counts as much as a real
knob (`Domain.choice_distance`). A coordinate u of a choice stands for its cell, floor(u m), inside
[0, 1] and outside.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from bolt_core.common.domain import Domain
from bolt_core.common.types import Array


def squared_radii(X: Array, other: Array, per_length: float | Array, domain: Domain) -> Array:
    """Return r^2 of m places with n others, (m, n), for 1 / l; exactly 0 for duplicates."""
    rates = np.broadcast_to(per_length, (domain.dimension,))
    ordered = [k for k in range(domain.dimension) if not domain.choice[k]]
    squared = np.zeros((len(X), len(other)))
    if ordered:
        x, others = X[:, ordered] * rates[ordered], other[:, ordered] * rates[ordered]
        squared = np.asarray(cdist(x, others, "sqeuclidean"))
    for k in domain.choices:
        squared += _squared(X[:, k], other[:, k], k, domain) * rates[k] ** 2
    return squared


def apart(X: Array, other: Array, domain: Domain | None) -> Array:
    """Return the distances of m places to n others, (m, n), in units of [0, 1]."""
    if domain is None or not domain.choices:
        return np.asarray(cdist(X, other))
    return np.sqrt(squared_radii(X, other, 1.0, domain))


def squared_differences(X: Array, k: int, domain: Domain | None) -> Array:
    """Return the squared distances of n places in one coordinate, (n, n), in units of [0, 1]."""
    x = X[:, k]
    if domain is not None and domain.choice[k]:
        return _squared(x, x, k, domain)
    return np.asarray(np.subtract.outer(x, x) ** 2)


def _squared(u: Array, other: Array, k: int, domain: Domain) -> Array:
    """Return the squared distances of m values of a choice from n others, (m, n)."""
    return np.asarray(differ(u, other, domain.levels[k]) * domain.choice_distance(k) ** 2)


def differ(u: Array, other: Array, levels: int) -> NDArray[np.bool_]:
    """Return whether m values of a choice differ from n others, (m, n)."""
    return np.asarray(np.floor(u * levels)[:, None] != np.floor(other * levels))
