"""Candidates for the search among settable points.

As in `ucb_search`: Sobol points, half of them stretched beyond the region and cut to it, then
observed places of a high mean and neighbours of those. A combination of levels is part of each.
"""

import math

import numpy as np

from bolt_core.common.types import Array
from bolt_core.gp.ascent import best_apart
from bolt_core.gp.settable_search import SettableSearch
from bolt_core.gp.ucb_search import NEIGHBOURS, PLACES_APART, SOBOL, STRETCH, TOP_OBSERVED
from bolt_core.theory.wasserstein.nodes import sobol

MAX_COMBINATIONS = 256  # up to which each one has candidates of its own
RANDOM_COMBINATIONS = 1024  # otherwise
PER_COMBINATION = 4  # points at least, a power of two
SPREAD = 512  # points at least, over all combinations


def candidates(search: SettableSearch, rng: np.random.Generator) -> Array:
    """Return coordinates to start from, (s, free)."""
    return np.concatenate([_spread(search, rng), _local(search, rng)])


def _spread(search: SettableSearch, rng: np.random.Generator) -> Array:
    """Return points all over the region, equally many for each combination of levels."""
    if not search.discrete:
        return _stretched(sobol(search.free, SOBOL), rng)
    if search.combinations <= MAX_COMBINATIONS:
        combinations = search.all_combinations()
    else:
        columns = [rng.choice(values, RANDOM_COMBINATIONS) for values in search.levels]
        combinations = np.column_stack(columns)
    count = 1
    if search.continuous:
        wanted = max(SPREAD / len(combinations), PER_COMBINATION)
        count = 2 ** math.ceil(math.log2(wanted))
    U = np.empty((len(combinations) * count, search.free))
    U[:, list(search.discrete)] = np.repeat(combinations, count, axis=0)
    if search.continuous:
        size = 2 ** math.ceil(math.log2(len(U)))
        spread = _stretched(sobol(len(search.continuous), size), rng)
        U[:, search.continuous] = spread[: len(U)]
    return U


def _stretched(points: Array, rng: np.random.Generator) -> Array:
    """Return shifted points, every second one stretched about the centre and cut to the cube."""
    spread = (points + rng.random(points.shape[1])) % 1.0
    spread[1::2] = np.clip(0.5 + STRETCH * (spread[1::2] - 0.5), 0.0, 1.0)
    return spread


def _local(search: SettableSearch, rng: np.random.Generator) -> Array:
    """Return observed places of a high mean, and neighbours of them, half with another level."""
    d = search.dimension
    observed = search.coordinates(search.search.posterior.Z[:, :-1])
    mean = search.search.mean(search.places(observed))
    apart = PLACES_APART * search.reach[:d]
    good = observed[best_apart(observed, mean, TOP_OBSERVED, apart)]
    near = np.repeat(good, len(NEIGHBOURS), axis=0)
    inside = [k for k in search.continuous if k < d]
    distance = np.tile(NEIGHBOURS, len(good))[:, None] * search.reach[inside]
    moved = near[:, inside] + distance * rng.standard_normal((len(near), len(inside)))
    near[:, inside] = np.clip(moved, 0.0, 1.0)
    if search.discrete:
        for row in near[1::2]:
            changed = int(rng.integers(len(search.discrete)))
            row[search.discrete[changed]] = rng.choice(search.levels[changed])
    local = rng.random((len(good) + len(near), search.free))
    local[:, :d] = np.concatenate([good, near])
    return local
