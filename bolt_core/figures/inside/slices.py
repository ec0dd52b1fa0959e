"""Posterior for three inputs or more: one slice along each input, through the best observed x."""

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.common.types import Array
from bolt_core.figures.inside.belief import best_observed, best_sentence
from bolt_core.figures.shared.chart_dicts import axis, plot
from bolt_core.figures.shared.own_problem import own_ticks
from bolt_core.figures.shared.traces import Trace, dots, line
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.own_problem import own_sign
from bolt_core.runs.snapshot import RunSnapshot

POINTS = 41  # of a slice
GAP = 0.05  # between panels, of the width


def slices(run: RunSnapshot, model: ExactSurrogate) -> dict[str, Any]:
    """Return mean and two standard deviations now, in one panel per input."""
    now = float(run.columns["t"][-1])
    x, mean, _ = best_observed(model, now)
    sign = own_sign(run)
    side = np.linspace(0.0, 1.0, POINTS)
    dimension = len(x)
    points = np.tile(x, (dimension, POINTS, 1))
    for k in range(dimension):
        points[k, :, k] = side
    predicted = model.posterior(points.reshape(-1, dimension), now)
    mu, sigma = (values.reshape(dimension, POINTS) for values in predicted)
    mu, mean = sign * mu, sign * mean
    lowest, highest = float(np.min(mu - 2 * sigma)), float(np.max(mu + 2 * sigma))
    room = 0.06 * (highest - lowest)  # for the marks at the ends
    optimum = run.columns["best_x"][-1]
    traces: list[Trace] = []
    layout: dict[str, Any] = {
        "yaxis": axis("posterior now", range=[lowest - room, highest + room], nticks=6),
        "hovermode": "closest",
    }
    width = (1.0 - GAP * (dimension - 1)) / dimension
    for k in range(dimension):
        suffix = "" if k == 0 else str(k + 1)
        panel = [
            *_slice(run.config.algorithm, side, mu[k], sigma[k]),
            _mark(x[k : k + 1], mean, "circle", "best observed x"),
            _mark(optimum[k : k + 1], lowest, "diamond-open", "optimum"),
        ]
        traces += [trace | {"xaxis": f"x{suffix}"} for trace in panel]
        left = k * (width + GAP)
        ticks = {"range": [0.0, 1.0], "tickvals": [0.0, 0.5, 1.0], **own_ticks(run, k, 3)}
        domain = [left, min(left + width, 1.0)]
        layout[f"xaxis{suffix}"] = axis(f"x<sub>{k + 1}</sub>", domain=domain, **ticks)
    caption = (
        f"x has {dimension} coordinates. Each panel varies one of them from the best observed x "
        "(dot). Band: two standard deviations."
    )
    if np.isfinite(optimum).all():
        caption += " Diamond: the coordinate of the optimum."
    return plot(traces, layout, best_sentence(run, model, now), caption)


def _slice(key: str, side: Array, mu: Array, sigma: Array) -> list[Trace]:
    """Return the band of two standard deviations, and the mean."""
    edge = np.concatenate([mu + 2 * sigma, (mu - 2 * sigma)[::-1]])
    x = rounded(np.concatenate([side, side[::-1]]), 4)
    area: dict[str, Any] = {"width": 0, "fill": "toself", "hover": "skip"}
    hover = "%{y:.3~s}<extra></extra>"
    return [
        line(x, rounded(edge, 5), "two deviations", key=key, **area),
        line(rounded(side, 4), rounded(mu, 5), "mean", key=key, hover=hover),
    ]


def _mark(x: Array, y: float, symbol: str, name: str) -> Trace:
    x = x[np.isfinite(x)]
    look: dict[str, Any] = {"symbol": symbol, "size": 9, "edge": 2, "cliponaxis": False}
    return dots(rounded(x, 4), rounded(np.full(len(x), y), 5), name, hover="name", **look)
