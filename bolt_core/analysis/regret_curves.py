"""Curves of one run for charts: regret over time or queries, regret over response time."""

from collections.abc import Sequence

import numpy as np

from bolt_core.analysis import curves, regret
from bolt_core.analysis.downsample import evenly_spaced_rows
from bolt_core.analysis.lanes import Lane
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot

STATISTICS = {
    "average": regret.running_average,
    "instant": regret.instant,
    "cumulative": regret.cumulative,
}
UNSTEADY_PASSES = 5  # the first ones: their means still jump
TRAIL_POINTS = 60


def regret_curve(run: RunSnapshot, statistic: str, x_axis: str) -> tuple[Array, Array]:
    """Return x ("seconds" or "iterations") and a statistic of regret, without the warm-up.

    Over seconds, the curve reaches the moment at which the run is shown.
    """
    seconds, y = curves.regret_curve(run, STATISTICS[statistic])
    if x_axis == "seconds":
        return curves.held_to_moment(run, seconds, y)
    return run.columns["i"][run.columns["warmup"] == 0] + 1, y


def query_times(lane: Lane, queries: Sequence[float | None]) -> Array:
    """Return when all seeds of a lane had made so many queries, in seconds; None becomes NaN."""
    counts = np.array(queries, dtype=float)
    runs = [run for run in lane.runs if len(run)]
    times = [
        np.interp(counts, run.columns["i"] + 1, curves.point_times(run.columns)) for run in runs
    ]
    return np.asarray(np.max(times, axis=0))


def response_and_regret(run: RunSnapshot) -> tuple[Array, Array] | None:
    """Return the mean response time so far and the average regret so far, at some of the passes.

    None while there are too few passes after the warm-up.
    """
    average = regret.running_average(run.columns)
    if len(average) < UNSTEADY_PASSES + 2:
        return None
    rows = UNSTEADY_PASSES + evenly_spaced_rows(len(average) - UNSTEADY_PASSES, TRAIL_POINTS)
    total = np.cumsum(run.columns["seconds"][run.columns["warmup"] == 0])
    return (total / np.arange(1, len(average) + 1))[rows], average[rows]
