"""The three statistics of regret a chart may show, with their names and what they say.

None is smoothed. Each leaves the warm-up out, as the headline number does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.analysis import regret
from bolt_core.analysis.curves import MEAN_CURVE_POINTS, point_times, regret_curve
from bolt_core.analysis.lanes import CurveOfRun, Lane, LaneCurves
from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.figures.arena.headline import reached, regret_in_words
from bolt_core.runs.snapshot import Columns, RunSnapshot

DECADES = 6  # of a log axis, at most: what is lower lies at the bottom
SPIKES = 2000  # points of a mean whose spikes matter, before thinning


@dataclass(frozen=True, slots=True)
class Stat:
    """One way to look at r_1 .. r_k."""

    title: str
    column: Callable[[Columns], Array]
    reading: str  # what stands under the chart
    stepped: bool = False  # holds until the next query
    points: int = MEAN_CURVE_POINTS


STATS: Mapping[str, Stat] = {
    "average": Stat("average regret", regret.running_average, "Lower is better"),
    "instant": Stat(
        "instant regret",
        regret.instant,
        "Lost by each single query; nothing is smoothed",
        stepped=True,
        points=SPIKES,
    ),
    "cumulative": Stat(
        "cumulative regret",
        regret.cumulative,
        "Everything lost so far: who asks more often adds more terms",
    ),
}


def curve_of(stat: Stat, axis: str) -> CurveOfRun:
    """Return a function from a run to its curve, over seconds or over queries."""

    def curve(run: RunSnapshot) -> tuple[Array, Array]:
        x, y = regret_curve(run, stat.column)
        return (x if axis == "seconds" else run.columns["i"][run.columns["warmup"] == 0] + 1), y

    return curve


def times_at(lane: Lane, queries: Sequence[float | None]) -> Array:
    """By what time all seeds of a lane had made so many queries. None becomes NaN."""
    x = np.array(queries, dtype=float)
    long = [run for run in lane.runs if len(run)]
    found = [np.interp(x, run.columns["i"] + 1, point_times(run.columns)) for run in long]
    return np.asarray(np.max(found, axis=0))


def in_words(stat: str, drawn: Sequence[tuple[Lane, LaneCurves]]) -> str:
    """Who leads, and with what: the alternative text."""
    runs = [run for lane, _ in drawn for run in lane.runs]
    if stat == "average":
        return regret_in_words(runs)
    rows = [(float(c.mean[-1]), lane) for lane, c in drawn if len(c.x) and np.isfinite(c.mean[-1])]
    title = STATS[stat].title.capitalize()
    if not rows:
        return f"{title}: no query after the warm-up yet."
    rows.sort(key=lambda row: (row[1].failed, row[0]))
    told = [f"{lane.label} {significant(y)}{' (failed)' * lane.failed}" for y, lane in rows]
    what = "of the newest query" if stat == "instant" else "in all"
    return f"{title} {what} after {reached(runs):.0f} s, lower is better: {', '.join(told)}."


def waiting(snapshots: Sequence[RunSnapshot]) -> str:
    """What stands in the chart's place before there is a query that counts."""
    made = min((len(run) for run in snapshots), default=0)
    if not snapshots or not made:
        return "Waiting for the first query."
    warmup = snapshots[0].config.warmup
    return f"Regret counts after {warmup} random warm-up queries; {min(made, warmup)} made so far."


def upright(curves: Sequence[Array], scale: str) -> tuple[float, float]:
    """The range of y in axis units: logarithms on a log axis."""
    top = max((_largest(y) for y in curves), default=0.0) or 1.0
    if scale != "log":
        low = min((-_largest(-y) for y in curves), default=0.0)
        return 1.06 * min(low, 0.0), 1.06 * top
    high = math.log10(top) + 0.08
    low = min((float(np.min(y, where=y > 0.0, initial=np.inf)) for y in curves), default=np.inf)
    bottom = math.log10(low) - 0.05 if low < np.inf else high - 1.0
    return max(min(bottom, high - 0.5), high - DECADES), high


def _largest(y: Array) -> float:
    """Of what is finite, or zero."""
    return float(np.max(y, where=np.isfinite(y), initial=0.0))
