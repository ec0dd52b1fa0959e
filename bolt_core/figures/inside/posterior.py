"""Posterior of the surrogate, with the observations it was computed from.

For one input: the posterior mean over x and t, from a few lengthscales ago to one ahead. For two:
the mean now, beside its standard deviation. For more inputs there is one slice along each of them,
through the best observed x. Observations kept are filled, and larger and more opaque the more
relevant they are; those removed are hollow. The optimum comes from the record: the algorithm does
not know it. No trace grows with time, since each moment of the past has another posterior. It takes
a few milliseconds (the mean is separable), in the thread that builds the charts.
"""

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.analysis.surrogate_from_record import surrogate, why_none
from bolt_core.common.text import counted, seconds
from bolt_core.common.types import Array
from bolt_core.figures.inside.belief import belief_now, belief_over_time, best_sentence
from bolt_core.figures.inside.observation_dots import kept_dots, optimum, removed_dots
from bolt_core.figures.inside.relevance import NO_SURROGATE, Relevance
from bolt_core.figures.inside.slices import slices
from bolt_core.figures.shared import chart_dicts
from bolt_core.figures.shared.chart_dicts import (
    axis,
    margins,
    named_line,
    plot,
    text_chart,
    time_axis,
)
from bolt_core.figures.shared.colormap import BLUE, GREY, MEANING, Rgb, colorbar, colorscale
from bolt_core.figures.shared.own_problem import own_ticks
from bolt_core.figures.shared.traces import Trace, heatmap
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.own_problem import own_sign
from bolt_core.runs.snapshot import Rows, RunSnapshot

CELLS = 60  # per side, over x and t
MEAN_CELLS, DEVIATION_CELLS = 45, 25  # per side, over two inputs
MAX_OBSERVATIONS = 1500  # these take a tenth of a second
PAST_LENGTHSCALES = 4.0  # shown at most
FUTURE_SHARE = 0.35  # of the past shown: at most this much future
PANEL_TITLES = (("mean now", 0.0, 1.0), ("standard deviation", 0.68, 0.62))  # text, x and y


def posterior(run: RunSnapshot, scored: Relevance | None = None) -> dict[str, Any]:
    """Return the posterior after the last pass; `scored` makes relevant observations larger."""
    if len(run) and (n := run.sizes()[-1]) > MAX_OBSERVATIONS:
        return text_chart(f"D has {n:,.0f} observations, too many to show the posterior.")
    model = surrogate(run)
    if model is None:
        return text_chart(why_none(run) or NO_SURROGATE)
    dimension = run.columns["x"].shape[1]
    if dimension > 2:
        return slices(run, model)
    return (_over_time if dimension == 1 else _map)(run, model, scored)


def window(run: RunSnapshot, model: ExactSurrogate) -> tuple[float, float, float]:
    """Return (start, now, end) in seconds: recent lengthscales, and one ahead if that is near."""
    now = float(run.columns["t"][-1])
    oldest = float(np.min(model.data.Z[:, -1]))
    l_T = model.inference.theta.lengthscale_time
    start = oldest if l_T is None else max(oldest, now - PAST_LENGTHSCALES * l_T)
    if now - start < 1e-3 * now or not now:
        start = max(now - 1.0, 0.0)
    ahead = FUTURE_SHARE * (now - start)
    return start, now, now + (ahead if l_T is None else min(l_T, ahead)) or 1.0


def _over_time(run: RunSnapshot, model: ExactSurrogate, scored: Relevance | None) -> dict[str, Any]:
    start, now, end = window(run, model)
    times, side = np.linspace(start, end, CELLS), np.linspace(0.0, 1.0, CELLS)
    mean = own_sign(run) * belief_over_time(model, side, times)
    hover = "x %{y:.2f}, %{x:.1f} s: %{z:.3~s}<extra></extra>"
    t, x, best = (run.columns[name] for name in ("t", "x", "best_x"))
    kept, removed = np.array(run.members()), _removed_since(run, start)
    shown = t >= start
    traces = [
        _heat((times, side), mean, "posterior mean", hover),
        optimum(t[shown], best[shown, 0]),
        removed_dots(t[removed], x[removed, 0]),
        kept_dots(kept, t[kept], x[kept, 0], scored),
    ]
    present, name_of_line = named_line(now, "now", name="now", width=1)
    layout = {
        "xaxis": time_axis(end, begin=start),
        "yaxis": axis("x", range=[-0.02, 1.02], nticks=5, **own_ticks(run, 0)),
        "hovermode": "closest",
        "shapes": [present],
        "annotations": [name_of_line],
        "margin": margins(top=22),
    }
    better = f"{MEANING}, which is {'better' if own_sign(run) > 0 else 'worse'}"
    what = f"{better}; up to {seconds(end - now)} ahead."
    if not model.model.sees_time:
        what = f"{better}. This surrogate has no time: it is the same at every moment."
    older = int(np.sum(t[kept] < start))
    outside = f" {counted(older, 'kept observation')} from before this time." if older else ""
    caption = f"{what} {_legend(run, scored)}{outside}"
    return plot(traces, layout, best_sentence(run, model, now), caption)


def _map(run: RunSnapshot, model: ExactSurrogate, scored: Relevance | None) -> dict[str, Any]:
    now = float(run.columns["t"][-1])
    fine, coarse = (np.linspace(0.0, 1.0, cells) for cells in (MEAN_CELLS, DEVIATION_CELLS))
    mean, _ = belief_now(model, fine, now, sd=False)
    _, sd = belief_now(model, coarse, now, sd=True)
    hover = "%{z:.3~s}<extra></extra>"
    deviation = _heat((coarse, coarse), sd, "standard deviation", hover, GREY, **_bar_at(0.86))
    x, best = run.columns["x"], run.columns["best_x"][-1]
    kept, removed = np.array(run.members()), _removed_since(run, window(run, model)[0])
    traces = [
        _heat((fine, fine), own_sign(run) * mean, "mean now", hover, **_bar_at(1.04)),
        deviation | {"xaxis": "x2", "yaxis": "y2"},
        removed_dots(x[removed, 0], x[removed, 1]),
        kept_dots(kept, x[kept, 0], x[kept, 1], scored),
        optimum(best[:1], best[1:]),
    ]
    square: dict[str, Any] = {"range": [0.0, 1.0], "nticks": 5}
    ticks = own_ticks(run, 0, 3), own_ticks(run, 1, 3)
    place: dict[str, Any] = {"name": "", "yanchor": "bottom"}
    layout = {
        "xaxis": axis("x<sub>1</sub>", domain=[0.0, 0.58], **square, **ticks[0]),
        "yaxis": axis("x<sub>2</sub>", **square, **ticks[1]),
        "xaxis2": axis("x<sub>1</sub>", domain=[0.68, 1.0], anchor="y2", **square, **ticks[0]),
        "yaxis2": {"domain": [0.0, 0.62], "anchor": "x2", **square, **ticks[1]},
        "hovermode": "closest",
        "annotations": [chart_dicts.corner_note(*title, **place) for title in PANEL_TITLES],
        "margin": margins(top=22),
    }
    caption = f"Posterior at {seconds(now)}. {MEANING}. {_legend(run, scored)}"
    return plot(traces, layout, best_sentence(run, model, now), caption)


def _heat(
    axes: tuple[Array, Array],
    z: Array,
    name: str,
    hover: str,
    rgb: Rgb = BLUE,
    **bar: Any,  # noqa: ANN401
) -> Trace:
    """Return a map of z, in the units of y, with its colour bar; `bar` is the place of that."""
    look = {"colorscale": colorscale(rgb), "colorbar": colorbar(f"{name}, units of y", **bar)}
    x, y = (rounded(values, 5) for values in axes)
    return heatmap(x, y, z, name, hover=hover, **look)


def _bar_at(height: float) -> dict[str, Any]:
    """Return the place of a horizontal colour bar above the smaller of two maps."""
    place = {"orientation": "h", "x": 0.68, "xanchor": "left", "y": height, "yanchor": "top"}
    return place | {"len": 0.32, "nticks": 5, "side": "top", "xpad": 0, "ypad": 0}


def _removed_since(run: RunSnapshot, start: float) -> Rows:
    """Return the rows that were observed since `start` and are removed."""
    removed = np.ones(len(run), dtype=bool)
    removed[run.members()] = False
    return np.flatnonzero(removed & (run.columns["t"] >= start))


def _legend(run: RunSnapshot, scored: Relevance | None) -> str:
    larger = ", larger if more relevant" if scored and scored.ids else ""
    sentences = [f"Filled: kept{larger}."]
    if any(run.columns.removed[: len(run)]):
        sentences.append("Hollow: removed.")
    if np.isfinite(run.columns["best_x"][-1]).all():
        symbol = "Diamond" if run.columns["x"].shape[1] > 1 else "Dashed"
        sentences.append(f"{symbol}: the optimum, unknown to the algorithm.")
    return " ".join(sentences)
