"""The two curves of a race: what was lost so far, and how much is kept.

Plain dicts in plotly's schema. `meta` of a trace and `name` of an annotation carry the algorithm's
key, so that the component colours them for the theme of the day; `layout.meta` carries the
alternative text and the caption, which says what a band is. `times` tells a replay when each point
was there: "x" where x is the time, else the seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bolt_core.analysis.curves import point_times, size_curve
from bolt_core.analysis.downsample import POINTS_PER_TRACE, rounded, thin
from bolt_core.analysis.lanes import Lane, LaneCurves, lane_curves, lanes
from bolt_core.common.types import Array
from bolt_core.figures.arena import headline
from bolt_core.figures.arena.regret_statistics import (
    STATS,
    curve_of,
    in_words,
    times_at,
    upright,
    waiting,
)
from bolt_core.figures.shared.axes import frame
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.snapshot import RunSnapshot

FAINT = 300  # points for all seeds of a lane together, behind their mean
TALL, SHORT = 250.0, 160.0  # pixels between the axes, about; less on a phone


def average_regret(snapshots: Sequence[RunSnapshot], axis: str = "seconds") -> dict[str, Any]:
    """R_k / k without the warm-up, against time or against the number of queries."""
    return _regret_figure(snapshots, axis, "average", "linear")


def regret_curve(
    snapshots: Sequence[RunSnapshot],
    x: str = "seconds",
    stat: str = "average",
    scale: str = "linear",
) -> dict[str, Any]:
    """Average, instant or cumulative regret against seconds or iterations, on either scale."""
    if not any(len(run) and not run.columns["warmup"][-1] for run in snapshots):
        return {"kind": "text", "text": waiting(snapshots), "tone": "muted"}
    return _regret_figure(snapshots, x, stat, scale)


def _regret_figure(
    snapshots: Sequence[RunSnapshot], x: str, stat: str, scale: str
) -> dict[str, Any]:
    kind, logged = STATS[stat], scale == "log"
    curve = curve_of(kind, x)
    drawn = [
        (lane, lane_curves(lane, curve, stepped=kind.stepped, points=kind.points))
        for lane in lanes(snapshots)
    ]
    if kind.stepped:  # a band of spikes hides them, and on a log axis it reaches the bottom
        drawn = [(lane, replace(curves, error=None)) for lane, curves in drawn]
    span = upright(_heights(drawn), scale)
    spiky = {"line": {"width": 1}, "opacity": 0.6} if kind.stepped else {}
    traces, times = [], []
    for lane, curves in drawn:
        for trace in _lane_traces(lane, curves):
            own = spiky if trace["name"] == lane.label else {}
            traces.append((_floored(trace, 10.0 ** span[0]) if logged else trace) | own)
            times.append("x" if x == "seconds" else rounded(times_at(lane, trace["x"])))
    ends = [(lane, _logged(c, 10.0 ** span[0])) for lane, c in drawn] if logged else drawn
    layout = frame(snapshots, x, ends, span, pixels=TALL)
    layout["yaxis"] |= {"title": {"text": kind.title}, "tickformat": ","}
    if logged:
        layout["yaxis"] |= {"type": "log", "dtick": 1, "tickformat": "~g"}
    caption = f"{kind.reading}; {_subtitle(drawn)}; without warm-up."
    layout["meta"] = {"alt": in_words(stat, drawn), "caption": caption}
    return {"kind": "plot", "data": traces, "layout": layout, "times": times}


def dataset_size(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """|D| after each pass, and n* as a thin line where the algorithm has one."""
    drawn = [(lane, lane_curves(lane, size_curve, stepped=True)) for lane in lanes(snapshots)]
    own = [trace for lane, curves in drawn for trace in _lane_traces(lane, curves, "hv")]
    traces = [_emptied(trace) for trace in own]
    for lane in lanes(snapshots):
        traces += _recommended(lane)
    top = max((float(np.max(curves.mean)) for _, curves in drawn if len(curves.x)), default=10.0)
    logged = [(lane, _logged(curves)) for lane, curves in drawn]
    upright = (0.0, float(np.log10(1.6 * max(top, 2.0))))
    layout = frame(snapshots, "seconds", logged, upright, pixels=SHORT)
    layout["yaxis"] |= {
        "title": {"text": "observations kept"},
        "type": "log",
        "dtick": 1,
        "tickformat": ",",
    }
    thin_steps = "; thin steps: n*" * any(trace["name"].endswith(" n*") for trace in traces)
    layout["meta"] = {
        "alt": headline.sizes_in_words(snapshots),
        "caption": f"Observations kept, logarithmic; {_subtitle(drawn)}{thin_steps}.",
    }
    return {"kind": "plot", "data": traces, "layout": layout, "times": ["x"] * len(traces)}


def _lane_traces(lane: Lane, curves: LaneCurves, shape: str = "linear") -> list[dict[str, Any]]:
    """Members faint and first, then the band, then the line, then a cross where a run failed."""
    if not len(curves.x):
        return []
    traces = []
    if len(curves.members) > 1 and shape == "linear":  # sizes of seeds lie on top of each other
        traces.append(_members(lane, curves))
    if curves.error is not None:
        traces.append(_band(lane, curves))
    x, y = thin(curves.x, curves.mean)
    line = {
        "width": line_style(lane.key, lane.nth).width,
        "dash": line_style(lane.key, lane.nth).dash,
        "shape": shape,
    }
    style = {"name": lane.label, "line": line, "hovertemplate": "%{y:,.3~r}"}
    traces.append(_trace(lane, x, y) | style)
    if lane.failed:
        traces.append(_cross(lane, x[-1:], y[-1:]))
    return traces


def _members(lane: Lane, curves: LaneCurves) -> dict[str, Any]:
    """All seeds in one trace, with a gap between two."""
    share, gap = FAINT // len(curves.members) - 1, np.array([np.nan])
    parts = [thin(x, y, share) for x, y in curves.members]
    x = np.concatenate([piece for x, _ in parts for piece in (x, gap)])
    y = np.concatenate([piece for _, y in parts for piece in (y, gap)])
    faint = {"line": {"width": 1}, "opacity": 0.3, "hoverinfo": "skip"}
    return _trace(lane, x, y) | faint | {"name": f"{lane.label}, each seed"}


def _band(lane: Lane, curves: LaneCurves) -> dict[str, Any]:
    assert curves.error is not None
    x_up, up = thin(curves.x, curves.mean + curves.error, POINTS_PER_TRACE // 2)
    x_low, low = thin(curves.x, curves.mean - curves.error, POINTS_PER_TRACE // 2)
    edge = _trace(lane, np.append(x_up, x_low[::-1]), np.append(up, low[::-1]))
    name = f"{lane.label}: mean, \N{PLUS-MINUS SIGN}1 standard error"
    return edge | {"name": name, "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip"}


def _cross(lane: Lane, x: Array, y: Array) -> dict[str, Any]:
    marker = {"mode": "markers", "marker": {"symbol": "x", "size": 9}, "cliponaxis": False}
    return _trace(lane, x, y) | marker | {"name": f"{lane.label} failed", "hoverinfo": "name"}


def _recommended(lane: Lane) -> list[dict[str, Any]]:
    """n* of the first seed: one step line tells the story, ten would hide it."""
    run = lane.runs[0]
    known = np.isfinite(run.columns["n_star"])
    if not known.any():
        return []
    x, y = thin(point_times(run.columns)[known], run.columns["n_star"][known])
    line = {"line": {"width": 1, "shape": "hv"}, "hovertemplate": "%{y:,.0f}"}
    return [_trace(lane, x, y) | line | {"name": f"{lane.label} n*"}]


def _trace(lane: Lane, x: Array, y: Array) -> dict[str, Any]:
    return {"type": "scatter", "mode": "lines", "meta": lane.key, "x": rounded(x), "y": rounded(y)}


def _logged(curves: LaneCurves, least: float = 1.0) -> LaneCurves:
    """Where a curve ends on a log axis, which is all that its name needs."""
    end = np.log10(np.maximum(curves.mean[-1:], least))
    return LaneCurves(curves.members, curves.x[-1:], end, None)


def _floored(trace: dict[str, Any], least: float) -> dict[str, Any]:
    """Nothing has no logarithm: it lies at the bottom of the axis, not outside the chart."""
    return trace | {"y": [None if y is None else max(y, least) for y in trace["y"]]}


def _emptied(trace: dict[str, Any]) -> dict[str, Any]:
    """An empty D has no logarithm: drawn at the bottom, told as it is.

    Left to plotly, each reset would be a line a hundred times as long as the chart is high: dashed,
    they take the browser a twentieth of a second to draw.
    """
    if min([y for y in trace["y"] if y is not None], default=1.0) >= 1.0:
        return trace
    told = {"customdata": trace["y"], "hovertemplate": "%{customdata:,.3~r}"}
    return _floored(trace, 1.0) | told


def _heights(drawn: Sequence[tuple[Lane, LaneCurves]]) -> list[Array]:
    """Every curve, members too where they are not the mean itself."""
    means = [curves.mean for _, curves in drawn]
    several = [curves.members for _, curves in drawn if len(curves.members) > 1]
    return [*means, *(y for members in several for _, y in members)]


def _subtitle(drawn: Sequence[tuple[Lane, LaneCurves]]) -> str:
    """What line and band are, always."""
    seeds = max((len(curves.members) for _, curves in drawn), default=0)
    if any(curves.error is not None for _, curves in drawn):
        return f"mean, \N{PLUS-MINUS SIGN}1 standard error over {seeds} seeds"
    return f"mean over {seeds} seeds" if seeds > 1 else "one seed"
