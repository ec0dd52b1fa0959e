"""What the surrogate believes, with the observations it believes it from.

One coordinate: the posterior mean over x and t, from a few lengthscales ago to one ahead. Two: the
mean now, beside its standard deviation. More cannot be drawn, so there is a slice along each
coordinate, through the best place known. Kept observations are filled, the more relevant the
larger and fuller; those that left are hollow. The moving optimum comes from the record: the
algorithm never saw it. No trace grows with time: a moment of the past is a belief of its own. A few
milliseconds (the mean is separable), meant for the frames' thread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.analysis.surrogate_from_record import surrogate, why_none
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.belief import belief_now, belief_over_time, best_place
from bolt_core.figures.inside.observation_dots import kept_dots, optimum, removed_dots
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.figures.inside.slices import slices
from bolt_core.figures.shared.chart_dicts import Times, axis, plot, text_chart
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

CELLS = 60  # a side, over x and t
SIDE, COARSE = 45, 25  # a side of the square: of the mean, of the standard deviation
MANY = 1500  # observations: a tenth of a second
BEHIND = 4.0  # lengthscales shown at most
AHEAD = 0.35  # of what lies behind: at most so much future
BLUE = "57, 126, 214"  # on white and on black alike: paler is lower
GREY = "128, 128, 128"
WAIT = "No surrogate yet: it is learned when the warm-up is over."


def posterior(run: RunSnapshot, scored: Relevance | None = None) -> dict[str, Any]:
    """The belief after the last pass; `scored` makes relevant observations larger."""
    n = float(run.sizes()[-1]) if len(run) else 0.0
    if n > MANY:
        return text_chart(
            f"D holds {n:,.0f} observations: too many to compute the belief for a screen."
        )
    found = surrogate(run)
    if found is None:
        return text_chart(why_none(run) or WAIT)
    dimension = run.columns["x"].shape[1]
    if dimension == 1:
        return _moving(run, found, scored)
    if dimension == 2:
        return _map(run, found, scored)
    return slices(run, found)


def window(run: RunSnapshot, found: ExactSurrogate) -> tuple[float, float, float]:
    """(from, now, to) in seconds: recent lengthscales, and one ahead unless that is too far."""
    now = float(run.columns["t"][-1])
    oldest = float(np.min(found.data.Z[:, -1]))
    l_T = found.inference.theta.lengthscale_time
    start = oldest if l_T is None else max(oldest, now - BEHIND * l_T)
    if now - start < 1e-3 * now or not now:
        start = max(now - 1.0, 0.0)
    ahead = AHEAD * (now - start)
    return start, now, now + (ahead if l_T is None else min(l_T, ahead)) or 1.0


def _moving(run: RunSnapshot, found: ExactSurrogate, scored: Relevance | None) -> dict[str, Any]:
    start, now, end = window(run, found)
    times, places = np.linspace(start, end, CELLS), np.linspace(0.0, 1.0, CELLS)
    mean = belief_over_time(found, places, times)
    heat = _heat(times, places, mean, BLUE) | {
        "name": "posterior mean",
        "hovertemplate": "x %{y:.2f}, %{x:.1f} s: %{z:.3~s}<extra></extra>",
    }
    t, x = run.columns["t"], run.columns["x"][:, 0]
    kept, gone = np.array(run.members()), _gone(run, start)
    best = run.columns["best_x"][:, 0]
    drawn: list[tuple[dict[str, Any], Times]] = [
        (heat, None),
        (optimum(t[t >= start], best[t >= start]), None),
        (removed_dots(t[gone], x[gone]), None),
        (kept_dots(kept, t[kept], x[kept], scored), None),
    ]
    older = int(np.sum(t[kept] < start))
    layout = {
        "xaxis": axis("time (s)", range=[start, end]),
        "yaxis": axis("x", range=[-0.02, 1.02], nticks=5),
        "hovermode": "closest",
        "shapes": [_now(now)],
        "annotations": [_now_name(now)],
        "margin": {"l": 8, "r": 12, "t": 22, "b": 8},
    }
    return plot(
        drawn,
        layout,
        _alt(run, found),
        f"{_moving_words(found, end - now)} {_legend(run, scored)}{_older(older)}",
    )


def _map(run: RunSnapshot, found: ExactSurrogate, scored: Relevance | None) -> dict[str, Any]:
    now = float(run.columns["t"][-1])
    side, coarse = np.linspace(0.0, 1.0, SIDE), np.linspace(0.0, 1.0, COARSE)
    mean, _ = belief_now(found, side, now, sd=False)
    _, sd = belief_now(found, coarse, now, sd=True)
    hover = "%{z:.3~s}<extra></extra>"
    left = _heat(side, side, mean, BLUE) | {"name": "mean now", "hovertemplate": hover}
    right = _heat(coarse, coarse, sd, GREY) | {"name": "standard deviation"}
    right |= {"hovertemplate": hover, "xaxis": "x2", "yaxis": "y2"}
    x = run.columns["x"]
    kept, gone = np.array(run.members()), _gone(run, window(run, found)[0])
    best = run.columns["best_x"][-1]
    drawn: list[tuple[dict[str, Any], Times]] = [
        (left, None),
        (right, None),
        (removed_dots(x[gone, 0], x[gone, 1]), None),
        (kept_dots(kept, x[kept, 0], x[kept, 1], scored), None),
        (optimum(best[:1], best[1:]), None),
    ]
    square = {"range": [0.0, 1.0], "nticks": 5}
    layout = {
        "xaxis": axis("x<sub>1</sub>", domain=[0.0, 0.58], **square),
        "yaxis": axis("x<sub>2</sub>", **square),
        "xaxis2": axis("x<sub>1</sub>", domain=[0.68, 1.0], anchor="y2", **square),
        "yaxis2": {"domain": [0.0, 0.62], "anchor": "x2", **square},
        "hovermode": "closest",
        "annotations": [_head("mean now", 0.0, 1.0), _head("standard deviation", 0.68, 0.62)],
        "margin": {"l": 8, "r": 12, "t": 22, "b": 8},
    }
    return plot(
        drawn, layout, _alt(run, found), f"The belief at {seconds(now)}. {_legend(run, scored)}"
    )


def _heat(x: Array, y: Array, z: Array, rgb: str) -> dict[str, Any]:
    """z is (len(y), len(x)); paler is lower, on any ground."""
    rows = np.reshape(np.array(rounded(z.ravel(), 4), dtype=float), z.shape).tolist()
    scale = [[0.0, f"rgba({rgb}, 0.04)"], [1.0, f"rgba({rgb}, 0.95)"]]
    place = {"x": rounded(x, 5), "y": rounded(y, 5), "z": rows}
    return {"type": "heatmap", "zsmooth": "best", "showscale": False, "colorscale": scale} | place


def _gone(run: RunSnapshot, start: float) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Rows that were taken since `start` and have left."""
    away = np.ones(len(run), dtype=bool)
    away[run.members()] = False
    return np.flatnonzero(away & (run.columns["t"] >= start))


def _now(now: float) -> dict[str, Any]:
    sides = {"x0": now, "x1": now, "y0": 0.0, "y1": 1.0, "yref": "paper"}
    return {"name": "now", "type": "line", "line": {"width": 1, "dash": "dot"}} | sides


def _now_name(now: float) -> dict[str, Any]:
    place = {"x": now, "y": 1.0, "yref": "paper", "yanchor": "bottom"}
    return {"name": "now", "text": "now", "showarrow": False} | place


def _head(said: str, x: float, y: float) -> dict[str, Any]:
    place = {"x": x, "xref": "paper", "xanchor": "left", "y": y, "yref": "paper"}
    return {"name": "", "text": said, "showarrow": False, "yanchor": "bottom"} | place


def _legend(run: RunSnapshot, scored: Relevance | None) -> str:
    said = f"Filled: kept{', larger the more relevant' if scored and scored.ids else ''}. "
    if any(run.columns.removed[: len(run)]):
        said += "Hollow: left. "
    if np.isfinite(run.columns["best_x"][-1]).all():
        said += "Diamond" if run.columns["x"].shape[1] > 1 else "Dashed"
        return said + ": the optimum, which the algorithm does not see."
    return said.rstrip()


def _moving_words(found: ExactSurrogate, ahead: float) -> str:
    if found.model.sees_time:
        return f"Bluer is better; up to {seconds(ahead)} ahead."
    return "Bluer is better. This surrogate sees no time: it believes the same of any moment."


def _older(many: int) -> str:
    return f" {many:,} kept {'is' if many == 1 else 'are'} older than this." if many else ""


def _alt(run: RunSnapshot, found: ExactSurrogate) -> str:
    x, mean, sd = best_place(found, float(run.columns["t"][-1]))
    where = ", ".join(f"{v:.2f}" for v in x)
    spread = f"{significant(mean)} \N{PLUS-MINUS SIGN} {significant(sd)}"
    name = label(run.config.algorithm)
    return f"{name} believes the best observed place now is x = ({where}), worth {spread}."
