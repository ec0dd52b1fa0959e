"""How well each lengthscale l_T explains a log: the profile likelihood and its 95 % interval."""

import math
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.figures.problem.present import in_natural_unit, time_scale
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
from bolt_core.logs.verdict import Interval, Verdict

QUANTILE = 3.84  # of chi squared with one degree of freedom, 95 %
TOP = 12.0  # of the axis: worse lengthscales are cut off
KEY = "bolt"  # colour of the curve
MARGIN_DECADES = 0.15  # beside the curve


def log_profile(verdict: Verdict, span: float) -> dict[str, Any]:
    """Return the profile; `span` is the length of the log in seconds, which is marked too."""
    if not verdict.profile or verdict.lengthscale is None:
        return text_chart("There are too few rows to compare lengthscales.")
    scale = time_scale(verdict.lengthscale)
    l_T, deviance = (np.array(values) for values in zip(*verdict.profile, strict=True))
    near = deviance <= 2 * TOP
    l_T, deviance = l_T[near], deviance[near]
    x = l_T / scale.seconds
    ends = (math.log10(x[0]) - MARGIN_DECADES, math.log10(x[-1]) + MARGIN_DECADES)
    best, name = named_line(
        verdict.lengthscale / scale.seconds,
        f"<b>{in_natural_unit(verdict.lengthscale)}</b>",
        name=KEY,
    )
    shapes, notes = [best], [name | {"x": math.log10(verdict.lengthscale / scale.seconds)}]
    if verdict.interval is not None:
        low, high = _drawn_ends(verdict.interval, scale.seconds, ends)
        shapes.insert(0, shaded(low, high, name="interval"))
    end = math.log10(span / scale.seconds) if span > 0 else math.inf
    if ends[0] < end < ends[1]:
        shapes.append(named_line(span / scale.seconds, "", name="now", width=1)[0])
        notes.append(
            note("length of the log", end, 0.04, name="now", yref="paper", xanchor="right")
        )
    layout = {
        "xaxis": log_axis(f"l<sub>T</sub> ({scale.name})", ends),
        "yaxis": axis("worse than the best by", range=[0.0, TOP], nticks=5),
        "shapes": shapes,
        "annotations": notes,
        "margin": margins(top=22),
        "hovermode": "closest",
    }
    hover = "l_T %{x:.3~g}: %{y:.2~f}<extra></extra>"
    threshold = line(
        [10.0 ** ends[0], 10.0 ** ends[1]],
        [QUANTILE, QUANTILE],
        "95 %",
        width=1,
        dash="dash",
        hover="skip",
    )
    shown = rounded(x), rounded(deviance)
    traces = [
        threshold,
        line(*shown, "profile", key=KEY, hover=hover),
        dots(*shown, "looked at", key=KEY, size=5, hover="skip"),
    ]
    return plot(traces, layout, interval_words(verdict), _caption(verdict))


def interval_words(verdict: Verdict) -> str:
    """Return l_T and its interval as a sentence."""
    if verdict.lengthscale is None:
        return "l_T is not known."
    words = f"l_T is {in_natural_unit(verdict.lengthscale)}"
    interval = verdict.interval
    if interval is None:
        return f"{words}."
    low = "no lower end" if interval.low is None else in_natural_unit(interval.low)
    high = "no upper end" if interval.high is None else in_natural_unit(interval.high)
    return f"{words}; 95 % interval: {low} to {high}."


def _caption(verdict: Verdict) -> str:
    return (
        f"{interval_words(verdict)} Twice the loss of log likelihood at each l_T; below the dashed "
        "line is the 95 % interval (shaded)."
    )


def _drawn_ends(
    interval: Interval, seconds: float, ends: tuple[float, float]
) -> tuple[float, float]:
    """Return where the interval is shaded; an open end reaches the end of the axis."""
    low = 10.0 ** ends[0] if interval.low is None else interval.low / seconds
    high = 10.0 ** ends[1] if interval.high is None else interval.high / seconds
    return low, high
