"""The axes of a campaign's charts: ranges, ticks, and the names at the ends of lines."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bolt_core.figures.shared.chart_dicts import axis, log_axis, margins
from bolt_core.figures.shared.labels import End, end_labels, margin, nudges, point_labels
from bolt_core.figures.shared.traces import Trace

PLOT_HEIGHT = 250.0  # pixels between the axes, about
MAX_END_LABELS = 12
LOG_RATIO = 12.0  # largest / smallest value above which a vertical axis is logarithmic
MIN_DECADES = 0.8  # width of a logarithmic time axis, so that small differences look small
BESIDE_POINT_PIXELS = 12  # from the middle of a point to its name
POINT_DECADES = 0.1  # of a logarithmic axis: room for the first and the last point
NAME_SHARE = 0.16  # of the width: a name beside its point
EARLY_SHARE = 0.1  # of the time: regret jumps at first, and does not decide about the axis


@dataclass(frozen=True, slots=True)
class Vertical:
    """A vertical axis: whether it is logarithmic, and its range, then in powers of ten."""

    log: bool
    range: tuple[float, float]

    def axis(self, title: str) -> dict[str, Any]:
        """Return the axis in plotly's schema."""
        if self.log:
            return log_axis(title, self.range)
        return axis(title, range=list(self.range), tickformat=",")

    def at(self, value: float) -> float:
        """Return a value in the units of the axis."""
        return math.log10(value) if self.log and value > 0 else value


def time_layout(title: str, ends: Sequence[End], vertical: Vertical) -> dict[str, Any]:
    """Return axes for lines over time, named at their ends."""
    right = max(end.x for end in ends)
    placed = [replace(end, y=vertical.at(end.y)) for end in ends]
    labels = end_labels(placed, vertical.range, PLOT_HEIGHT, right, crowd=MAX_END_LABELS)
    return {
        "xaxis": axis("time (s)", range=[0.0, right]),
        "yaxis": vertical.axis(title),
        "annotations": labels,
        "margin": margins(right=margin(ends), top=8),
    }


def log_lines_layout(
    x_title: str, y_title: str, drawn: Sequence[Trace], ends: Sequence[End], *, log: bool = False
) -> dict[str, Any]:
    """Return axes for lines over a logarithmic horizontal axis, named at their ends."""
    values = [math.log10(value) for trace in drawn for value in trace["x"]]
    vertical = vertical_axis(drawn, log=log)
    placed = [replace(end, x=math.log10(end.x), y=vertical.at(end.y)) for end in ends]
    left, right = min(values) - POINT_DECADES, max(values) + POINT_DECADES
    labels = end_labels(
        placed, vertical.range, PLOT_HEIGHT, right - left,
        beside=BESIDE_POINT_PIXELS, crowd=MAX_END_LABELS,
    )  # fmt: skip
    return {
        "xaxis": log_axis(x_title, (left, right)),
        "yaxis": vertical.axis(y_title),
        "annotations": labels,
        "margin": margins(right=margin(ends), top=8),
    }


def log_layout(
    x_title: str, y_title: str, drawn: Sequence[Trace], ends: Sequence[End]
) -> dict[str, Any]:
    """Return axes for points over a logarithmic horizontal axis, with their names."""
    values = [value for trace in drawn for value in trace["x"]]
    low, high = math.log10(min(values)), math.log10(max(values))
    room = max(MIN_DECADES - (high - low), 0.0) / 2 + 0.06
    name_room = NAME_SHARE * (high - low + 2 * room)  # a name may stand to the left of its point
    across, vertical = (low - max(room, name_room), high + room), vertical_axis(drawn)
    placed = [replace(end, x=math.log10(end.x), y=vertical.at(end.y)) for end in ends]
    labels = point_labels(placed, across, vertical.range, PLOT_HEIGHT)
    left = [label for label in labels if label["xanchor"] == "right"]
    bottom, top = vertical.range
    pixels = [(label["y"] - bottom) / (top - bottom) * PLOT_HEIGHT for label in left]
    for label, shift in zip(left, nudges(pixels, PLOT_HEIGHT), strict=True):
        label["yshift"] = round(shift, 1)  # equal points have names on the same side
    return {
        "xaxis": log_axis(x_title, across),
        "yaxis": vertical.axis(y_title),
        "annotations": labels,
        "margin": margins(right=margin(ends), top=8),
    }


def vertical_axis(
    drawn: Sequence[Trace], *, log: bool = False, over_time: bool = False
) -> Vertical:
    """Return an axis for values and error bars; logarithmic if wanted, or if they differ by far.

    Of curves over time, the beginning is not considered for the lower end.
    """
    points = np.hstack([np.array([trace["x"], trace["y"]], dtype=float) for trace in drawn])
    x, values = points[:, np.isfinite(points[1])]  # a gap is NaN in both
    late = values[x > EARLY_SHARE * x.max()] if over_time and x.any() else values
    positive = late[late > 0]
    log = len(positive) > 0 and (log or positive.max() > LOG_RATIO * positive.min())
    low = min(0.0, float(values.min()))
    ends = [end for trace in drawn for end in _ends_of_bars(trace)]
    high = max([float(values.max()), *ends])
    if log:
        lowest = min([float(positive.min()), *(end for end in ends if end > 0.0)])
        low, high = math.log10(lowest), math.log10(high)
    room = 0.05 * ((high - low) or 1.0)
    return Vertical(log, (low - room if log or low < 0 else low, high + room))


def _ends_of_bars(trace: Trace) -> list[float]:
    """Return the lower and upper ends of the error bars of a trace."""
    errors = trace.get("error_y", {}).get("array", ())
    return [y + side * e for y, e in zip(trace["y"], errors, strict=False) for side in (-1, 1)]
