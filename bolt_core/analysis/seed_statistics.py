"""Statistics over seeds and benchmarks, as in the paper's Table 2, and a few more.

    cell        mean over seeds and its standard error s / sqrt(k), from three values on
    leaders     the lowest value, and every other that reads the same in the table
    marks       leaders are best; a cell whose mean +- error meets that of the lowest overlaps it
                (a cell without an error overlaps nothing)
    normalised  (r_a - min r) / (max r - min r) on one benchmark; 0 is the best, 1 the worst
    overall     mean of the normalised regrets over benchmarks, and its standard error
    paired      difference to another algorithm seed by seed, with a t interval from three seeds
                on; a conclusion needs five
    ranks       mean rank over benchmarks, 1 is the best, ties share

The interval is Student's: resampling three differences gives a "95 %" interval that covers the
truth in 74 % of cases. Over three or four seeds it is wide and leans on the differences being
normal, so it is shown, and nothing is marked or concluded from it.

Minimum and maximum are taken over a reference set, the algorithms of Table 2 where they were run,
so that adding an algorithm does not move the others; one outside the set may leave [0, 1].
Baselines (random search, for example) are never in it, and have no rank.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.algorithms import is_baseline
from bolt_core.common.errors import ConfigError
from bolt_core.common.text import significant
from bolt_core.common.types import Array

MIN_SEEDS_FOR_STANDARD_ERROR = 3  # fewer values say nothing about their spread
MIN_SEEDS_FOR_INTERVAL = 3  # of differences
LEVEL = 0.95  # of the interval of a difference
MIN_SEEDS_FOR_CONCLUSION = 5  # below, an interval is shown without a mark

Key = TypeVar("Key", bound=Hashable)
Printed = Callable[[float], str]  # a number as a table prints it


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean with its standard error; None: too few values to show one."""

    mean: float
    error: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Paired:
    """Differences by seed, first minus second: below zero the first is better."""

    mean: float
    low: float | None  # of the interval; None: too few pairs, or runs that stopped asking
    high: float | None
    seeds: int
    wins: int  # seeds on which the first is lower
    stopped: bool = False  # runs of either stopped asking, so their averages are not comparable

    @property
    def few_seeds(self) -> bool:
        """Whether there are too few seeds to conclude from a comparison that is allowed."""
        return not self.stopped and self.seeds < MIN_SEEDS_FOR_CONCLUSION

    @property
    def equal(self) -> bool:
        """Whether no seed differs."""
        return self.low == self.high == 0.0

    def times(self, factor: float) -> Paired:
        """Return the differences in another unit, which `factor` > 0 of this one make up."""
        low, high = (None if end is None else factor * end for end in (self.low, self.high))
        return replace(self, mean=factor * self.mean, low=low, high=high)

    @property
    def conclusive(self) -> bool:
        """Whether the interval may be marked and concluded from."""
        return not self.stopped and not self.few_seeds


def standard_errors(table: ArrayLike) -> Array | None:
    """Return the standard error of each column of a table with one row per seed.

    None: there are fewer than `MIN_SEEDS_FOR_STANDARD_ERROR` rows.
    """
    rows = np.asarray(table, dtype=float)
    if len(rows) < MIN_SEEDS_FOR_STANDARD_ERROR:
        return None
    # As scipy.stats.sem to the last bit, whose checks take 25 times as long; a page has hundreds.
    return np.asarray(np.std(rows, axis=0, ddof=1) / len(rows) ** 0.5)


def standard_error(values: Sequence[float]) -> float | None:
    """Return s / sqrt(k) of the values; None if they are too few to show one."""
    error = standard_errors(values)
    return None if error is None else float(error)


def cell(values: Sequence[float]) -> Cell:
    """Return the mean of the values with its standard error."""
    if not values:
        raise ConfigError("a mean needs at least one value")
    return Cell(float(np.mean(values)), standard_error(values), len(values))


def competition_ranks(values: Sequence[float], printed: Printed = significant) -> list[int]:
    """Return the rank of each value, 1 for the lowest.

    Values that read the same in the table, whose number format is `printed`, share the better
    rank: 1, 1, 3.
    """
    from scipy.stats import rankdata

    ranked: list[int] = rankdata(_as_printed(values, printed), method="min").tolist()
    return ranked


def leaders(values: Mapping[Key, float], printed: Printed = significant) -> list[Key]:
    """Return the keys of the lowest value, all of them if several read the same."""
    lowest = min(values.values(), default=0.0)
    return [key for key, value in values.items() if printed(value) == printed(lowest)]


def marks(row: Mapping[str, Cell], printed: Printed = significant) -> dict[str, str]:
    """Return `best`, `overlap` or an empty text for each algorithm of one benchmark.

    A baseline is never marked. `printed` is the number format of the table.
    """
    counted = {a: c for a, c in row.items() if not is_baseline(a)}
    if not counted:
        return dict.fromkeys(row, "")
    lowest = min(counted.values(), key=lambda c: c.mean)
    overlapping = {a: "overlap" for a, c in counted.items() if _meet(c, lowest)}
    best = dict.fromkeys(leaders({a: c.mean for a, c in counted.items()}, printed), "best")
    return dict.fromkeys(row, "") | overlapping | best


def normalised(row: Mapping[str, float], reference: Collection[str]) -> dict[str, float]:
    """Return one benchmark's regrets on the scale of the reference algorithms."""
    scale = [r for a, r in row.items() if a in reference and not is_baseline(a)]
    if not scale:
        raise ConfigError("no algorithm to normalise by; run one of Table 2")
    low, span = min(scale), max(scale) - min(scale)
    return {a: (r - low) / (span or 1.0) for a, r in row.items() if not is_baseline(a)}


def overall(
    table: Mapping[str, Mapping[str, float]], reference: Collection[str]
) -> dict[str, Cell]:
    """Return the last row of Table 2 for `table[benchmark][algorithm]`.

    An algorithm that is missing on a benchmark has no value, and is part of no scale there.
    """
    rows = [normalised(row, reference) for row in table.values()]
    if not rows:
        raise ConfigError("no benchmark to normalise over")
    everywhere = [a for a in rows[0] if all(a in row for row in rows)]
    return {a: cell([row[a] for row in rows]) for a in everywhere}


def ranks(
    table: Mapping[str, Mapping[str, float]], printed: Printed = significant
) -> dict[str, float]:
    """Return the mean rank over the benchmarks of each algorithm that is on all of them.

    Values that read the same in the table share the mean of their ranks.
    """
    from scipy.stats import rankdata

    ranks_of: dict[str, list[float]] = {}
    for row in table.values():
        counted = {a: r for a, r in row.items() if not is_baseline(a)}
        shared = _as_printed(list(counted.values()), printed)
        for algorithm, rank in zip(counted, rankdata(shared), strict=True):
            ranks_of.setdefault(algorithm, []).append(float(rank))
    return {a: float(np.mean(each)) for a, each in ranks_of.items() if len(each) == len(table)}


def paired(
    first: Mapping[int, float], second: Mapping[int, float], *, level: float = LEVEL
) -> Paired | None:
    """Return the mean difference over the seeds that both have, with its t interval.

    Student's t: mean +- t s / sqrt(k) with k - 1 degrees of freedom, from
    `MIN_SEEDS_FOR_INTERVAL` seeds on. None: there is no common seed.
    """
    seeds = sorted(first.keys() & second.keys())
    if not seeds:
        return None
    differences = np.array([first[s] - second[s] for s in seeds])
    mean, k = float(differences.mean()), len(seeds)
    low = high = None
    if k >= MIN_SEEDS_FOR_INTERVAL:
        from scipy.stats import t

        half = float(t.ppf(0.5 + level / 2.0, k - 1) * differences.std(ddof=1) / np.sqrt(k))
        low, high = mean - half, mean + half
    return Paired(mean, low, high, k, int(np.sum(differences < 0)))


def _as_printed(values: Sequence[float], printed: Printed) -> list[float]:
    """Return the values with those that read the same replaced by the lowest of them."""
    lowest: dict[str, float] = {}
    for value in sorted(values):
        lowest.setdefault(printed(value), value)
    return [lowest[printed(value)] for value in values]


def _meet(higher: Cell, lower: Cell) -> bool:
    if higher.error is None or lower.error is None:
        return False
    return higher.mean - higher.error <= lower.mean + lower.error
