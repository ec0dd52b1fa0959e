"""What surrounds the curves of a race: axes, the warm-up band, names at the line ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.lanes import Lane, LaneCurves
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.runs.snapshot import RunSnapshot

WIDE = 0.12  # of the axis: a warm-up band of this width has room for its name
AXES = {"seconds": "time (s)", "iterations": "queries"}


def frame(
    snapshots: Sequence[RunSnapshot],
    axis: str,
    drawn: Sequence[tuple[Lane, LaneCurves]],
    upright: tuple[float, float],
    *,
    pixels: float,
) -> dict[str, Any]:
    """The layout; `upright` is the range of y in axis units, `pixels` its length, about."""
    ends = [
        End(lane.key, lane.label, float(c.x[-1]), float(c.mean[-1]))
        for lane, c in drawn
        if len(c.x) and np.isfinite(c.mean[-1])
    ]
    right = across(snapshots, axis)
    shapes, names = _warmup(snapshots, axis, right)
    return {
        "xaxis": {"title": {"text": AXES[axis]}, "range": [0.0, right]},
        "yaxis": {"range": list(upright)},
        "shapes": shapes,
        "annotations": [*end_labels(ends, upright, pixels, right), *names],
        "margin": {"l": 8, "r": margin(ends), "t": 8, "b": 8},
    }


def across(snapshots: Sequence[RunSnapshot], axis: str) -> float:
    """Return the right end: the horizon while a run is on its way there, else the last end.

    The last pass of a run may end after the horizon; its point is still on the axis.
    """
    if axis == "iterations":
        return float(max((len(run) for run in snapshots), default=1) or 1)
    ended = all(run.status.ended for run in snapshots)
    horizons = [float((run.header or {}).get("horizon", 0.0)) for run in snapshots]
    horizon = max(horizons, default=0.0)
    last_end = max((RunOutcome(run).end_time or 0.0 for run in snapshots), default=0.0)
    stopped_short = ended and last_end < 0.9 * horizon
    return (last_end if stopped_short else max(horizon, last_end)) or 1.0


def _warmup(
    snapshots: Sequence[RunSnapshot], axis: str, across: float
) -> tuple[list[Any], list[Any]]:
    """A pale band over the queries that were random for everybody."""
    ends = [_warm_end(run, axis) for run in snapshots if len(run)]
    if not ends:
        return [], []
    band = {
        "name": "warm-up",
        "type": "rect",
        "layer": "below",
        "x0": 0.0,
        "x1": max(ends),
        "yref": "paper",
        "y0": 0.0,
        "y1": 1.0,
        "line": {"width": 0},
    }
    text = {
        "name": "warm-up",
        "text": f"{snapshots[0].config.warmup} random queries",
        "showarrow": False,
        "x": 0.0,
        "xanchor": "left",
        "xshift": 4,
        "yref": "paper",
        "y": 1.0,
        "yanchor": "top",
    }
    return [band], [text] if max(ends) > WIDE * across else []


def _warm_end(run: RunSnapshot, axis: str) -> float:
    warm = int(np.sum(run.columns["warmup"]))
    if axis == "iterations":
        return float(warm)
    return float(np.sum(run.columns["seconds"][:warm]))
