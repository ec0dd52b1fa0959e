"""Two ledgers: W-DBO's budget of removals, and the waits that ABO chooses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bolt_core.algorithms.w_dbo import MAX_SAVED_LENGTHSCALES, Params
from bolt_core.common.text import counted, percent, seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import axis, plot, text_chart
from bolt_core.figures.shared.notes import limit_steps, noted_values, run_dots, run_steps, time_axis
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot


def budget(run: RunSnapshot) -> dict[str, Any]:
    """W-DBO: what is saved up, above; what came in and what was paid for removals, below."""
    saved, t = noted_values(run, "budget"), run.columns["t"]
    if not np.isfinite(saved).any():
        return text_chart("Its budget begins after the warm-up.")
    came = np.nancumsum(noted_values(run, "earned"))
    paid = np.cumsum(_paid(run))
    alpha = float(str(run.config.params.get("alpha", Params().alpha)))
    cap = MAX_SAVED_LENGTHSCALES * math.log1p(alpha)
    below = {"yaxis": "y2"}
    known = np.isfinite(saved)
    most = float(np.nanmax(saved))
    near = most > 0.5 * cap  # else the line of the cap would flatten what is saved
    caps = np.full(int(known.sum()) * near, cap)
    drawn = [
        (limit_steps(t[known][: len(caps)], caps, "cap"), "x"),
        (run_steps(run, t, saved, "saved"), "x"),
        (limit_steps(t, came, "earned") | below, "x"),
        (run_steps(run, t, paid, "spent") | below, "x"),
    ]
    layout = {
        "xaxis": time_axis(run, anchor="y2"),
        "yaxis": axis(
            "saved (log b)",
            range=[0.0, 1.15 * (cap if near else most or cap)],
            domain=[0.55, 1.0],
            nticks=4,
        ),
        "yaxis2": axis("earned, spent", rangemode="tozero", domain=[0.0, 0.44], nticks=5),
    }
    left = sum(len(ids) for ids in run.columns.removed[: len(run)])
    said = (
        f"Earned {significant(float(came[-1]))} as time went by (dotted), spent "
        f"{significant(float(paid[-1]))} on {counted(left, 'removal')}; "
        f"{significant(float(saved[known][-1]))} is saved up."
    )
    why = (
        f" One lengthscale l_T brings ln(1 + {alpha:g}); an observation leaves when its relative "
        f"W2 bound is below what is saved, at most {MAX_SAVED_LENGTHSCALES:g} lengthscales of it."
    )
    return plot(drawn, layout, f"Budget of {label(run.config.algorithm)}. {said}", said + why)


def waits(run: RunSnapshot) -> dict[str, Any]:
    """ABO: how long each query waited, against the window it could choose from."""
    ahead = noted_values(run, "ahead")
    if not np.isfinite(ahead).any():
        return text_chart("It keeps every observation and always looks now: no time is chosen.")
    t, waited = run.columns["t"], run.columns["waited"]
    window = np.concatenate([[0.0], ahead[:-1]])  # noted by the pass before
    window = np.where(np.isfinite(window), window, 0.0)
    opened = np.flatnonzero(window > 0.0)
    if not len(opened):
        return text_chart("It looks now until it trusts its l_T; then it will choose its times.")
    after = run.columns["warmup"] == 0
    drawn = [
        (limit_steps(t, window, "window"), "x"),
        (run_dots(run, t[after], waited[after], "waited"), "x"),
    ]
    top = 1.1 * max(float(window.max()), float(waited.max()))
    layout = {"xaxis": time_axis(run), "yaxis": axis("wait (s)", range=[-0.04 * top, top])}
    share = float(np.mean(waited[opened] / window[opened]))
    mean = float(np.mean(waited[opened]))
    said = (
        f"Since {seconds(float(t[opened[0]]))} it chooses when to look, up to l_T / 3 ahead "
        f"(dotted): it waited {seconds(mean)} on average, {percent(share)} of what it could."
    )
    next_one = f" The next may wait up to {seconds(float(ahead[-1]))}."
    alt = f"Waits of {label(run.config.algorithm)}. {said}"
    return plot(drawn, layout, alt, said + next_one * bool(np.isfinite(ahead[-1])))


def _paid(run: RunSnapshot) -> Array:
    """log(1 + R_i) of all that left, pass by pass."""
    scores = (remarks.get("scores", ()) for remarks in run.columns.notes[: len(run)])
    return np.array([sum(math.log1p(score) for score in found) for found in scores])
