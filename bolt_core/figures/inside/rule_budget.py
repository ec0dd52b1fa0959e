"""Rules that spend: the budget of W-DBO for removals, and the waits that ABO chooses."""

import math
from typing import Any

import numpy as np

from bolt_core.algorithms.abo import WINDOW_SPANS
from bolt_core.algorithms.w_dbo import MAX_SAVED_LENGTHSCALES, Params
from bolt_core.common.text import counted, percent, seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.notes import (
    limit_steps,
    noted_values,
    run_dots,
    run_steps,
    run_time_axis,
)
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot


def budget(run: RunSnapshot) -> dict[str, Any]:
    """Return W-DBO's budget: what is left above, what was earned and spent below."""
    left, t = noted_values(run, "budget"), run.columns["t"]
    known = np.isfinite(left)
    if not known.any():
        return text_chart("The budget begins after the warm-up.")
    earned, spent = np.nancumsum(noted_values(run, "earned")), np.cumsum(_spent(run))
    alpha = float(str(run.config.params.get("alpha", Params().alpha)))
    cap, most = MAX_SAVED_LENGTHSCALES * math.log1p(alpha), float(np.nanmax(left))
    traces = [
        run_steps(run, t, left, "left"),
        limit_steps(t, earned, "earned", yaxis="y2"),
        run_steps(run, t, spent, "spent", yaxis="y2"),
    ]
    top = most or cap
    if most > 0.5 * cap:  # else the line of the cap would flatten the others
        times, top = t[known], cap
        traces.insert(0, limit_steps(times, np.full(len(times), cap), "cap"))
    layout = {
        "xaxis": run_time_axis(run, anchor="y2"),
        "yaxis": axis("left (log b)", range=[0.0, 1.15 * top], domain=[0.55, 1.0], nticks=4),
        "yaxis2": axis("earned, spent", rangemode="tozero", domain=[0.0, 0.44], nticks=5),
    }
    removed = int(run.columns.removed_counts().sum())
    summary = (
        f"Earned {significant(float(earned[-1]))} over time (dotted), spent "
        f"{significant(float(spent[-1]))} on {counted(removed, 'removal')}; "
        f"{significant(float(left[known][-1]))} is left."
    )
    rule = (
        f" Each l_T of elapsed time adds ln(1 + {alpha:g}) to the budget, which holds at most "
        f"{MAX_SAVED_LENGTHSCALES:g} such amounts. An observation is removed if its relative W2 "
        "bound is below the budget that is left."
    )
    alt = f"Budget of {label(run.config.algorithm)}. {summary}"
    return plot(traces, layout, alt, summary + rule, "x")


def waits(run: RunSnapshot) -> dict[str, Any]:
    """Return ABO's waits: how long each query waited, and how long it could have waited."""
    ahead = noted_values(run, "ahead")
    if not np.isfinite(ahead).any():
        return text_chart("This algorithm keeps every observation and measures without waiting.")
    t, waited = run.columns["t"], run.columns["waited"]
    window = np.nan_to_num(np.append(0.0, ahead[:-1]))  # noted by the pass before
    chosen = np.flatnonzero(window > 0.0)
    if not len(chosen):
        return text_chart(
            "The algorithm has not waited yet: it chooses query times only once l_T has settled."
        )
    after = run.columns["warmup"] == 0
    dots = run_dots(run, t[after], waited[after], "waited")
    top = 1.1 * max(float(window.max()), float(waited.max()))
    layout = {"xaxis": run_time_axis(run), "yaxis": axis("wait (s)", range=[-0.04 * top, top])}
    share = float(np.mean(waited[chosen] / window[chosen]))
    summary = (
        f"Since {seconds(float(t[chosen[0]]))} it chooses the time of its queries, up to the "
        f"smaller of l_T / 3 and {percent(WINDOW_SPANS)} of the time observed ahead (dotted). "
        f"It waited {seconds(float(np.mean(waited[chosen])))} on average, "
        f"{percent(share)} of what was possible."
    )
    alt, caption = f"Waits of {label(run.config.algorithm)}. {summary}", summary
    if np.isfinite(ahead[-1]):
        caption += f" The next query may wait up to {seconds(float(ahead[-1]))}."
    return plot([limit_steps(t, window, "window"), dots], layout, alt, caption, "x")


def _spent(run: RunSnapshot) -> Array:
    """Return the cost log(1 + R_i) of all removals, per pass."""
    scores = (notes.get("scores", ()) for notes in run.columns.notes[: len(run)])
    return np.array([sum(map(math.log1p, removed)) for removed in scores])
