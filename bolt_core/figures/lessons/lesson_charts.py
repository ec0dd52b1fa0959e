"""The charts at the end of a lesson: counts over time, or a few numbers per lane.

They are read from the records of the race that was just run, whatever its outcome.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bolt_core.analysis.curves import point_times
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.common.text import percent, seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.removals import removal_history
from bolt_core.figures.shared.chart_dicts import axis, plot, table, text_chart
from bolt_core.figures.shared.labels import End, labelled_ends
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import lane_line
from bolt_core.runs.lane_names import short_lane_names
from bolt_core.runs.snapshot import RunSnapshot

HEIGHT = 200.0  # pixels between the axes, about
HEADROOM = 1.08  # times the highest value


def queries_over_time(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return the number of queries of each lane over time: a straight line is a steady pace."""
    caption = (
        "Queries made so far, with the random ones at the start. A line that flattens means that "
        "the response time grows."
    )
    return _over_time(runs, lambda run: np.arange(1.0, len(run) + 1.0), "queries", caption)


def n_star_over_time(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return the recommended dataset size n* of each lane over time."""
    caption = "Recommended dataset size n*, one line per device. Gaps: no finite n*."
    return _over_time(runs, lambda run: run.columns["n_star"], "recommended size n*", caption)


def data_table(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return how much data each lane kept, how fast it responded, and its average regret."""
    rows = []
    for run in runs:
        outcome = RunOutcome(run)
        kept = "" if outcome.median_size is None else f"{outcome.median_size:,.0f}"
        response = "" if outcome.response_time is None else seconds(outcome.response_time)
        rows.append([kept, response, f"{len(run):,}", _regret(outcome.average_regret)])
    columns = ["Kept (median)", "Mean response", "Queries", "Average regret"]
    return _table(runs, columns, rows, "More data, or more queries? Lower regret is better.")


def held_table(runs: Sequence[RunSnapshot], held: Sequence[float | None]) -> dict[str, Any]:
    """Return the average over queries and the held regret (one value per run) of each lane."""
    rows = [
        [
            f"{len(run):,}",
            f"{run.columns['t'][-1]:.0f} s" if len(run) else "",
            _regret(RunOutcome(run).average_regret),
            _regret(value),
        ]
        for run, value in zip(runs, held, strict=True)
    ]
    columns = ["Queries", "Last query", "Average regret", "Held regret"]
    caption = "Average regret counts queries; held regret counts every second between them too."
    return _table(runs, columns, rows, caption)


def removal_table(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return how many observations each lane removed, and how many of those were the oldest."""
    rows = []
    for run in runs:
        history = removal_history(run)
        removed, oldest = len(history), len(history) - history.younger
        share = percent(oldest / removed) if removed else ""
        rows.append([f"{removed:,}", f"{oldest:,}", share])
    return _table(runs, ["Removed", "Were the oldest", "Share"], rows, "Counted from the records.")


def _regret(value: float | None) -> str:
    return "" if value is None else significant(value)


def _table(
    runs: Sequence[RunSnapshot], names: Sequence[str], cells: Sequence[list[str]], caption: str
) -> dict[str, Any]:
    rows, texts = [], []
    for lane, row in zip(lanes(runs), cells, strict=True):
        dash = line_style(lane.key, lane.nth).dash
        rows.append({"key": lane.key, "cells": [lane.label, *row], "dash": dash})
        values = [f"{name} {cell}" for name, cell in zip(names, row, strict=True) if cell]
        texts.append(f"{lane.label}: {', '.join(values)}")
    columns = [{"name": "Algorithm"}, *({"name": name, "align": "right"} for name in names)]
    return table(columns, rows, f"{'; '.join(texts)}.", caption)


def _over_time(
    runs: Sequence[RunSnapshot], count: Callable[[RunSnapshot], Array], title: str, caption: str
) -> dict[str, Any]:
    curves = [
        (lane, point_times(run.columns), y)
        for lane in _short_names(lanes(runs))
        for run in lane.runs[:1]
        if np.isfinite(y := count(run)).any()
    ]
    if not curves:
        return text_chart("No lane has anything to draw.")
    right = max(float(t[-1]) for _, t, _ in curves) or 1.0
    top = HEADROOM * max(float(np.nanmax(y)) for _, _, y in curves)
    last = [(lane, float(t[-1]), float(y[np.isfinite(y)][-1])) for lane, t, y in curves]
    ends = [End(lane.key, lane.label, t, y) for lane, t, y in last]
    axes = {"xaxis": axis("time (s)", range=[0.0, right]), "yaxis": axis(title, range=[0.0, top])}
    layout = axes | labelled_ends(ends, (0.0, top), HEIGHT, right, top=12)
    traces = [lane_line(lane, t, y, shape="hv", hover="%{y:,.0f}") for lane, t, y in curves]
    values = ", ".join(f"{end.label} {end.y:,.0f}" for end in ends)
    return plot(traces, layout, f"{title.capitalize()} at the end: {values}.", caption, "x")


def _short_names(named: Sequence[Lane]) -> list[Lane]:
    """Return lanes named by what differs: long names hide a curve on a phone."""
    names = short_lane_names([lane.runs[0].config for lane in named])
    return [replace(lane, label=name) for lane, name in zip(named, names, strict=True)]
