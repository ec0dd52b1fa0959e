"""How far the queries are from the moving optimum, over time: for objectives nobody can draw.

    the median of |x_i - x*_i| over the last 15 queries, in the unit cube

A median, because one exploring query in ten is a spike on every curve and hides nine good ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import evenly_spaced_rows, rounded
from bolt_core.analysis.lanes import Lane, LaneCurves, lanes
from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.axes import frame
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.snapshot import RunSnapshot

WINDOW = 15  # queries of a median
POINTS = 300  # of a line: each an exact median
TALL = 250.0  # pixels between the axes, about


def distance_to_optimum(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """One line a lane, of its first seed."""
    drawn = [(lane, _curve(lane)) for lane in lanes(snapshots)]
    drawn = [(lane, curve) for lane, curve in drawn if len(curve.x)]
    if not drawn:
        text = "Waiting for queries after the warm-up, and for an optimum to compare them with."
        return {"kind": "text", "text": text, "tone": "muted"}
    top = max(float(np.max(curve.mean)) for _, curve in drawn) or 1.0
    layout = frame(snapshots, "seconds", drawn, (0.0, 1.06 * top), pixels=TALL)
    layout["yaxis"] |= {"title": {"text": "distance to the optimum"}}
    layout["meta"] = {"alt": _in_words(drawn), "caption": _caption(snapshots)}
    return {
        "kind": "plot",
        "data": [_line(lane, curve) for lane, curve in drawn],
        "layout": layout,
        "times": ["x"] * len(drawn),
    }


def _curve(lane: Lane) -> LaneCurves:
    columns = lane.runs[0].columns
    between = columns["x"] - columns["best_x"]
    apart = np.sqrt(np.einsum("ij,ij->i", between, between))
    known = (columns["warmup"] == 0) & np.isfinite(apart)
    t, apart = columns["t"][known], apart[known]
    rows = evenly_spaced_rows(len(t), POINTS)
    return LaneCurves((), t[rows], medians(apart, rows), None)


def medians(values: Array, rows: np.ndarray[Any, np.dtype[np.intp]]) -> Array:
    """At each of `rows` the median of the window that ends there; shorter at the beginning."""
    early = rows[rows < WINDOW - 1]
    first = [float(np.median(values[: row + 1])) for row in early]
    if len(early) == len(rows):
        return np.array(first)
    windows = np.lib.stride_tricks.sliding_window_view(values, WINDOW)
    return np.concatenate([first, np.median(windows[rows[len(early) :] - WINDOW + 1], axis=1)])


def _line(lane: Lane, curve: LaneCurves) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "meta": lane.key,
        "name": lane.label,
        "x": rounded(curve.x),
        "y": rounded(curve.mean),
        "line": {
            "width": line_style(lane.key, lane.nth).width,
            "dash": line_style(lane.key, lane.nth).dash,
        },
        "hovertemplate": "%{y:.3~r}",
    }


def _in_words(drawn: Sequence[tuple[Lane, LaneCurves]]) -> str:
    last = sorted((float(curve.mean[-1]), lane.label) for lane, curve in drawn)
    told = ", ".join(f"{label} {significant(distance)}" for distance, label in last)
    return f"Distance of the latest queries to the moving optimum, nearest first: {told}."


def _caption(snapshots: Sequence[RunSnapshot]) -> str:
    seeds = len({run.config.seed for run in snapshots})
    first = " First seed of each." if seeds > 1 else ""
    return (
        f"Euclidean distance between query and moving optimum in the unit cube, median of the last "
        f"{WINDOW} queries; lower is better.{first}"
    )
