"""How fast a problem drifts: l_T in words and numbers, and what that means for measurements."""

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.common.text import counted, in_natural_unit, percent
from bolt_core.figures.problem.present import TimeScale, time_scale, why_no_model
from bolt_core.figures.shared.chart_dicts import axis, margins, named_line, plot, text_chart
from bolt_core.figures.shared.traces import band, dots, line
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.theory.kernels import WIENER, temporal_correlation

POINTS = 61
SHOWN_LENGTHSCALES = 3.0  # ages on the axis
KEPT = " Dots: the measurements that are kept, by their age at the last one."
MAX_DOTS = 60  # kept measurements on the curve, the newest


def drift(run: RunSnapshot) -> dict[str, Any]:
    """Return k_T against age, with the ages of the measurements that are kept."""
    theta = run.records[-1].theta if len(run) else None
    if theta is None:
        return text_chart(f"How fast it drifts is not known yet. {why_no_model(run)}")
    l_T, kernel = theta.lengthscale_time, (run.header or {}).get("temporal_kernel")
    if l_T is None or kernel in (None, WIENER.name):
        return text_chart("This algorithm's model has no lengthscale in time.")
    scale, k_T = time_scale(SHOWN_LENGTHSCALES * l_T), temporal_correlation(str(kernel), l_T)
    ages = np.linspace(0.0, SHOWN_LENGTHSCALES * l_T, POINTS)
    t = run.columns["t"]
    kept = float(np.max(t)) - t[run.members()]
    older = int(np.sum(kept > ages[-1]))
    kept = kept[kept <= ages[-1]][-MAX_DOTS:]
    shape, name = named_line(l_T / scale.seconds, f"l<sub>T</sub> = {scale.text(l_T)}", name="now")
    curve, key = k_T(ages), run.config.algorithm
    layout = {
        "xaxis": axis(
            f"age of a measurement ({scale.name})", range=[0.0, ages[-1] / scale.seconds]
        ),
        "yaxis": axis("correlation with now", range=[0.0, 1.05], tickformat=".0%", nticks=5),
        "shapes": [shape],
        "annotations": [name],
        "margin": margins(top=22),
        "hovermode": "closest",
    }
    traces = [
        band(ages / scale.seconds, 0.0 * curve, curve, "still known", key=key),
        line(ages / scale.seconds, curve, "correlation", key=key, hover="%{y:.0%}<extra></extra>"),
        dots(rounded(kept / scale.seconds), rounded(k_T(kept)), "kept", size=5, hover="skip"),
    ]
    words = in_words(l_T, str(kernel), float(np.max(t) - np.min(t)), scale)
    verb = "is" if older == 1 else "are"
    beyond = f" {counted(older, 'older one')} {verb} beyond the axis." if older else ""
    return plot(traces, layout, words, words + (KEPT + beyond if len(kept) else ""))


def in_words(lengthscale: float, kernel: str, span: float, scale: TimeScale) -> str:
    """Return how fast a problem with this l_T drifts, as far as `span` seconds of data say it."""
    if lengthscale > span:
        return (
            f"How fast it drifts cannot be told yet: the lengthscale in time is longer than the "
            f"{in_natural_unit(span)} observed so far. The model takes {scale.text(lengthscale)} "
            "for now."
        )
    at_one = float(temporal_correlation(kernel, lengthscale)(np.array(lengthscale)))
    return (
        f"The lengthscale in time is {scale.text(lengthscale)}: a measurement of that age has "
        f"a correlation of {percent(at_one)} with what the same setting gives now."
    )
