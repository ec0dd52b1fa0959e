"""Rules that forget with age: a window, a growing noise, a decreasing correlation."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bolt_core.algorithms.drift import epsilon
from bolt_core.algorithms.w_gpucb import MAX_EXPONENT
from bolt_core.analysis.curves import size_curve
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.removals import oldest_times
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.notes import (
    limit_steps,
    noted_values,
    run_dots,
    run_steps,
    run_time_axis,
)
from bolt_core.figures.shared.traces import line
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

CURVE_POINTS = 120
NEGLIGIBLE = 0.01  # weight or correlation
EPSILON = "\N{GREEK SMALL LETTER EPSILON}"


def sliding_window(run: RunSnapshot) -> dict[str, Any]:
    """Return SW-GPUCB's window: observations kept above, and the time they span below."""
    window, (t, n) = noted_values(run, "window"), size_curve(run)
    if not np.isfinite(window).any():
        return text_chart("The window begins after the warm-up.")
    span = run.columns["t"] - oldest_times(run)
    top = 1.1 * max(float(np.nanmax(window)), float(np.max(n)))
    traces = [
        run_steps(run, t, n, "observations kept"),
        limit_steps(t, window, "window"),
        run_steps(run, t, span, "span of D, s", yaxis="y2"),
    ]
    layout = {
        "xaxis": run_time_axis(run, anchor="y2"),
        "yaxis": axis("observations", range=[0.0, top], domain=[0.55, 1.0], nticks=5),
        "yaxis2": axis("span of D (s)", rangemode="tozero", domain=[0.0, 0.44], nticks=5),
    }
    summary = (
        f"The newest {int(window[-1]):,} are kept (dotted): those of the last "
        f"{seconds(float(span[-1]))}."
    )
    source = drift_sentence(run, "W") or "The window is a parameter."
    alt = f"Window of {label(run.config.algorithm)}. {summary}"
    return plot(traces, layout, alt, f"{summary} {source}", "x")


def trust(run: RunSnapshot) -> dict[str, Any]:
    """Return W-GPUCB's weights: one per observation, by age."""
    tau = float(noted_values(run, "memory")[-1])
    if not np.isfinite(tau):
        return text_chart("The memory is learned after the warm-up.")
    rule = (
        f"An observation is trusted half as much every {seconds(math.log(2.0) * tau)}: its noise "
        "variance grows."
    )
    return _decay(run, lambda age: np.exp(-np.minimum(age / tau, MAX_EXPONENT)), "weight", rule)


def forgetting(run: RunSnapshot) -> dict[str, Any]:
    """Return TV-GPUCB's factor (1 - eps)^(age / 2u): the correlation of f then with f now."""
    l_T, t = float(run.columns["lengthscale_time"][-1]), run.columns["t"]
    if not np.isfinite(l_T):
        return text_chart("The forgetting factor is learned after the warm-up.")
    u = float(t[-1] - t[0]) / max(len(t) - 1, 1) or 1.0
    rule = (
        f"(1 \N{MINUS SIGN} {EPSILON})^(age / 2u) with {EPSILON} = "
        f"{significant(epsilon(l_T, u))} per round of u = {seconds(u)}: the correlation of an "
        "observation with the present. All are kept."
    )
    return _decay(run, lambda age: np.exp(-age / l_T), "forgetting factor", rule)


def injection(run: RunSnapshot) -> dict[str, Any]:
    """Return UI-TVBO's factor k_T(then, now) / k_T(now, now): what an observation can still say."""
    l_T, t = float(run.columns["lengthscale_time"][-1]), run.columns["t"]
    if not np.isfinite(l_T):
        return text_chart("The rate of the Wiener process is learned after the warm-up.")
    since_origin = float(t[-1] - np.min(t[run.members()]))
    rule = (
        f"Each {seconds(l_T)} the variance of f grows by lambda, the variance at the oldest "
        "observation, and the mean stays. The factor is the covariance of an observation with the "
        "present, relative to the variance now."
    )
    return _decay(run, lambda age: 1.0 - age / (l_T + since_origin), "covariance factor", rule)


def drift_sentence(run: RunSnapshot, symbol: str) -> str:
    """Return how a window or a period follows from the drift per observation, "" if unknown."""
    drift = float(noted_values(run, "epsilon")[-1])
    if not np.isfinite(drift):
        return ""
    return (
        f"{symbol} = 12 {EPSILON}^(\N{MINUS SIGN}1/4), with a drift of {EPSILON} = "
        f"{significant(drift)} per observation."
    )


def _decay(
    run: RunSnapshot, factor: Callable[[Array], Array], name: str, rule: str
) -> dict[str, Any]:
    """Return a factor over age, with a dot on it per observation kept."""
    t = run.columns["t"]
    ages = np.asarray(t[-1] - t[run.members()])
    oldest = float(np.max(ages, initial=0.0)) or 1.0
    grid = np.linspace(0.0, oldest, CURVE_POINTS)
    curve, values = factor(grid), factor(ages)
    traces = [
        line(grid, curve, name, width=1.5, hover="skip"),
        run_dots(run, ages, values, "observations"),
    ]
    layout = {
        "xaxis": axis("age (s)", range=[-0.02 * oldest, 1.02 * oldest]),
        "yaxis": axis(name, range=[-0.03, 1.05], nticks=6),
        "hovermode": "closest",
    }
    low = int(np.sum(values < NEGLIGIBLE))
    caption = f"{rule} {low:,} of {len(ages):,} have less than {NEGLIGIBLE:g}."
    alt = f"{name.capitalize()} of {label(run.config.algorithm)} by age. {caption}"
    return plot(traces, layout, alt, caption)
