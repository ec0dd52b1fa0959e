r"""Quadrature nodes of the integrated distance: points of S x [now, now + 2 l_T] with weights.

Removing o_i changes the posterior near x_i only (within about l_S), and at d = 6 a ball of that
radius is a small part of the box: hardly any plain Sobol node lies in it. So a share of the nodes
is drawn around m points c_j (all of the data, or the few in question), and every node is
weighted by the inverse of its density

    q(x) = (1 - rho) + rho / m sum_j prod_k g(x_k; c_jk),   g = Laplace of scale b cut to [0, 1],

which keeps the rule unbiased for every integrand. The change fades with time where k_T does, so
the density of the times then falls too, as exp(-DECAY t / h) over the horizon h; if it does not
(Wiener, or no time) they are uniform. b is one number per coordinate where l_S is. Where
coordinates have levels, nodes are snapped to them AFTER they are weighted: the rule is then that of
g(snap(x)), whose integral is the mean over the levels. Their q is constant on cells; a choice has
no neighbouring ones (laplace.py). A part of a rule (points 0 to 255 of 1,024, say) is a rule too.
"""

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

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
SPREAD = 1.0  # b over l_S
DECAY = 3.0  # of the density of nodes over the horizon, as an exponent
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


def nodes_near(  # noqa: PLR0913 - how the nodes lie
    k: Covariance,
    centres: Array,
    now: float,
    count: int = COUNT,
    near: float = NEAR,
    *,
    spread: float = SPREAD,
    decay: float = DECAY,
    part: tuple[int, int] | None = None,
) -> Nodes:
    """Return nodes of which a share `near` lies around the points `centres` (m, d).

    S is all that counts, so a centre outside [0, 1]^d is replaced by the nearest point of it. With
    `part` (start, stop) only these of the `count` points are taken, as a rule of their own.
    """
    m, dimension = centres.shape
    centres = np.clip(centres, 0.0, 1.0)
    if m == 0:
        return uniform_nodes(k, dimension, now, count)
    start, stop = part or (0, count)
    fades = k.sees_time and k.stationary
    base = _base(dimension, count, start, stop, near, decay if fades else 0.0)
    Z = base.Z.copy()
    scale = spread * k.space_scale
    around = centres[np.minimum((base.pick * m).astype(np.intp), m - 1)]
    if k.domain is None:
        Z[base.chosen, :-1] = laplace_quantile(base.u, around, scale)
        density = mixture_density(Z[:, :-1], centres, scale)
    else:
        Z[base.chosen, :-1] = settable_quantile(base.u, around, scale, k.domain)
        density = settable_density(Z[:, :-1], centres, scale, k.domain)
        Z[:, :-1] = k.domain.snap(Z[:, :-1])
    density *= near
    density += 1.0 - near
    density *= base.time_density
    length = time_extent(k)
    Z[:, -1] *= length
    Z[:, -1] += now
    return Nodes(Z, length / ((stop - start) * density))


@dataclass(frozen=True, slots=True)
class _Base:
    """What a rule has before the centres are known."""

    Z: Array  # (Q, d + 1); times as shares of the horizon
    time_density: Array  # (Q,), of those shares
    chosen: NDArray[np.intp]  # nodes that are moved to near the centres
    u: Array  # (len(chosen), d), of which their places are quantiles
    pick: Array  # (len(chosen),) in [0, 1): which centre


@lru_cache(maxsize=64)
def _base(dimension: int, count: int, start: int, stop: int, near: float, decay: float) -> _Base:
    """Return what depends on neither the data nor the covariance, read-only."""
    uniform = sobol(dimension + 2, count)[start:stop]  # place, time, and which density
    Z = uniform[:, :-1].copy()
    density = np.ones(len(Z))
    if decay > 0.0:  # density proportional to exp(-decay share)
        mass = -math.expm1(-decay)
        left = 1.0 - mass * Z[:, -1]
        Z[:, -1] = np.log(left) / -decay
        density = left * (decay / mass)
    pick = uniform[:, -1] / near
    chosen = np.flatnonzero(pick < 1.0)
    base = _Base(Z, density, chosen, uniform[chosen, :dimension], pick[chosen])
    for array in (base.Z, base.time_density, base.chosen, base.u, base.pick):
        array.setflags(write=False)
    return base


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
