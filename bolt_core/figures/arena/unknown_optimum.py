"""Measurements over time, for a user's own problem: its optimum is unknown, so it has no regret."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import thin
from bolt_core.analysis.lanes import lanes
from bolt_core.common.text import display_name, significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import axis, margins, plot, text_chart
from bolt_core.figures.shared.traces import dots
from bolt_core.runs.snapshot import RunSnapshot


def unknown_optimum(snapshots: Sequence[RunSnapshot]) -> bool:
    """Return whether there are queries and none of them has a regret."""
    started = [run for run in snapshots if len(run)]
    return bool(started) and not any(np.isfinite(run.columns["best"]).any() for run in started)


def measurements(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return y against time in the user's units, of each lane's first seed, warm-up included."""
    series = [(lane, *_measured(lane.runs[0])) for lane in lanes(snapshots) if len(lane.runs[0])]
    if not series:
        return text_chart("Nothing has been measured yet.")
    look: dict[str, Any] = {"size": 5, "hover": "%{y:,.4~r}"}
    traces = [dots(*thin(t, y), lane.label, key=lane.key, **look) for lane, t, y in series]
    problem = display_name(str((snapshots[0].header or {}).get("label") or "your problem"))
    newest = "; ".join(f"{lane.label} {significant(float(y[-1]))}" for lane, _, y in series)
    return plot(
        traces,
        {"xaxis": axis("time (s)"), "yaxis": axis("y"), "margin": margins(right=8, top=8)},
        f"Measurements of {problem}, newest value: {newest}.",
        "One dot per query. The moving optimum of your own problem is unknown, so there is no "
        "regret to draw.",
        "x",
    )


def _measured(run: RunSnapshot) -> tuple[Array, Array]:
    """Return times and values as the user gave them, without failed measurements."""
    failed = np.array(["failed" in notes for notes in run.columns.notes[: len(run)]], bool)
    sign = -1.0 if (run.header or {}).get("minimize") else 1.0
    return run.columns["t"][~failed], sign * run.columns["y"][~failed]
