"""What the averages of many runs come to, as in the paper's Table 2, and a little more.

    cell        mean over seeds and its standard error s / sqrt(k)
    marks       the lowest mean is best, equals too; whose mean +- error meets the best's overlaps
                it (one value has no error, and is not said to overlap anything)
    normalised  (r_a - min r) / (max r - min r) on one benchmark; 0 is the best, 1 the worst
    overall     mean of the normalised regrets over benchmarks, and its standard error
    paired      difference to another algorithm seed by seed, with a bootstrap interval
    ranks       mean rank over benchmarks, 1 is the best, ties share

Minimum and maximum are taken over a reference set, the algorithms of Table 2 where they are there,
so that adding an algorithm does not move the others; one outside the set may leave [0, 1].
`random` is never in it, and has no rank.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.common.errors import ConfigError

BASELINE = "random"
DRAWS = 10_000  # resamples: the ends of the interval are then steady to about 1 % of its width
ENOUGH = 3  # pairs that make an interval worth printing


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean with its standard error; None: one value has none."""

    mean: float
    error: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Paired:
    """Differences by seed, first minus second: below zero the first is better."""

    mean: float
    low: float | None  # of the interval; None: too few pairs
    high: float | None
    seeds: int
    wins: int  # seeds on which the first is lower


def cell(values: Sequence[float]) -> Cell:
    if not values:
        raise ConfigError("a mean needs at least one value")
    many = len(values) > 1
    error = float(np.std(values, ddof=1) / len(values) ** 0.5) if many else None
    return Cell(float(np.mean(values)), error, len(values))


def marks(row: Mapping[str, Cell]) -> dict[str, str]:
    """`best`, `overlap` or nothing for each algorithm of one benchmark; the baseline has none."""
    counted = {a: c for a, c in row.items() if a != BASELINE}
    if not counted:
        return dict.fromkeys(row, "")
    best = min(counted.values(), key=lambda c: c.mean)
    return {
        a: ""
        if a not in counted
        else "best"
        if c.mean == best.mean
        else "overlap"
        if _meet(c, best)
        else ""
        for a, c in row.items()
    }


def normalised(row: Mapping[str, float], reference: Collection[str]) -> dict[str, float]:
    """One benchmark's regrets on the scale of the reference algorithms."""
    scale = [r for a, r in row.items() if a in reference and a != BASELINE]
    if not scale:
        raise ConfigError("no algorithm to normalise by; run one of Table 2")
    low, span = min(scale), max(scale) - min(scale)
    return {a: (r - low) / (span or 1.0) for a, r in row.items() if a != BASELINE}


def overall(
    table: Mapping[str, Mapping[str, float]], reference: Collection[str]
) -> dict[str, Cell]:
    """The last row of Table 2: table[benchmark][algorithm], every row with the same algorithms."""
    rows = [normalised(row, reference) for row in table.values()]
    if not rows or any(row.keys() != rows[0].keys() for row in rows):
        raise ConfigError("every benchmark needs the same algorithms to be normalised over")
    return {a: cell([row[a] for row in rows]) for a in rows[0]}


def ranks(table: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Mean rank of each algorithm over the benchmarks; ties get the mean of their places."""
    rows = [{a: r for a, r in row.items() if a != BASELINE} for row in table.values()]
    return {
        a: float(np.mean([_rank(row[a], list(row.values())) for row in rows if a in row]))
        for a in dict.fromkeys(a for row in rows for a in row)
    }


def paired(
    first: Mapping[int, float],
    second: Mapping[int, float],
    rng: np.random.Generator,
    *,
    level: float = 0.95,
) -> Paired | None:
    """Over the seeds both have; None: there is no such seed. Percentile bootstrap of the mean."""
    seeds = sorted(first.keys() & second.keys())
    if not seeds:
        return None
    differences = np.array([first[s] - second[s] for s in seeds])
    k = len(seeds)
    low = high = None
    if k >= ENOUGH:
        means = differences[rng.integers(0, k, (DRAWS, k))].mean(axis=1)
        tail = 50.0 * (1.0 - level)
        low, high = (float(v) for v in np.percentile(means, [tail, 100.0 - tail]))
    return Paired(float(differences.mean()), low, high, k, int(np.sum(differences < 0)))


def _meet(higher: Cell, lower: Cell) -> bool:
    if higher.error is None or lower.error is None:
        return False
    return higher.mean - higher.error <= lower.mean + lower.error


def _rank(value: float, values: Sequence[float]) -> float:
    below = sum(v < value for v in values)
    return below + (sum(v == value for v in values) + 1) / 2
