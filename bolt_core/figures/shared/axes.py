"""The layout of charts of a race: x axis, the warm-up band, names at the line ends."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.lanes import Lane, LaneCurves
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.analysis.speed_changes import speed_changes
from bolt_core.common.devices import speed_label
from bolt_core.figures.shared.chart_dicts import axis, note, shaded, time_axis
from bolt_core.figures.shared.labels import LINE_HEIGHT, End, Span, labelled_ends
from bolt_core.figures.shared.traces import Trace, line, stems
from bolt_core.runs.snapshot import RunSnapshot

SPEED_NOTE_WIDTH = 0.34  # of the x axis: the text at a change of speed, on a phone
MIN_NAMED_BAND = 0.12  # of the x axis: a narrower warm-up band has no room for its name

LaneCurve = tuple[Lane, LaneCurves]


def race_layout(
    snapshots: Sequence[RunSnapshot], x_axis: str, ends: Sequence[End], y_span: Span, height: float
) -> dict[str, Any]:
    """Return a layout without its y axis; `y_span` is in axis units, `height` in pixels."""
    right = x_end(snapshots, x_axis)
    layout = labelled_ends(ends, y_span, height, right)
    warmup_end = max((_warmup_end(run, x_axis) for run in snapshots if len(run)), default=None)
    if warmup_end is not None:
        layout["shapes"] = [shaded(0.0, warmup_end, name="warm-up")]
    if warmup_end is not None and warmup_end > MIN_NAMED_BAND * right:
        text = f"{snapshots[0].config.warmup} random queries"
        top_left = {"xanchor": "left", "xshift": 4, "yref": "paper", "yanchor": "top"}
        layout["annotations"].append(note(text, 0.0, 1.0, name="warm-up", **top_left))
    if x_axis == "seconds":
        layout["annotations"].extend(speed_notes(snapshots, right, below=_named_band(layout)))
    if x_axis == "iterations":
        return layout | {"xaxis": axis("queries", range=[0.0, right])}
    return layout | {"xaxis": time_axis(right)}


def speed_lines(snapshots: Sequence[RunSnapshot], low: float, high: float) -> list[Trace]:
    """Return a dashed line over a time axis at each change of the device's speed."""
    return [
        line(
            *stems(np.array([change.t]), low, high),
            f"optimizer {change}",
            width=1.5,
            dash="dash",
            hover=f"optimizer {change}<extra></extra>",
        )
        for change in speed_changes(snapshots)
    ]


def speed_notes(
    snapshots: Sequence[RunSnapshot], right: float, *, below: int = 0
) -> list[dict[str, Any]]:
    """Return the texts that name `speed_lines`, at the top of a plot whose x axis ends at `right`.

    A text that would overlap an earlier one on a phone is one line lower; `below` lines are taken
    by other texts. Near the right end of the axis a text is left of its line.
    """
    width = SPEED_NOTE_WIDTH * right
    ends: list[float] = []  # of the last text in each line, on the x axis
    notes = []
    for change in sorted(speed_changes(snapshots), key=lambda change: change.t):
        inward = change.t + width > right
        start = change.t - width if inward else change.t
        free = (level for level, end in enumerate(ends) if end <= start)
        level = next(free, len(ends))
        ends[level : level + 1] = [start + width]
        side = {"xanchor": "right", "xshift": -3} if inward else {"xanchor": "left", "xshift": 3}
        place = {"yref": "paper", "yanchor": "top", "yshift": -LINE_HEIGHT * (level + below)}
        text = speed_label(change.factor)
        notes.append(note(text, change.t, 1.0, name="speed", **side, **place))
    return notes


def curve_ends(drawn: Sequence[LaneCurve], *, log_floor: float | None = None) -> list[End]:
    """Return where the mean curves end; on a log axis, whose lowest value is `log_floor`."""
    ends = []
    for lane, curve in drawn:
        if len(curve.x) and np.isfinite(y := float(curve.mean[-1])):
            height = y if log_floor is None else math.log10(max(y, log_floor))
            ends.append(End(lane.key, lane.label, float(curve.x[-1]), height))
    return ends


def x_end(snapshots: Sequence[RunSnapshot], x_axis: str) -> float:
    """Return the end of the x axis: the horizon, or the last pass if all runs stopped early.

    The last pass of a run may end after the horizon; its point is still on the axis.
    """
    if x_axis == "iterations":
        return float(max((len(run) for run in snapshots), default=1) or 1)
    horizon = max((float((run.header or {}).get("horizon", 0.0)) for run in snapshots), default=0.0)
    ends = [run.moment or 0.0 for run in snapshots]
    last = max([RunOutcome(run).end_time or 0.0 for run in snapshots] + ends, default=0.0)
    stopped_early = all(run.status.ended for run in snapshots) and last < 0.9 * horizon
    return (last if stopped_early else max(horizon, last)) or 1.0


def _named_band(layout: Mapping[str, Any]) -> int:
    """Return 1 if the warm-up band has its name, which is in the first line of the plot."""
    return int(any(text.get("name") == "warm-up" for text in layout["annotations"]))


def _warmup_end(run: RunSnapshot, x_axis: str) -> float:
    if x_axis == "iterations":
        return float(np.sum(run.columns["warmup"]))
    return RunOutcome(run).warmup_end
