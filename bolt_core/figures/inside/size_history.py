"""n and n* over time: two step lines, and a tick under each pass that removed something."""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.curves import point_times
from bolt_core.analysis.downsample import rounded, thin
from bolt_core.common.types import Array
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.chart_dicts import Times, axis, plot, text_chart
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

ROOM = 1.08  # above the highest
FOOT = -0.05  # of the height: where the ticks stand


def size_history(run: RunSnapshot) -> dict[str, Any]:
    """|D| after each pass against the n* of that pass."""
    if not len(run):
        return text_chart("The dataset is empty: the first query is on its way.")
    n, n_star = run.sizes(), run.columns["n_star"]
    highest = float(np.max(n))
    if np.isfinite(n_star).any():
        highest = max(highest, min(float(np.nanmax(n_star)), 3.0 * highest))
    top = ROOM * max(highest, 10.0)
    drawn = [*_recommended(run, n_star), (_steps(run, n), "x"), _ticks(run, FOOT * top)]
    layout = {
        "xaxis": axis("time (s)", range=[0.0, _across(run)]),
        "yaxis": axis("observations", range=[2 * FOOT * top, top], tickmode="auto", nticks=6),
        "annotations": _names(run, n, n_star, top),
        "margin": {"l": 8, "r": 32, "t": 12, "b": 8},
    }
    return plot(drawn, layout, _alt(run, n, n_star), _caption(run, n_star, top))


def _steps(run: RunSnapshot, n: Array) -> dict[str, Any]:
    x, y = thin(point_times(run.columns), n)
    key = run.config.algorithm
    line = {"width": line_style(key).width, "shape": "hv"}
    return _trace(x, y) | {"meta": key, "name": "n", "line": line, "hovertemplate": "%{y:,.0f}"}


def _recommended(run: RunSnapshot, n_star: Array) -> list[tuple[dict[str, Any], Times]]:
    if not np.isfinite(n_star).any():
        return []
    x, y = thin(point_times(run.columns), n_star)
    line = {"width": 1.5, "shape": "hv", "dash": "dot"}
    style = {"name": "n*", "line": line, "connectgaps": False, "hovertemplate": "%{y:,.0f}"}
    return [(_trace(x, y) | style, "x")]


def _ticks(run: RunSnapshot, y: float) -> tuple[dict[str, Any], Times]:
    lost = np.bincount(run.columns.removals()[1], minlength=len(run)).astype(float)
    rows = lost > 0
    x, many = thin(point_times(run.columns)[rows], lost[rows])
    marker = {"symbol": "line-ns-open", "size": 7, "line": {"width": 1}}
    style = {"mode": "markers", "name": "removed", "marker": marker, "meta": run.config.algorithm}
    hover = {"customdata": rounded(many), "hovertemplate": "%{customdata:,.0f}"}
    return _trace(x, np.full(len(x), y)) | style | hover, "x"


def _trace(x: Array, y: Array) -> dict[str, Any]:
    return {"type": "scatter", "mode": "lines", "x": rounded(x), "y": rounded(y)}


def _across(run: RunSnapshot) -> float:
    """As far as it came: how n got here is told by its past, not by an empty future."""
    return float(point_times(run.columns)[-1]) or 1.0


def _names(run: RunSnapshot, n: Array, n_star: Array, top: float) -> list[dict[str, Any]]:
    """At the ends of the lines, in their very names: the replay moves them along."""
    common = {"showarrow": False, "x": _across(run), "xanchor": "left", "xshift": 6}
    now = float(n_star[-1])
    known = np.isfinite(now)
    above = not known or n[-1] >= now
    shift = 8 if above else -8
    key = run.config.algorithm
    found: list[dict[str, Any]] = [{"name": key, "text": "n", "y": float(n[-1])}]
    found[0] |= {"yshift": shift if known else 0}
    if known:
        found.append({"text": "n*", "y": min(now, top), "yshift": -shift})
    return [common | one for one in found]


def _alt(run: RunSnapshot, n: Array, n_star: Array) -> str:
    name, now = label(run.config.algorithm), float(n_star[-1])
    said = f"{name} keeps {n[-1]:,.0f} of {len(run):,} observations"
    if np.isfinite(now):
        return f"{said}; n* is {now:,.0f}."
    return f"{said}." if stale_data_rule(run) else f"{said}; no limit yet."


def _caption(run: RunSnapshot, n_star: Array, top: float) -> str:
    if instead := stale_data_rule(run):
        return f"{instead}{_ticks_in_words(run)}"
    passes = run.columns["warmup"] == 0
    if not passes.any():
        return "n* comes after the warm-up."
    gaps = int(np.sum(np.isnan(n_star[passes])))
    if gaps == int(passes.sum()):
        return f"No limit yet: there has been no n* in {gaps:,} passes.{_ticks_in_words(run)}"
    now = f"n = {run.sizes()[-1]:,.0f}"
    now += f", n* = {n_star[-1]:,.0f}" if np.isfinite(n_star[-1]) else ", no limit now"
    said = f"{now}. n follows n*, at most a quarter of D a pass."
    if gaps:
        said += f" n* has gaps where there was no limit yet: {gaps:,} of {passes.sum():,} passes."
    high = int(np.sum(n_star[passes] > top))
    if high:
        said += f" In {high:,} it lay above the chart, up to {np.nanmax(n_star):,.0f}."
    return said + _ticks_in_words(run)


def _ticks_in_words(run: RunSnapshot) -> str:
    if not any(run.columns.removed[: len(run)]):
        return ""
    return " Ticks: passes that removed something."
