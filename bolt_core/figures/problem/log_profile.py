"""How well each lengthscale l_T explains a log: the profile likelihood and its 95 % interval."""

import math
from typing import Any

import numpy as np

from bolt_core.common.text import in_natural_unit
from bolt_core.common.types import Array
from bolt_core.figures.problem.present import TimeScale, time_scale
from bolt_core.figures.shared.chart_dicts import (
    axis,
    log_axis,
    margins,
    named_line,
    note,
    plot,
    shaded,
    text_chart,
)
from bolt_core.figures.shared.traces import dots, line
from bolt_core.logs.verdict import Drift, Interval, Verdict

QUANTILE = 3.84  # of chi squared with one degree of freedom, 95 %
TOP = 12.0  # of the axis: worse lengthscales are cut off
KEY = "bolt"  # colour of the curve
MARGIN_DECADES = 0.06  # beside the curve
POINTS = 81  # of the curve
MAX_LINEAR_DECADES = 0.8  # a wider axis is logarithmic


def log_profile(verdict: Verdict, span: float) -> dict[str, Any]:
    """Return the profile; `span` is the length of the log in seconds, which is marked too."""
    if not verdict.profile or verdict.lengthscale is None:
        return text_chart("There are too few rows to compare lengthscales.")
    scale = time_scale(verdict.lengthscale)
    l_T, deviance = (np.array(values) for values in zip(*verdict.profile, strict=True))
    x, y = curve(np.log10(l_T / scale.seconds), deviance)
    shown = y <= TOP
    ends = float(x[shown][0]) - MARGIN_DECADES, float(x[shown][-1]) + MARGIN_DECADES
    logarithmic = ends[1] - ends[0] > MAX_LINEAR_DECADES
    best = verdict.lengthscale / scale.seconds
    shape, name = named_line(best, f"<b>{in_natural_unit(verdict.lengthscale)}</b>", name=KEY)
    shapes, notes = [shape], [name | ({"x": math.log10(best)} if logarithmic else {})]
    if verdict.drift is Drift.NO:  # the best lengthscale is only the longest that was looked at
        shapes, notes = [], []
    if verdict.interval is not None:
        shapes.insert(0, shaded(*_drawn_ends(verdict.interval, scale, ends), name="interval"))
    if span > 0 and ends[0] < (end := math.log10(span / scale.seconds)) < ends[1]:
        shapes.append(named_line(10.0**end, "", name="now", width=1)[0])
        at = end if logarithmic else 10.0**end
        place = {"name": "now", "yref": "paper", "xanchor": "right", "xshift": -3}
        notes.append(note("length of the log", at, 0.97, **place))
    title = f"l<sub>T</sub> ({scale.name})"
    low, high = 10.0 ** ends[0], 10.0 ** ends[1]
    layout = {
        "xaxis": log_axis(title, ends) if logarithmic else axis(title, range=[low, high], nticks=6),
        "yaxis": axis("worse than the best by", range=[0.0, TOP], nticks=5),
        "shapes": shapes,
        "annotations": notes,
        "margin": margins(top=22),
        "hovermode": "closest",
    }
    hover = "%{x:.3~g}: %{y:.2~f}<extra></extra>"
    level = np.full(2, QUANTILE)
    threshold = line(np.array([low, high]), level, "95 %", width=1, dash="dash", hover="skip")
    known = deviance <= TOP
    traces = [
        threshold,
        line(10.0 ** x[shown], y[shown], "profile", key=KEY, hover=hover),
        dots(
            l_T[known] / scale.seconds, deviance[known], "computed", key=KEY, size=5, hover="skip"
        ),
    ]
    return plot(traces, layout, interval_words(verdict), _caption(verdict))


def curve(x: Array, deviance: Array) -> tuple[Array, Array]:
    """Return a smooth curve through the profile: the signed root of it is nearly straight."""
    best = int(np.argmin(deviance))
    root = np.sqrt(deviance) * np.where(np.arange(len(x)) < best, -1.0, 1.0)
    fine = np.unique(np.concatenate([np.linspace(x[0], x[-1], POINTS), x]))
    return fine, np.interp(fine, x, root) ** 2


def interval_words(verdict: Verdict) -> str:
    """Return l_T and its interval as a sentence."""
    if verdict.lengthscale is None:
        return "The lengthscale in time is not known."
    shortest = None if verdict.interval is None else verdict.interval.low
    if (
        verdict.drift is Drift.NO and shortest is not None
    ):  # the best one is only the longest looked at
        return (
            f"The lengthscale in time is longer than {in_natural_unit(shortest)}, if there is one."
        )
    words = f"The lengthscale in time is {in_natural_unit(verdict.lengthscale)}"
    interval = verdict.interval
    if interval is None:
        return f"{words}."
    low = "no lower end" if interval.low is None else in_natural_unit(interval.low)
    high = "no upper end" if interval.high is None else in_natural_unit(interval.high)
    return f"{words}; 95 % interval: {low} to {high}."


def _caption(verdict: Verdict) -> str:
    return (
        f"{interval_words(verdict)} Curve: twice the loss of log likelihood at each lengthscale. "
        "Below the dashed line is the 95 % interval (shaded)."
    )


def _drawn_ends(
    interval: Interval, scale: TimeScale, ends: tuple[float, float]
) -> tuple[float, float]:
    """Return where the interval is shaded; an open end reaches the end of the axis."""
    low = 10.0 ** ends[0] if interval.low is None else interval.low / scale.seconds
    high = 10.0 ** ends[1] if interval.high is None else interval.high / scale.seconds
    return low, high
