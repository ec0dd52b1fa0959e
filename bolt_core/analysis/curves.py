"""Curves over time: where their points are drawn, and the mean of several seeds' curves.

A point of a regret or size curve is drawn at the end of its pass: only then is the query's result
known and the dataset as large as the point says. A replay shows the same passes at that time.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.analysis import regret
from bolt_core.analysis.seed_statistics import standard_errors
from bolt_core.common.types import Array, RunStatus
from bolt_core.runs.snapshot import Columns, RunSnapshot

MEAN_CURVE_POINTS = 240  # at most: about two pixels per point

Curve = tuple[Array, Array]  # x, y


class MeanCurve(NamedTuple):
    """The mean of several curves on a common grid, and its standard error if there is one."""

    x: Array
    mean: Array
    error: Array | None


def point_times(columns: Columns) -> Array:
    """Return the time at which each query's point is drawn: the end of its pass, in seconds.

    Times never fall: an observation that was told out of order is drawn after those before it.
    """
    times: Array = np.maximum.accumulate(columns.ends())
    return times


def regret_curve(
    run: RunSnapshot, statistic: Callable[[Columns], Array] = regret.running_average
) -> Curve:
    """Return (seconds, regret) of every query after the warm-up; `statistic` is of `regret`."""
    return point_times(run.columns)[run.columns["warmup"] == 0], statistic(run.columns)


def size_curve(run: RunSnapshot) -> Curve:
    """Return (seconds, dataset size) after each pass, up to the moment at which it is shown."""
    return held_to_moment(run, point_times(run.columns), run.sizes())


def held_to_moment(run: RunSnapshot, x: Array, y: Array) -> Curve:
    """Return a curve over seconds whose last value holds until the moment that is shown.

    The pass of a run that waits or computes has not ended then. The curve of a run that failed
    ends where it failed.
    """
    if run.moment is None or not len(x) or run.moment <= x[-1] or run.status == RunStatus.FAILED:
        return x, y
    return np.append(x, run.moment), np.append(y, y[-1])


def mean_curve(
    curves: Sequence[tuple[ArrayLike, ArrayLike]],
    *,
    stepped: bool = False,
    points: int = MEAN_CURVE_POINTS,
) -> MeanCurve:
    """Return the mean of the curves over the range that all of them cover.

    `stepped`: a value holds until the next point; otherwise points are joined by straight lines.
    One curve alone is returned unchanged. Empty curves are left out.
    """
    arrays = [(np.asarray(x, dtype=float), np.asarray(y, dtype=float)) for x, y in curves]
    drawn = [(x, y) for x, y in arrays if len(x)]
    if not drawn:
        return MeanCurve(np.empty(0), np.empty(0), None)
    if len(drawn) == 1:
        return MeanCurve(*drawn[0], None)
    first, last = max(x[0] for x, _ in drawn), min(x[-1] for x, _ in drawn)
    grid = _grid(float(first), float(max(first, last)), points)
    table = np.array([_at(grid, x, y, stepped) for x, y in drawn])
    return MeanCurve(grid, table.mean(axis=0), standard_errors(table))


def _grid(first: float, last: float, points: int) -> Array:
    """Return multiples of a power of two between two ends, and the ends.

    As the runs grow the points stay, until the step doubles: a viewer has most of them already.
    """
    if last <= first:
        return np.array([first])
    step = 2.0 ** np.ceil(np.log2((last - first) / (points - 2)))
    inner = step * np.arange(np.floor(first / step) + 1, np.ceil(last / step))
    return np.concatenate([[first], inner, [last]])


def _at(grid: Array, x: Array, y: Array, stepped: bool) -> Array:
    if not stepped:
        return np.interp(grid, x, y)
    held: Array = y[np.searchsorted(x, grid, side="right").clip(1, len(y)) - 1]
    return held
