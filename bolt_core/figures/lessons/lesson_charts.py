"""What a lesson shows at its end: two counts over time, or a few figures side by side.

Read from the records of the race that has just been run, whatever they say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded, thin
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.common.text import percent, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.removals import removal_history
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.snapshot import RunSnapshot

HEIGHT = 200.0  # pixels between the axes, about: names are nudged apart by it
ROOM = 1.08  # above the highest

Counted = Callable[[RunSnapshot], Array]


def answers(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Queries made by each lane, over time: a straight line is a steady beat."""
    return _over_time(
        runs,
        lambda run: np.arange(1.0, len(run) + 1.0),
        "queries",
        "Queries made so far. A line that bends down is a beat that slows.",
    )


def recommended(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """n* of each lane, over time."""
    return _over_time(
        runs,
        lambda run: run.columns["n_star"],
        "recommended size n*",
        "n* as each device recommends it, pass by pass; gaps where there was no limit.",
    )


def reach(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Where each curve ends on either axis, and when the lane was at everybody's last iteration."""
    shared = min((len(run) for run in runs), default=0)
    if not shared:
        return text_chart("Somebody made no query, so there is nothing to compare.")
    columns = ["Ends at", "Iterations", f"Time at iteration {shared:,}", "Regret there", "At end"]
    rows = [
        [
            f"{run.columns.ends()[-1]:.0f} s",
            f"{len(run):,}",
            f"{run.columns.ends()[shared - 1]:.0f} s",
            _regret(run, shared),
            _regret(run, len(run)),
        ]
        for run in runs
    ]
    return _table(
        runs, columns, rows, f"At equal iterations ({shared:,}) the lanes used unequal time."
    )


def left(runs: Sequence[RunSnapshot]) -> dict[str, Any]:
    """How many each lane removed, and how many of those were its oldest."""
    rows = []
    for run in runs:
        found = removal_history(run)
        gone, oldest = len(found.removals), len(found.removals) - found.younger
        rows.append([f"{gone:,}", f"{oldest:,}", percent(oldest / gone) if gone else ""])
    return _table(runs, ["Removed", "Were the oldest", "Share"], rows, "Counted from the records.")


def _regret(run: RunSnapshot, upto: int) -> str:
    """Average regret of the first queries, without the warm-up."""
    asked = run.columns["warmup"][:upto] == 0
    return significant(float(run.columns["regret"][:upto][asked].mean())) if asked.any() else ""


def _table(
    runs: Sequence[RunSnapshot], names: Sequence[str], rows: Sequence[list[str]], caption: str
) -> dict[str, Any]:
    own = lanes(runs)
    said = [
        f"{lane.label}: " + ", ".join(f"{n} {c}" for n, c in zip(names, row, strict=True) if c)
        for lane, row in zip(own, rows, strict=True)
    ]
    return {
        "kind": "table",
        "columns": [{"name": "Algorithm"}, *({"name": n, "align": "right"} for n in names)],
        "rows": [
            {
                "key": lane.key,
                "cells": [lane.label, *row],
                "dash": line_style(lane.key, lane.nth).dash,
            }
            for lane, row in zip(own, rows, strict=True)
        ],
        "alt": "; ".join(said) + ".",
        "caption": caption,
    }


def _over_time(
    runs: Sequence[RunSnapshot], counted: Counted, title: str, caption: str
) -> dict[str, Any]:
    curves = [(lane, lane.runs[0].columns["t"], counted(lane.runs[0])) for lane in _short(runs)]
    known = [(lane, t, y) for lane, t, y in curves if np.isfinite(y).any()]
    if not known:
        return text_chart("No lane has anything to draw.")
    across = max(float(t[-1]) for _, t, _ in known) or 1.0
    top = ROOM * max(float(np.nanmax(y)) for _, _, y in known)
    ends = [End(lane.key, lane.label, float(t[-1]), _last(y)) for lane, t, y in known]
    layout = {
        "xaxis": axis("time (s)", range=[0.0, across]),
        "yaxis": axis(title, range=[0.0, top]),
        "annotations": end_labels(ends, (0.0, top), HEIGHT, across),
        "margin": {"l": 8, "r": margin(ends), "t": 12, "b": 8},
    }
    alt = ", ".join(f"{end.label} {end.y:,.0f}" for end in ends)
    drawn = [(_trace(lane, t, y), "x") for lane, t, y in known]
    return plot(drawn, layout, f"{title.capitalize()} at the end: {alt}.", caption)


def _short(runs: Sequence[RunSnapshot]) -> list[Lane]:
    """Lanes of one algorithm are called by what differs: on a phone a long name leaves no curve."""
    own = lanes(runs)
    if len({lane.key for lane in own}) > 1:
        return own
    names = [lane.label.rpartition(", ")[2] for lane in own]
    usual = min(names, key=len)
    said = [name if name == usual else name.removeprefix(usual).strip() for name in names]
    return [replace(lane, label=name) for lane, name in zip(own, said, strict=True)]


def _last(y: Array) -> float:
    return float(y[np.isfinite(y)][-1])


def _trace(lane: Lane, t: Array, y: Array) -> dict[str, Any]:
    x, y = thin(t, y)
    line = {
        "width": line_style(lane.key, lane.nth).width,
        "dash": line_style(lane.key, lane.nth).dash,
        "shape": "hv",
    }
    style = {"meta": lane.key, "name": lane.label, "line": line, "hovertemplate": "%{y:,.0f}"}
    return {"type": "scatter", "mode": "lines", "x": rounded(x), "y": rounded(y), **style}
