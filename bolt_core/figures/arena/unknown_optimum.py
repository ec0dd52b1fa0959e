"""Measurements over time, for a user's own problem: its optimum is unknown, so it has no regret."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import thin
from bolt_core.analysis.lanes import lanes
from bolt_core.common.text import clock_time, counted, significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import axis, margins, plot, text_chart
from bolt_core.figures.shared.own_problem import own_problem_name, own_ticks
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import dots
from bolt_core.runs.own_problem import own_y
from bolt_core.runs.snapshot import RunSnapshot

RECENT_QUERIES = 30  # that are drawn


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
    traces = [
        dots(
            *thin(t, y),
            lane.label,
            key=lane.key,
            symbol=line_style(lane.key, lane.nth).symbol,
            **look,
        )
        for lane, t, y in series
    ]
    problem = own_problem_name(snapshots[0])
    newest = "; ".join(f"{lane.label} {significant(float(y[-1]))}" for lane, _, y in series)
    return plot(
        traces,
        {"xaxis": axis("time (s)"), "yaxis": axis("y"), "margin": margins(right=8, top=8)},
        f"Measurements of {problem}, newest value: {newest}.",
        "One dot per query. The moving optimum of your own problem is unknown, so there is no "
        "regret to draw.",
        "x",
    )


def own_queries(run: RunSnapshot) -> dict[str, Any]:
    """Return the latest queries of one run in the user's units; y against x if x is a number."""
    dimension = run.columns["x"].shape[1]
    if dimension > 2:
        return text_chart(
            f"Your own problem has {dimension} inputs and no known optimum, so there is no "
            "landscape to draw. Its queries are in the CSV file under Export."
        )
    name = own_problem_name(run)
    x = run.columns["x"][~np.isnan(own_y(run))][-RECENT_QUERIES:]
    values = _measured(run)[1][-RECENT_QUERIES:] if dimension == 1 else x[:, 1]
    shown = len(x)
    look: dict[str, Any] = {"size": [6] * (shown - 1) + [11], "hover": "skip"}
    trace = dots(x[:, 0], values, name, key=run.config.algorithm, **look)
    vertical = axis("y") if dimension == 1 else axis("x<sub>2</sub>", **_side(run, 1))
    first = axis("x" if dimension == 1 else "x<sub>1</sub>", **_side(run, 0))
    return plot(
        [trace],
        {"xaxis": first, "yaxis": vertical, "margin": margins(top=8), "hovermode": "closest"},
        f"The last {shown} queries of {name}, in its own units.",
        f"The last {shown} queries of {name}, in its own units; the newest is largest. The "
        "objective itself is unknown.",
    )


def own_headline(run: RunSnapshot) -> str:
    """Return how much has been measured of the user's own problem, and the newest value."""
    t, y = _measured(run)
    if not len(y):
        return f"{own_problem_name(run)}: nothing has been measured yet."
    return (
        f"{own_problem_name(run)}: {counted(len(y), 'measurement')} up to "
        f"{clock_time(float(t[-1]))}; the newest value is {significant(float(y[-1]))}. "
        "Its optimum is unknown, so it has no regret."
    )


def _side(run: RunSnapshot, coordinate: int) -> dict[str, Any]:
    return {"range": [-0.02, 1.02], **own_ticks(run, coordinate)}


def _measured(run: RunSnapshot) -> tuple[Array, Array]:
    """Return times and values as the user gave them, without failed measurements."""
    y = own_y(run)
    known = ~np.isnan(y)
    return run.columns["t"][known], y[known]
