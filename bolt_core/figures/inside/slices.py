"""A belief over three coordinates or more: one slice along each, through the best place known."""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.belief import best_place
from bolt_core.figures.shared.chart_dicts import Times, axis, plot
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

POINTS = 41
GAP = 0.05  # of the width


def slices(run: RunSnapshot, found: ExactSurrogate) -> dict[str, Any]:
    """Mean and two standard deviations on each side, now."""
    now = float(run.columns["t"][-1])
    x, mean, sd = best_place(found, now)
    side = np.linspace(0.0, 1.0, POINTS)
    dimension = len(x)
    points = np.tile(x, (dimension, POINTS, 1))
    for k in range(dimension):
        points[k, :, k] = side
    mu, sigma = (
        values.reshape(dimension, POINTS)
        for values in found.posterior(points.reshape(-1, dimension), now)
    )
    lowest, highest = float(np.min(mu - 2 * sigma)), float(np.max(mu + 2 * sigma))
    pad = 0.06 * (highest - lowest)  # so that marks at the ends are drawn
    best = run.columns["best_x"][-1]
    drawn: list[tuple[dict[str, Any], Times]] = []
    layout: dict[str, Any] = {
        "yaxis": axis("belief now", range=[lowest - pad, highest + pad], nticks=6),
        "hovermode": "closest",
    }
    wide = (1.0 - GAP * (dimension - 1)) / dimension
    for k in range(dimension):
        suffix = "" if k == 0 else str(k + 1)
        own = {"xaxis": f"x{suffix}"}
        drawn += [(trace | own, None) for trace in _slice(run, side, mu[k], sigma[k])]
        drawn += [(_mark(x[k : k + 1], mean, "circle", "best place known") | own, None)]
        drawn += [(_mark(best[k : k + 1], lowest, "diamond-open", "optimum") | own, None)]
        domain = [k * (wide + GAP), min(k * (wide + GAP) + wide, 1.0)]
        layout[f"xaxis{suffix}"] = axis(
            f"x<sub>{k + 1}</sub>", range=[0.0, 1.0], domain=domain, tickvals=[0.0, 0.5, 1.0]
        )
    name = label(run.config.algorithm)
    alt = (
        f"{name} believes the best observed place now is "
        f"({', '.join(f'{v:.2f}' for v in x)}), worth {significant(mean)} "
        f"\N{PLUS-MINUS SIGN} {significant(sd)}."
    )
    return plot(drawn, layout, alt, _caption(dimension, known=bool(np.isfinite(best).all())))


def _slice(run: RunSnapshot, side: Array, mu: Array, sigma: Array) -> list[dict[str, Any]]:
    key = run.config.algorithm
    around = np.concatenate([mu + 2 * sigma, (mu - 2 * sigma)[::-1]])
    band = {"fill": "toself", "line": {"width": 0}, "hoverinfo": "skip", "name": "two deviations"}
    line = {"line": {"width": 2}, "name": "mean", "hovertemplate": "%{y:.3~s}<extra></extra>"}
    return [
        _lines(np.concatenate([side, side[::-1]]), around) | {"meta": key} | band,
        _lines(side, mu) | {"meta": key} | line,
    ]


def _lines(x: Array, y: Array) -> dict[str, Any]:
    return {"type": "scatter", "mode": "lines", "x": rounded(x, 4), "y": rounded(y, 5)}


def _mark(x: Array, y: float, symbol: str, name: str) -> dict[str, Any]:
    known = x[np.isfinite(x)]
    trace = _lines(known, np.full(len(known), y))
    marker = {"symbol": symbol, "size": 9, "line": {"width": 2}}
    style = {"mode": "markers", "name": name, "marker": marker, "hoverinfo": "name"}
    return trace | style | {"cliponaxis": False}


def _caption(dimension: int, *, known: bool) -> str:
    said = (
        f"x has {dimension} coordinates, so there is no map: each panel moves one of them away "
        "from the best place known (dot). Band: two standard deviations."
    )
    return said + " Diamond: the optimum's coordinate." * known
