"""Dataset size n and n* over time: two step lines, and a tick at each pass that removed some."""

from typing import Any

import numpy as np

from bolt_core.analysis.curves import point_times, size_curve
from bolt_core.analysis.downsample import rounded, thin
from bolt_core.common.types import Array
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.axes import speed_lines, speed_notes
from bolt_core.figures.shared.chart_dicts import axis, margins, note, plot, text_chart
from bolt_core.figures.shared.notes import limit_steps, run_steps, run_time_axis
from bolt_core.figures.shared.traces import Trace, dots
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

HEADROOM = 1.08  # above the highest value
TICK_LEVEL = -0.05  # of the height
COUNT_HOVER = "%{y:,.0f}"


def size_history(run: RunSnapshot) -> dict[str, Any]:
    """Return |D| after each pass and the n* of that pass."""
    if not len(run):
        return text_chart("The dataset is empty: there is no observation yet.")
    (t, n), n_star = size_curve(run), run.columns["n_star"]
    highest = float(np.max(n))
    known = bool(np.isfinite(n_star).any())
    if known:
        highest = max(highest, min(float(np.nanmax(n_star)), 3.0 * highest))
    top = HEADROOM * max(highest, 10.0)
    traces = [run_steps(run, t, n, "n", hover=COUNT_HOVER), _ticks(run, TICK_LEVEL * top)]
    if known:
        traces.insert(0, limit_steps(t, n_star, "n*", hover=COUNT_HOVER, connectgaps=False))
    traces += speed_lines([run], 2 * TICK_LEVEL * top, top)
    labels = _labels(run, float(n[-1]), float(n_star[-1]), top)
    x_axis = run_time_axis(run)
    layout = {
        "xaxis": x_axis,
        "yaxis": axis("observations", range=[2 * TICK_LEVEL * top, top], tickmode="auto", nticks=6),
        "annotations": [*labels, *speed_notes([run], x_axis["range"][1])],
        "margin": margins(right=32),
    }
    return plot(traces, layout, _alt(run, float(n[-1])), _caption(run, n_star, top), "x")


def _ticks(run: RunSnapshot, y: float) -> Trace:
    removed = run.columns.removed_counts().astype(float)
    rows = removed > 0
    t, counts = thin(point_times(run.columns)[rows], removed[rows])
    look: dict[str, Any] = {"symbol": "line-ns-open", "size": 7, "edge": 1}
    look |= {"customdata": rounded(counts), "hover": "%{customdata:,.0f}"}
    return dots(t, np.full(len(t), y), "removed", key=run.config.algorithm, **look)


def _labels(run: RunSnapshot, n: float, n_star: float, top: float) -> list[dict[str, Any]]:
    """Return the names at the ends of the lines; the replay moves them along."""
    place: dict[str, Any] = {"xanchor": "left", "xshift": 6}
    end, limited = float(point_times(run.columns)[-1]) or 1.0, np.isfinite(n_star)
    shift = 0 if not limited else 8 if n >= n_star else -8
    names = [note("n", end, n, name=run.config.algorithm, yshift=shift, **place)]
    limit = note("n*", end, min(n_star, top), yshift=-shift, **place)
    return [*names, limit] if limited else names


def _alt(run: RunSnapshot, n: float) -> str:
    n_star = float(run.columns["n_star"][-1])
    kept = f"{label(run.config.algorithm)}: {n:,.0f} of {len(run):,} observations kept"
    if np.isfinite(n_star):
        return f"{kept}; n* is {n_star:,.0f}."
    return f"{kept}." if stale_data_rule(run) else f"{kept}; no limit yet."


def _caption(run: RunSnapshot, n_star: Array, top: float) -> str:
    ticks = " Ticks: passes that removed some." if any(run.columns.removed[: len(run)]) else ""
    if rule := stale_data_rule(run):
        return rule + ticks
    passes = run.columns["warmup"] == 0
    if not passes.any():
        return "n* is computed after the warm-up."
    count, gaps = int(passes.sum()), int(np.sum(np.isnan(n_star[passes])))
    if gaps == count:
        return f"No limit yet: no finite n* in {count:,} passes.{ticks}"
    limit = f"n* = {n_star[-1]:,.0f}" if np.isfinite(n_star[-1]) else "no limit now"
    most = "one observation" if run.config.algorithm == "bolt-literal" else "25 % of the data"
    rule = f"n is reduced to n*, by at most {most} per pass and not below 5."
    if run.config.algorithm == "bolt-keep":
        rule = "This variant computes n* and removes nothing."
    caption = f"n = {run.sizes()[-1]:,.0f}, {limit}. {rule}"
    if gaps:
        caption += f" Gaps: no finite n* ({gaps:,} of {count:,} passes)."
    if above := int(np.sum(n_star[passes] > top)):
        caption += f" {above:,} values of n* are above the chart, up to {np.nanmax(n_star):,.0f}."
    return caption + ticks
