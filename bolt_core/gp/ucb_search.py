"""Where UCB is largest: candidates, of which the best are climbed.

A surrogate of a run has many local maxima, and most of its observations lie close together where
the last queries were. So the candidates are Sobol points, half of them stretched beyond the box and
cut to it, which puts them on faces and corners; observed places of a high mean that are apart from
each other; and neighbours of those at several distances.
"""

import numpy as np

from bolt_core.common.types import Array
from bolt_core.gp.ascent import Stage, ascend, best_apart
from bolt_core.gp.ucb import Search
from bolt_core.theory.wasserstein.nodes import sobol

SOBOL = 256  # candidates, a power of two
STRETCH = 3.0  # of every second Sobol point, about the centre of the box
TOP_OBSERVED = 40  # places of D taken as candidates
# Lengths in units of l_S, or of 1 where l_S is longer:
PLACES_APART = 0.15
NEIGHBOURS = (0.1, 0.3, 0.7)  # standard deviation of the distance of each
STARTS_APART = 0.2
ENDS_APART = 0.02
FIRST_STEP = 0.05
STAGES = (Stage(24, 4), Stage(8, 4), Stage(2, 12))
TOLERANCE = 1e-4  # standard deviations of y


def prepare(dimension: int) -> None:
    """Compute the Sobol points in advance, with and without a window of time."""
    for free in (dimension, dimension + 1):
        sobol(free, SOBOL)


def maximise(search: Search, rng: np.random.Generator) -> tuple[Array, float]:
    """Return the best point (d + 1,) and its alpha."""
    if len(search.posterior.Z) == 0:
        U = rng.random((1, search.free))
        return search.points(U)[0], float(search.value(U)[0])
    U = candidates(search, rng)
    rows = best_apart(U, search.rank(U), STAGES[0].starts, STARTS_APART * search.reach)
    best, value = ascend(
        search.value_and_gradient,
        U[rows],
        STAGES,
        first_step=FIRST_STEP * search.reach,
        apart=ENDS_APART * search.reach,
        tolerance=TOLERANCE,
    )
    return search.points(best[None])[0], value


def candidates(search: Search, rng: np.random.Generator) -> Array:
    """Return unit coordinates to start from, (s, free)."""
    free, X = search.free, search.posterior.Z[:, :-1]
    spread = (sobol(free, SOBOL) + rng.random(free)) % 1.0
    spread[1::2] = np.clip(0.5 + STRETCH * (spread[1::2] - 0.5), 0.0, 1.0)
    good = X[best_apart(X, search.rank_observed(), TOP_OBSERVED, PLACES_APART * search.reach)]
    near = np.repeat(good, len(NEIGHBOURS), axis=0)
    distance = np.tile(NEIGHBOURS, len(good))[:, None] * search.reach
    near = np.clip(near + distance * rng.standard_normal(near.shape), 0.0, 1.0)
    local = rng.random((len(good) + len(near), free))
    local[:, : X.shape[1]] = np.concatenate([np.clip(good, 0.0, 1.0), near])
    return np.concatenate([spread, local])
