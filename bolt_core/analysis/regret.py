r"""Regret: what was lost by not standing at the moving optimum.

    r_i = f(x*_i, t_i) - f(x_i, t_i)          instant
    R_k = r_1 + ... + r_k                     cumulative
    R_k / k                                   average over queries: the headline number
    sum r_i (t_{i+1} - t_i) / (t_{k+1} - t_1) average over time: a slow pass weighs more

The headline leaves the warm-up queries out: they are the same for every algorithm, and on Powell
they alone can decide the figure. Each average is given with and without them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.types import Array
from bolt_core.runs.snapshot import Columns


@dataclass(frozen=True, slots=True)
class Averages:
    """Average regret of one run, four ways; None where there was no query to average over."""

    over_queries: float | None  # the headline
    over_time: float | None
    over_queries_with_warmup: float | None
    over_time_with_warmup: float | None


def instant(columns: Columns, *, warmup: bool = False) -> Array:
    """r_i of each query."""
    regret: Array = columns["regret"][_counted(columns, warmup)]
    return regret


def cumulative(columns: Columns, *, warmup: bool = False) -> Array:
    """R_k after each query."""
    return np.cumsum(instant(columns, warmup=warmup))


def running_average(columns: Columns, *, warmup: bool = False) -> Array:
    """R_k / k after each query."""
    total = cumulative(columns, warmup=warmup)
    average: Array = total / np.arange(1, len(total) + 1)
    return average


def averages(columns: Columns) -> Averages:
    """The four averages so far."""
    return Averages(
        over_queries=_mean(columns, weighted=False, warmup=False),
        over_time=_mean(columns, weighted=True, warmup=False),
        over_queries_with_warmup=_mean(columns, weighted=False, warmup=True),
        over_time_with_warmup=_mean(columns, weighted=True, warmup=True),
    )


def _counted(columns: Columns, warmup: bool) -> NDArray[np.bool_]:
    return np.ones(columns.length, bool) if warmup else columns["warmup"] == 0


def _mean(columns: Columns, *, weighted: bool, warmup: bool) -> float | None:
    counted = _counted(columns, warmup)
    if not counted.any() or np.isnan(columns["regret"][counted]).any():  # no oracle, no regret
        return None
    weights = _durations(columns)[counted] if weighted else None
    return float(np.average(columns["regret"][counted], weights=weights))


def _durations(columns: Columns) -> Array:
    """How long each query's answer stood: until the next one, or the end of its own pass."""
    return np.diff(columns["t"], append=columns.ends()[-1])
