"""Where UCB is largest among settable points, in all of S or in a region of it.

Coordinates with levels are held while the others are climbed, each start with its own combination
of levels. Up to some hundred combinations each one has candidates of its own, and the best of each
is a start; beyond that, the best of many random combinations are, and the best point with integers
taken as real numbers, rounded. In the end one level at a time is changed where that helps. A domain
of levels only is enumerated if it is small enough.
"""

import numpy as np

from bolt_core.common.domain import Domain, uniform_in
from bolt_core.common.types import Array
from bolt_core.gp.ascent import Stage, ascend, best_apart
from bolt_core.gp.settable_candidates import MAX_COMBINATIONS, candidates
from bolt_core.gp.settable_search import SettableSearch
from bolt_core.gp.ucb_search import ENDS_APART, FIRST_STEP, STAGES, STARTS_APART, TOLERANCE

ENUMERATED = 4096  # combinations of a domain without continuous coordinates
STARTS_BY_COMBINATION = 48  # the best start of each combination, besides the best of all
LATER_STAGES = (Stage(8, 6), Stage(3, 12))
MOVE_STAGES = (Stage(16, 6), Stage(2, 10))
MAX_MOVES = 50  # changes of one level
MAX_CHOICES = 12  # other values of a choice that are tried in one move


def maximise_settable(search: SettableSearch, rng: np.random.Generator) -> tuple[Array, float]:
    """Return the best settable point (d + 1,) of the region and its alpha."""
    if len(search.search.posterior.Z) == 0:
        U = rng.random((1, search.free))
        d = search.dimension
        U[:, :d] = search.coordinates(uniform_in(U[:, :d], search.domain, search.region))
        return _result(search, U[0], float(search.value(U)[0]))
    if not search.continuous and search.combinations <= ENUMERATED:
        U = search.all_combinations()
        values = search.value(U)
        best = int(np.argmax(values))
        return _result(search, U[best], float(values[best]))
    U = candidates(search, rng)
    if (relaxed := _relaxed(search)) is not None:
        point, _ = maximise_settable(relaxed, rng)
        U[0, : search.dimension] = search.coordinates(point[None, :-1])[0]
    rows = _starts(search, U, search.rank(U))
    stages = STAGES
    if search.discrete:
        stages = (Stage(len(rows), STAGES[0].rounds), *LATER_STAGES)
    x, value = _climb(search, U[rows], stages)
    return _result(search, *_move(search, x, value, rng))


def _relaxed(search: SettableSearch) -> SettableSearch | None:
    """Return the search with integers as real numbers, if combinations are too many to try all."""
    domain = search.domain
    if domain is None or search.combinations <= MAX_COMBINATIONS:
        return None
    levels = tuple(m if c else 0 for m, c in zip(domain.levels, domain.choice, strict=True))
    if levels == domain.levels:
        return None
    choices = Domain(levels, domain.choice)
    return SettableSearch(search.search, choices if any(levels) else None, search.region)


def _starts(search: SettableSearch, U: Array, values: Array) -> list[int]:
    """Return the rows to climb from: the best ones apart, and the best of each combination."""
    rows = best_apart(U, values, STAGES[0].starts, STARTS_APART * search.reach)
    if not search.discrete:
        return rows
    order = np.argsort(-values, kind="stable")
    _, group = np.unique(U[order][:, list(search.discrete)], axis=0, return_inverse=True)
    _, first = np.unique(group, return_index=True)
    best_of_each = order[np.sort(first)][:STARTS_BY_COMBINATION].tolist()
    return list(dict.fromkeys([*rows, *best_of_each]))


def _climb(search: SettableSearch, U: Array, stages: tuple[Stage, ...]) -> tuple[Array, float]:
    return ascend(
        search.value_and_gradient,
        U,
        stages,
        first_step=FIRST_STEP * search.reach,
        apart=ENDS_APART * search.reach,
        tolerance=TOLERANCE,
    )


def _move(
    search: SettableSearch, x: Array, value: float, rng: np.random.Generator
) -> tuple[Array, float]:
    """Change one level at a time, and climb again, while that helps."""
    for _ in range(MAX_MOVES):
        neighbours = _neighbours(search, x, rng)
        if not len(neighbours):
            break
        other, reached = _climb(search, neighbours, MOVE_STAGES)
        if reached <= value + TOLERANCE:
            break
        x, value = other, reached
    return x, value


def _neighbours(search: SettableSearch, x: Array, rng: np.random.Generator) -> Array:
    """Return x with one level changed: a number by one, a choice to any other value."""
    rows = []
    for k, values in zip(search.discrete, search.levels, strict=True):
        at = int(np.abs(values - x[k]).argmin())
        others = [i for i in (at - 1, at + 1) if 0 <= i < len(values)]
        if search.domain is not None and search.domain.choice[k]:
            others = [i for i in range(len(values)) if i != at]
            if len(others) > MAX_CHOICES:
                others = sorted(rng.choice(others, MAX_CHOICES, replace=False).tolist())
        for i in others:
            row = x.copy()
            row[k] = values[i]
            rows.append(row)
    return np.array(rows).reshape(-1, search.free)


def _result(search: SettableSearch, u: Array, value: float) -> tuple[Array, float]:
    return search.search.points(search.places(u[None]))[0], value
