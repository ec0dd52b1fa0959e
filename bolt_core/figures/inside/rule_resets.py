"""Rules that empty D: when an observation surprises, or when a block is full."""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.curves import point_times, size_curve
from bolt_core.common.text import counted, seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.notes import (
    limit_steps,
    noted_values,
    run_dots,
    run_steps,
    time_axis,
    vertical_marks,
)
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

ROOM = 1.08


def resets(run: RunSnapshot) -> Array:
    """The passes that emptied D."""
    return np.array(
        [row for row, notes in enumerate(run.columns.notes[: len(run)]) if "reset" in notes],
        dtype=int,
    )


def surprises(run: RunSnapshot) -> dict[str, Any]:
    """ET-GPUCB: |y - mu| of each observation against the limit it was tested with."""
    surprise, limit = noted_values(run, "surprise"), noted_values(run, "limit")
    t = point_times(run.columns)
    tested = np.isfinite(surprise)
    if not tested.any():
        return text_chart("Its reset test begins when D has five observations after the warm-up.")
    found = resets(run)
    top = ROOM * _height(surprise[tested], limit[tested])
    drawn = [
        vertical_marks(run, found, 0.0, top, "reset"),
        (limit_steps(t, limit, "limit"), "x"),
        (run_dots(run, t[tested], surprise[tested], "surprise"), "x"),
    ]
    layout = {
        "xaxis": time_axis(run),
        "yaxis": axis("|y \N{MINUS SIGN} mean|", range=[0.0, top], nticks=6),
    }
    ratio = float(np.max((surprise / limit)[tested]))
    said = counted(len(found), "reset")
    name = label(run.config.algorithm)
    alt = f"Reset test of {name}: {said}; the largest surprise was {significant(ratio)} limits."
    since = int(noted_values(run, "since_reset")[-1])
    caption = (
        "Dots: how far each observation lay from what was expected of it. Above the dotted limit, "
        f"all is forgotten (dashed). {said} so far; {counted(since, 'observation')} since the last."
    )
    return plot(drawn, layout, alt, caption + _above(surprise[tested], top))


def periodic(run: RunSnapshot) -> dict[str, Any]:
    """R-GPUCB: the block fills up to its period."""
    (t, n), period = size_curve(run), noted_values(run, "period")
    if not np.isfinite(period).any():
        return text_chart("Its first block begins after the warm-up.")
    found = resets(run)
    top = ROOM * max(float(np.nanmax(period)), float(np.max(n)))
    drawn = [
        vertical_marks(run, found, 0.0, top, "reset"),
        (limit_steps(t, period, "period"), "x"),
        (run_steps(run, t, n, "observations in the block"), "x"),
    ]
    layout = {"xaxis": time_axis(run), "yaxis": axis("observations", range=[0.0, top], nticks=6)}
    alt = f"Blocks of {label(run.config.algorithm)}: {counted(len(found), 'reset')} so far."
    return plot(drawn, layout, f"{alt} {_countdown(run)}", f"{_countdown(run)} {_drift(run)}")


def _countdown(run: RunSnapshot) -> str:
    notes = run.columns.notes[len(run) - 1]
    if "reset" in notes:
        return "Its block was full: it has just forgotten everything."
    n, period = int(run.sizes()[-1]), int(notes.get("period", 0))
    left = max(period - n, 0)
    passes = _like(run, n, period)
    return (
        f"Next reset in {counted(left, 'observation')}, about "
        f"{seconds(left * float(np.mean(passes)))}."
    )


def _like(run: RunSnapshot, n: int, period: int) -> Array:
    """Seconds of the passes with the sizes still to come, in earlier blocks; else the last ones."""
    began, took = run.columns["n"], run.columns["seconds"]
    full = run.columns["warmup"] == 0
    alike: Array = took[full & (began >= n) & (began < period)]
    return alike if len(alike) else took[full][-10:]


def _drift(run: RunSnapshot) -> str:
    epsilon = noted_values(run, "epsilon")[-1]
    if not np.isfinite(epsilon):
        return ""
    return (
        f"The period (dotted) is 12 \N{GREEK SMALL LETTER EPSILON}^(\N{MINUS SIGN}1/4) with a "
        f"drift of \N{GREEK SMALL LETTER EPSILON} = {significant(float(epsilon))} an observation."
    )


def _height(surprise: Array, limit: Array) -> float:
    """One wild limit must not flatten all the others."""
    values = np.concatenate([surprise, limit])
    return min(float(values.max()), 3.0 * float(np.quantile(values, 0.95))) or 1.0


def _above(surprise: Array, top: float) -> str:
    high = int(np.sum(surprise > top))
    return f" {high:,} above the chart, up to {significant(float(surprise.max()))}." * bool(high)
