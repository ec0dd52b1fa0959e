"""Measurements over time, with the estimate of the best value that could be had at each time."""

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import POINTS_PER_TRACE, evenly_spaced_rows
from bolt_core.common.text import counted, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.belief import mean_over_time
from bolt_core.figures.problem.present import (
    best_now,
    outcome,
    surrogate_now,
    time_scale,
    titled,
    why_no_model,
)
from bolt_core.figures.shared.chart_dicts import axis, margins, plot, text_chart
from bolt_core.figures.shared.traces import Trace, band, dots, line
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.own_problem import own_sign, own_y
from bolt_core.runs.snapshot import RunSnapshot

MOMENTS = 80  # at which the best value is estimated
MAX_CANDIDATES = 400  # measured settings among which the best is looked for, the newest
MIN_SPAN_SECONDS = 10.0  # of the time axis
SIDE_SHARE = 0.03  # of the time axis, free at both sides
FAILED_HEIGHT = 0.0  # of the chart: a measurement that failed has no value
DEVIATIONS = 2.0  # of the band, to each side


def measurements(run: RunSnapshot) -> dict[str, Any]:
    """Return what was measured, and the model's estimate of the best value with its band."""
    if not len(run):
        return text_chart("Nothing has been measured yet. Your first value will be drawn here.")
    t, y = run.columns["t"], own_y(run)
    start, now = float(np.min(t)), float(np.max(t))
    scale = time_scale(now - start)
    times, known = (t - start) / scale.seconds, np.isfinite(y)
    name, unit = outcome(run)
    traces: list[Trace] = []
    model, best = surrogate_now(run), best_now(run)
    if model is not None:
        traces += _best_over_time(run, model, start, scale.seconds)
    order = np.argsort(times[known], kind="stable")
    hover = f"%{{y:,.4~r}} {unit}<extra></extra>".replace(" <", "<")
    look: dict[str, Any] = {"size": 6, "edge": 1, "edge_color": "white", "hover": hover}
    order = order[evenly_spaced_rows(len(order), POINTS_PER_TRACE)]
    traces.append(dots(times[known][order], y[known][order], "measured", **look))
    if not known.all():
        edge = np.full(int(np.sum(~known)), FAILED_HEIGHT)
        look = {"symbol": "x", "size": 7, "hover": "name", "yaxis": "y2", "cliponaxis": False}
        traces.append(dots(times[~known], edge, "failed", **look))
    end = max(now - start, MIN_SPAN_SECONDS) / scale.seconds
    layout = {
        "xaxis": scale.axis(range=[-SIDE_SHARE * end, (1.0 + SIDE_SHARE) * end]),
        "yaxis": axis(titled(name, unit), nticks=6),
        "yaxis2": axis("", range=[0.0, 1.0], overlaying="y", visible=False, fixedrange=True),
        "margin": margins(top=8),
        "hovermode": "closest",
    }
    words = _summary(run, y[known])
    caption = (
        "One dot per measurement."
        if known.all()
        else "One dot per measurement; x at the lower edge: failed."
    )
    if best is None:
        return plot(traces, layout, words, f"{caption} {why_no_model(run)}")
    value = f"{significant(own_sign(run) * best[1])} \N{PLUS-MINUS SIGN} {significant(best[2])}"
    caption += (
        " Line: the model's estimate of the best value at each time, among the settings measured; "
        "band: two standard deviations."
    )
    return plot(
        traces, layout, f"{words} Estimated best at the last one: {value} {unit}".strip(), caption
    )


def _best_over_time(
    run: RunSnapshot, model: ExactSurrogate, start: float, seconds: float
) -> list[Trace]:
    """Return the band and the line of the best value that the model expects at each time."""
    now = float(run.columns["t"][-1])
    times = np.linspace(float(np.min(model.data.Z[:, -1])), now, MOMENTS)
    candidates = np.unique(model.data.Z[-MAX_CANDIDATES:, :-1], axis=0)
    x = candidates[np.argmax(mean_over_time(model, candidates, times), axis=0)]
    mean, sd = model.posterior(x, times)
    mean, shown = own_sign(run) * mean, (times - start) / seconds
    key = run.config.algorithm
    return [
        _band(shown, mean, sd, key),
        line(shown, mean, "estimated best", key=key, hover="%{y:,.4~r}<extra></extra>"),
    ]


def _band(x: Array, mean: Array, sd: Array, key: str) -> Trace:
    return band(x, mean - DEVIATIONS * sd, mean + DEVIATIONS * sd, "two deviations", key=key)


def _summary(run: RunSnapshot, values: Array) -> str:
    """Return how much was measured and the newest value, for screen readers."""
    name, unit = outcome(run)
    newest = f", the newest {significant(float(values[-1]))} {unit}".rstrip() if len(values) else ""
    return f"{counted(len(run), 'measurement')} of {name}{newest}."
