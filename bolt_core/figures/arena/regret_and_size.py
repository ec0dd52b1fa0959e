"""The two curves of a race: regret, and the number of observations kept.

Both are over time, or regret over queries. `meta` of a trace and `name` of an annotation hold the
algorithm's key, by which the browser colours them for its theme.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from bolt_core.analysis.curves import MEAN_CURVE_POINTS, held_to_moment, point_times, size_curve
from bolt_core.analysis.downsample import rounded, thin
from bolt_core.analysis.lanes import Lane, LaneCurves, lane_curves, lanes
from bolt_core.analysis.regret_curves import query_times
from bolt_core.analysis.regret_curves import regret_curve as curve_of_run
from bolt_core.common.text import seed_counts
from bolt_core.common.types import Array
from bolt_core.figures.arena.headline import dataset_sizes, ranking, reached, regret_ranking
from bolt_core.figures.arena.unbound_size import why_unbound
from bolt_core.figures.arena.unknown_optimum import measurements, unknown_optimum
from bolt_core.figures.shared.axes import LaneCurve, curve_ends, race_layout, speed_lines
from bolt_core.figures.shared.chart_dicts import axis, log_axis, plot, text_chart
from bolt_core.figures.shared.labels import Span
from bolt_core.figures.shared.traces import Trace, band, dots, joined, lane_line, line, steps
from bolt_core.runs.snapshot import RunSnapshot

SEED_POINTS = 300  # for all seeds of a lane together, behind their mean
REGRET_HEIGHT, SIZE_HEIGHT = 250.0, 160.0  # pixels between the axes, about; less on a phone
MAX_DECADES = 6  # of a log axis: lower values lie at its bottom


@dataclass(frozen=True, slots=True)
class Statistic:
    """How a statistic of regret is drawn and described."""

    title: str
    caption: str
    newest: str = ""  # what the end of its curve is
    stepped: bool = False  # holds until the next query
    points: int = MEAN_CURVE_POINTS  # of a mean curve over seeds


STATISTICS: Mapping[str, Statistic] = {
    "average": Statistic("average regret", "Lower is better"),
    "instant": Statistic(
        "instant regret",
        "Regret of each single query, not smoothed",
        "of the newest query",
        stepped=True,
        points=2000,  # so that no spike is lost
    ),
    "cumulative": Statistic(
        "cumulative regret",
        "Sum of the regret of all queries so far, so more queries add more terms",
        "in total",
    ),
}


def regret_curve(
    snapshots: Sequence[RunSnapshot],
    x: str = "seconds",
    stat: str = "average",
    scale: str = "linear",
) -> dict[str, Any]:
    """Return average, instant or cumulative regret against "seconds" or "iterations".

    Where the optimum is unknown there is no regret: the measurements are drawn in its place.
    """
    if unknown_optimum(snapshots):
        return measurements(snapshots)
    if not any(len(run) and not run.columns["warmup"][-1] for run in snapshots):
        return text_chart(_waiting(snapshots))
    statistic, log = STATISTICS[stat], scale == "log"
    rule: dict[str, Any] = {"stepped": statistic.stepped, "points": statistic.points}
    of_run = partial(curve_of_run, statistic=stat, x_axis=x)
    curves = [(lane, lane_curves(lane, of_run, **rule)) for lane in lanes(snapshots)]
    if statistic.stepped:  # a band of spikes hides them, and on a log axis it reaches the bottom
        curves = [(lane, replace(curve, error=None)) for lane, curve in curves]
    span = _y_span(curves, log=log)
    floor = 10.0 ** span[0] if log else None
    drawn = []
    for lane, curve in curves:
        for trace in _lane_traces(lane, curve, thin_line=statistic.stepped):
            times = "x" if x == "seconds" else rounded(query_times(lane, trace["x"]))
            drawn.append((_raised(trace, floor), times))
    if x == "seconds":
        low, high = (10.0 ** span[0], 10.0 ** span[1]) if log else span
        drawn += [(mark, "x") for mark in speed_lines(snapshots, low, high)]
    layout = race_layout(snapshots, x, curve_ends(curves, log_floor=floor), span, REGRET_HEIGHT)
    if log:
        layout["yaxis"] = log_axis(statistic.title, span, dtick=1, tickformat="~g")
    else:
        layout["yaxis"] = axis(statistic.title, range=list(span), tickformat=",")
    caption = f"{statistic.caption}; {_seeds(curves)}; without warm-up."
    return plot(drawn, layout, _regret_text(stat, curves), caption)


def dataset_size(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return |D| after each pass, and n* as a thin line where the algorithm has one."""
    curves = [(lane, lane_curves(lane, size_curve, stepped=True)) for lane in lanes(snapshots)]
    traces = [
        _with_true_size(trace)
        for lane, curve in curves
        for trace in _lane_traces(lane, curve, shape="hv")
    ]
    if not traces:
        return text_chart("Waiting for the first query.")
    recommended = [trace for lane, _ in curves for trace in _recommended(lane)]
    top = max((float(np.max(curve.mean)) for _, curve in curves if len(curve.x)), default=10.0)
    span = 0.0, math.log10(1.6 * max(top, 2.0))
    layout = race_layout(snapshots, "seconds", curve_ends(curves, log_floor=1.0), span, SIZE_HEIGHT)
    layout["yaxis"] = log_axis("observations kept", span, dtick=1, tickformat=",")
    thin_lines = "; thin line: recommended size n*" if recommended else ""
    caption = f"Observations kept, log scale; {_seeds(curves)}{thin_lines}."
    caption += "".join(f" {lane.label}: {why}" for lane, _ in curves if (why := why_unbound(lane)))
    marks = speed_lines(snapshots, 1.0, 10.0 ** span[1])
    return plot([*traces, *recommended, *marks], layout, dataset_sizes(snapshots), caption, "x")


def _lane_traces(
    lane: Lane, curve: LaneCurves, *, shape: str = "linear", thin_line: bool = False
) -> list[Trace]:
    """Return the seeds, the band of the mean, the mean, and a cross where the lane failed."""
    if not len(curve.x):
        return []
    traces = []
    if len(curve.members) > 1 and shape == "linear":  # sizes of seeds lie on top of each other
        points = SEED_POINTS // len(curve.members) - 1
        x, y = joined(thin(x, y, points) for x, y in curve.members)
        name = f"{lane.label}, each seed"
        traces.append(line(x, y, name, key=lane.key, width=1, opacity=0.3, hover="skip"))
    if curve.error is not None:
        name = f"{lane.label}: mean, \N{PLUS-MINUS SIGN}1 standard error"
        low, high = curve.mean - curve.error, curve.mean + curve.error
        traces.append(band(curve.x, low, high, name, key=lane.key))
    mean = lane_line(lane, curve.x, curve.mean, shape=shape, hover="%{y:,.3~r}")
    traces.append(mean | ({"line": {"width": 1}, "opacity": 0.6} if thin_line else {}))
    if lane.failed:
        cross: dict[str, Any] = {"symbol": "x", "size": 9, "cliponaxis": False, "hover": "name"}
        last = curve.x[-1:], curve.mean[-1:]
        traces.append(dots(*last, f"{lane.label} failed", key=lane.key, **cross))
    return traces


def _recommended(lane: Lane) -> list[Trace]:
    """Return n* of the first seed; the lines of several seeds would hide each other."""
    run = lane.runs[0]
    limited = np.isfinite(run.columns["n_star"])
    if not limited.any():
        return []
    n_star = run.columns["n_star"][limited]
    x, y = thin(*held_to_moment(run, point_times(run.columns)[limited], n_star))
    return [steps(x, y, f"{lane.label} n*", key=lane.key, width=1, hover="%{y:,.0f}")]


def _raised(trace: Trace, floor: float | None) -> Trace:
    """Return the trace with values below the bottom of a log axis, such as 0, at its bottom."""
    if floor is None:
        return trace
    return trace | {"y": [None if y is None else max(y, floor) for y in trace["y"]]}


def _with_true_size(trace: Trace) -> Trace:
    """Return the trace with an empty dataset drawn at the bottom, but 0 in its hover text.

    Plotly would draw each reset as a line a hundred times as long as the chart is high; dashed,
    these take the browser 50 ms.
    """
    if min((y for y in trace["y"] if y is not None), default=1.0) >= 1.0:
        return trace
    hover = {"customdata": trace["y"], "hovertemplate": "%{customdata:,.3~r}"}
    return _raised(trace, 1.0) | hover


def _y_span(curves: Sequence[LaneCurve], *, log: bool) -> Span:
    """Return the range of y in axis units: all means, and all seeds where there are several."""
    heights = [curve.mean for _, curve in curves]
    several = [curve.members for _, curve in curves if len(curve.members) > 1]
    heights += [y for members in several for _, y in members]
    top = max((_largest(y) for y in heights), default=0.0) or 1.0
    if not log:
        low = min((-_largest(-y) for y in heights), default=0.0)
        return 1.06 * min(low, 0.0), 1.06 * top
    high = math.log10(top) + 0.08
    least = min((float(np.min(y, where=y > 0.0, initial=np.inf)) for y in heights), default=np.inf)
    bottom = math.log10(least) - 0.05 if least < np.inf else high - 1.0
    return max(min(bottom, high - 0.5), high - MAX_DECADES), high


def _largest(y: Array) -> float:
    """Return the largest finite value, or 0."""
    return float(np.max(y, where=np.isfinite(y), initial=0.0))


def _regret_text(stat: str, curves: Sequence[LaneCurve]) -> str:
    """Return the alternative text: the end of each curve, lowest first."""
    runs = [run for lane, _ in curves for run in lane.runs]
    if stat == "average":
        return regret_ranking(runs)
    ends = {end.label: end.y for end in curve_ends(curves)}
    rows = [(lane.label, ends[lane.label], lane.failed) for lane, _ in curves if lane.label in ends]
    rows.sort(key=lambda row: (row[2], row[1]))
    statistic = STATISTICS[stat]
    return ranking(f"{statistic.title.capitalize()} {statistic.newest}", rows, reached(runs))


def _waiting(snapshots: Sequence[RunSnapshot]) -> str:
    made = min((len(run) for run in snapshots), default=0)
    if not made:
        return "Waiting for the first query."
    warmup = snapshots[0].config.warmup
    return f"Regret counts after {warmup} random warm-up queries; {min(made, warmup)} made so far."


def _seeds(curves: Sequence[LaneCurve]) -> str:
    """Return what line and band show."""
    drawn = [min(len(curve.members), len(lane.counted_runs)) for lane, curve in curves]
    seeds = seed_counts([count for count in drawn if count] or [1])
    if any(curve.error is not None for _, curve in curves):
        return f"mean, \N{PLUS-MINUS SIGN}1 standard error over {seeds}"
    return f"mean over {seeds}" if max(drawn, default=1) > 1 else seeds
