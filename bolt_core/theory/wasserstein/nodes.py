r"""Quadrature nodes of the integrated distance: points of S x [now, now + 2 l_T] with weights.

Removing o_i changes the posterior near x_i only (within about l_S), and at d = 6 a ball of that
radius is a small part of the box: hardly any plain Sobol node lies in it. So a share of the nodes
is drawn around m points c_j (all of the data, or the few in question), and every node is
weighted by the inverse of its density

    q(x) = (1 - rho) + rho / m sum_j prod_k g(x_k; c_jk),   g = Laplace of scale b cut to [0, 1],

which keeps the rule unbiased for every integrand. In time the nodes are uniform. b is one number
per coordinate where l_S is. Where coordinates have levels, nodes are snapped to them AFTER they are
weighted: the rule is then that of g(snap(x)), whose integral is the mean over the levels. Their q
is constant on cells; a choice has no neighbouring ones (laplace.py).
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from bolt_core.common.types import Array
from bolt_core.theory.kernels import Covariance
from bolt_core.theory.wasserstein.laplace import (
    laplace_quantile,
    mixture_density,
    settable_density,
    settable_quantile,
)

COUNT = 512
HORIZON = 2.0  # l_T: how far ahead the posterior matters
NEAR = 0.5  # rho, the share of nodes around the data
SPREAD = 0.5  # b over l_S
SEED = 20_260  # of the scrambling: nodes are constants, the same in every run


@dataclass(frozen=True, slots=True)
class Nodes:
    """Quadrature: sum_q weights_q g(Z_q) is about the integral of g over S x [now, now + h]."""

    Z: Array  # (Q, d + 1)
    weights: Array  # (Q,); their unit is that of time


def uniform_nodes(k: Covariance, dimension: int, now: float, count: int = COUNT) -> Nodes:
    """Return plain Sobol nodes with equal weights."""
    length = time_extent(k)
    Z = sobol(dimension + 1, count).copy()
    Z[:, -1] = now + length * Z[:, -1]
    if k.domain is not None:
        Z[:, :-1] = k.domain.snap(Z[:, :-1])
    return Nodes(Z, np.full(count, length / count))


def nodes_near(
    k: Covariance, centres: Array, now: float, count: int = COUNT, near: float = NEAR
) -> Nodes:
    """Return nodes of which a share `near` lies around the points `centres` (m, d).

    S is all that counts, so a centre outside [0, 1]^d is replaced by the nearest point of it.
    """
    m, dimension = centres.shape
    centres = np.clip(centres, 0.0, 1.0)
    if m == 0:
        return uniform_nodes(k, dimension, now, count)
    uniform = sobol(dimension + 2, count)  # place, time, and which density
    places = uniform[:, :dimension].copy()
    scale = SPREAD * k.space_scale
    pick = uniform[:, -1] / near
    chosen = pick < 1.0
    around = centres[np.minimum((pick[chosen] * m).astype(int), m - 1)]
    if k.domain is None:
        places[chosen] = laplace_quantile(places[chosen], around, scale)
        density = (1.0 - near) + near * mixture_density(places, centres, scale)
    else:
        places[chosen] = settable_quantile(places[chosen], around, scale, k.domain)
        density = (1.0 - near) + near * settable_density(places, centres, scale, k.domain)
        places = k.domain.snap(places)
    length = time_extent(k)
    times = now + length * uniform[:, dimension]
    return Nodes(np.column_stack([places, times]), length / (count * density))


@cache
def sobol(dimension: int, count: int) -> Array:
    """Return `count` (a power of two) scrambled Sobol points of [0, 1]^dimension, read-only."""
    from scipy.stats import qmc  # 0.7 s to import: only where nodes are needed

    points: Array = qmc.Sobol(dimension, rng=SEED).random_base2(int(math.log2(count)))
    points.setflags(write=False)
    return points


def time_extent(k: Covariance) -> float:
    """Return how far ahead the nodes reach: 2 l_T, or 1 if the kernel ignores time."""
    return HORIZON * k.time_scale if k.sees_time else 1.0
