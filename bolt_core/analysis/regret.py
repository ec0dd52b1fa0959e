r"""Regret: the loss of each query against the moving optimum.

    r_i = f(x*_i, t_i) - f(x_i, t_i)          instant regret
    R_k = r_1 + ... + r_k                     cumulative regret
    R_k / k                                   average over queries: the headline number
    sum r_i (t_{i+1} - t_i) / (t_{k+1} - t_1) average over time: a slow pass weighs more

The headline leaves out the warm-up queries: they are the same for every algorithm, and on Powell
they alone can decide the average. Each average is given with and without them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.types import Array
from bolt_core.runs.snapshot import Columns


@dataclass(frozen=True, slots=True)
class Averages:
    """Average regret of one run, computed in four ways; None where there is nothing to average."""

    over_queries: float | None  # the headline
    over_time: float | None
    over_queries_with_warmup: float | None
    over_time_with_warmup: float | None


def instant(columns: Columns, *, warmup: bool = False) -> Array:
    """Return r_i of each query."""
    regret: Array = columns["regret"][_counted(columns, warmup)]
    return regret


def cumulative(columns: Columns, *, warmup: bool = False) -> Array:
    """Return R_k after each query."""
    return np.cumsum(instant(columns, warmup=warmup))


def running_average(columns: Columns, *, warmup: bool = False) -> Array:
    """Return R_k / k after each query."""
    total = cumulative(columns, warmup=warmup)
    average: Array = total / np.arange(1, len(total) + 1)
    return average


def average_over_queries(columns: Columns) -> float | None:
    """Return the headline number; None before a query counts, or where no optimum is known."""
    return _mean(columns, weighted=False, warmup=False)


def averages(columns: Columns) -> Averages:
    """Return the four averages so far."""
    return Averages(
        over_queries=average_over_queries(columns),
        over_time=_mean(columns, weighted=True, warmup=False),
        over_queries_with_warmup=_mean(columns, weighted=False, warmup=True),
        over_time_with_warmup=_mean(columns, weighted=True, warmup=True),
    )


def _counted(columns: Columns, warmup: bool) -> NDArray[np.bool_]:
    return np.ones(columns.length, bool) if warmup else columns["warmup"] == 0


def _mean(columns: Columns, *, weighted: bool, warmup: bool) -> float | None:
    counted = _counted(columns, warmup)
    if not counted.any() or np.isnan(columns["regret"][counted]).any():  # no optimum is known
        return None
    weights = _durations(columns)[counted] if weighted else None
    return float(np.average(columns["regret"][counted], weights=weights))


def _durations(columns: Columns) -> Array:
    """Return how long each query was the newest: until the next one, or the end of its pass."""
    return np.diff(columns["t"], append=columns.ends()[-1])
