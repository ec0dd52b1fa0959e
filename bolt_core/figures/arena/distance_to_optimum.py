"""Distance of the queries to the moving optimum over time: for objectives of many dimensions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.distance_to_optimum import MEDIAN_QUERIES, distance_to_optimum
from bolt_core.analysis.lanes import lanes
from bolt_core.common.text import significant
from bolt_core.figures.shared.axes import race_layout
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.labels import End
from bolt_core.figures.shared.traces import lane_line
from bolt_core.runs.snapshot import RunSnapshot

HEIGHT = 250.0  # pixels between the axes, about


def distance_chart(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return one line per lane, of its first seed."""
    curves = [(lane, *distance_to_optimum(lane.runs[0])) for lane in lanes(snapshots)]
    curves = [(lane, t, distance) for lane, t, distance in curves if len(t)]
    if not curves:
        return text_chart("Waiting for queries after the warm-up and for a known optimum.")
    top = 1.06 * (max(float(np.max(distance)) for _, _, distance in curves) or 1.0)
    ends = [End(lane.key, lane.label, float(t[-1]), float(d[-1])) for lane, t, d in curves]
    layout = race_layout(snapshots, "seconds", ends, (0.0, top), HEIGHT)
    layout["yaxis"] = axis("distance to the optimum", range=[0.0, top])
    traces = [lane_line(lane, t, d, hover="%{y:.3~r}") for lane, t, d in curves]
    ends.sort(key=lambda end: (end.y, end.label))
    nearest = ", ".join(f"{end.label} {significant(end.y)}" for end in ends)
    several_seeds = len({run.config.seed for run in snapshots}) > 1
    return plot(
        traces,
        layout,
        f"Distance of the latest queries to the moving optimum, nearest first: {nearest}.",
        "Euclidean distance between query and moving optimum in the unit cube, median of the last "
        f"{MEDIAN_QUERIES} queries; lower is better.{' First seed only.' if several_seeds else ''}",
        "x",
    )
