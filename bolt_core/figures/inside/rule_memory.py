"""Rules that forget with age: a window, a growing noise, a decaying correlation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bolt_core.algorithms.drift import epsilon
from bolt_core.algorithms.w_gpucb import MAX_EXPONENT
from bolt_core.analysis.curves import size_curve
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.removals import oldest_times
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.notes import limit_steps, noted_values, run_dots, run_steps, time_axis
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

CURVE = 120  # points
EPSILON = "\N{GREEK SMALL LETTER EPSILON}"


def sliding_window(run: RunSnapshot) -> dict[str, Any]:
    """SW-GPUCB: how many it keeps, above; how many seconds that is, below."""
    window, t = noted_values(run, "window"), run.columns["t"]
    if not np.isfinite(window).any():
        return text_chart("Its window begins after the warm-up.")
    span = t - oldest_times(run)
    x, n = size_curve(run)
    top = 1.1 * max(float(np.nanmax(window)), float(np.max(n)))
    below = {"yaxis": "y2"}
    drawn = [
        (run_steps(run, x, n, "observations kept"), "x"),
        (limit_steps(x, window, "window"), "x"),
        (run_steps(run, x, span, "span of D, s") | below, "x"),
    ]
    layout = {
        "xaxis": time_axis(run, anchor="y2"),
        "yaxis": axis("observations", range=[0.0, top], domain=[0.55, 1.0], nticks=5),
        "yaxis2": axis("span of D (s)", rangemode="tozero", domain=[0.0, 0.44], nticks=5),
    }
    now = int(window[-1])
    said = f"The newest {now:,} stay (dotted), which is the last {seconds(float(span[-1]))}."
    learned = noted_values(run, "epsilon")[-1]
    why = (
        f" W = 12 {EPSILON}^(\N{MINUS SIGN}1/4), with a drift of {EPSILON} = "
        f"{significant(float(learned))} an observation."
        if np.isfinite(learned)
        else " The window was given."
    )
    name = label(run.config.algorithm)
    return plot(drawn, layout, f"Window of {name}. {said}", said + why)


def trust(run: RunSnapshot) -> dict[str, Any]:
    """W-GPUCB: the weight of each observation by its age."""
    memory = noted_values(run, "memory")[-1]
    if not np.isfinite(memory):
        return text_chart("Its memory is learned after the warm-up.")
    ages = _ages(run)
    tau = float(memory)

    def weight(age: Array) -> Array:
        return np.asarray(np.exp(-np.minimum(age / tau, MAX_EXPONENT)))

    half = math.log(2.0) * tau
    below = int(np.sum(weight(ages) < 0.01))
    said = (
        f"An observation is trusted half as much every {seconds(half)}: its noise grows. "
        f"{below:,} of {len(ages):,} count for less than a hundredth."
    )
    return _decay(run, ages, weight, "weight", said)


def forgetting(run: RunSnapshot) -> dict[str, Any]:
    """TV-GPUCB: (1 - eps)^(age / 2u), the correlation of f then with f now."""
    l_T = float(run.columns["lengthscale_time"][-1])
    if not np.isfinite(l_T):
        return text_chart("Its forgetting factor is learned after the warm-up.")
    ages, t = _ages(run), run.columns["t"]
    u = float(t[-1] - t[0]) / max(len(t) - 1, 1) or 1.0

    def correlation(age: Array) -> Array:
        return np.asarray(np.exp(-age / l_T))

    below = int(np.sum(correlation(ages) < 0.01))
    said = (
        f"(1 \N{MINUS SIGN} {EPSILON})^(age / 2u) with {EPSILON} = "
        f"{significant(epsilon(l_T, u))} a round of u = {seconds(u)}: "
        f"what an observation still says of now. {below:,} of {len(ages):,} say less than a "
        "hundredth, and all are kept."
    )
    return _decay(run, ages, correlation, "forgetting factor", said)


def _ages(run: RunSnapshot) -> Array:
    """Of all in D, the oldest first, seconds."""
    t = run.columns["t"]
    return np.asarray(t[-1] - t[run.members()])


def _decay(run: RunSnapshot, ages: Array, shape: Any, name: str, said: str) -> dict[str, Any]:  # noqa: ANN401 - a function of ages
    """One curve by age, and a dot on it for each observation kept."""
    oldest = float(np.max(ages, initial=0.0)) or 1.0
    grid = np.linspace(0.0, oldest, CURVE)
    line = limit_steps(grid, shape(grid), name) | {"line": {"width": 1.5}, "hoverinfo": "skip"}
    drawn = [(line, None), (run_dots(run, ages, shape(ages), "observations"), None)]
    layout = {
        "xaxis": axis("age (s)", range=[-0.02 * oldest, 1.02 * oldest]),
        "yaxis": axis(name, range=[-0.03, 1.05], nticks=6),
        "hovermode": "closest",
    }
    alt = f"{name.capitalize()} of {label(run.config.algorithm)} by age. {said}"
    return plot(drawn, layout, alt, said)
