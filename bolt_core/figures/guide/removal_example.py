"""The Guide's fourth figure: a small dataset in which the oldest observation is worth keeping.

Twelve observations of one place after the other, then several looks at nearly the same place: W_2
of each, exact, by the same formula as BOLT's. The nodes are a plain grid, enough in one dimension.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import plain
from bolt_core.common.text import significant
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.figures.benchmarks.benchmark_charts import chart
from bolt_core.gp.posterior import condition
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.wasserstein import Nodes, RemovalScores

THETA = Hyperparameters(1.0, 0.15, 60.0, 0.01)  # lambda, l_S, l_T in seconds, sigma_0^2
NOW = 60.0
TIMES = np.arange(0.0, 60.0, 5.0)
PLACES = np.array([0.90, 0.12, 0.55, 0.30, 0.34, 0.72, 0.31, 0.33, 0.29, 0.32, 0.05, 0.30])
GRID = (48, 16)  # nodes in x, in time


def scores() -> Array:
    """W_2 of each observation, exact but for the grid."""
    y = np.sin(7.0 * PLACES + TIMES / 40.0)
    data = Data.of(PLACES[:, None], TIMES, y)
    k = Model(1).covariance(THETA)
    known = condition(k, data, Inference(THETA))
    length = 2.0 * float(THETA.lengthscale_time or 1.0)
    x, t = np.meshgrid(*((np.arange(m) + 0.5) / m for m in GRID))
    cells = np.column_stack([x.ravel(), NOW + length * t.ravel()])
    nodes = Nodes(cells, np.full(len(cells), length / len(cells)))
    return RemovalScores(k, data.Z, known.inverse(), known.a, nodes).scores()


def removal_example() -> dict[str, Any]:
    """W_2 above, places below, over the time each observation was made."""
    score = scores()
    least = int(np.argmin(score))
    low, high = 0.4 * float(score.min()), 3.0 * float(score.max())
    floor = np.full_like(score, low)
    stems = np.column_stack([floor, score, np.full_like(score, np.nan)]).ravel()
    line: dict[str, Any] = {"type": "scatter", "mode": "lines", "line": {"width": 2}}
    dots: dict[str, Any] = {"type": "scatter", "mode": "markers", "x": plain(TIMES)}
    where = {"hovertemplate": "x = %{y:.2f}", "yaxis": "y2"}
    traces = [
        line | {"name": "stems", "x": plain(np.repeat(TIMES, 3)), "y": plain(stems)},
        dots | {"name": "W2", "y": plain(score), "marker": {"size": 9}},
        dots | {"name": "place", "y": plain(PLACES), "marker": {"size": 7}} | where,
        _marked("leaves next", TIMES[least], score[least], 13),
        _marked("leaves next, place", TIMES[least], PLACES[least], 11) | {"yaxis": "y2"},
    ]
    age, oldest = NOW - TIMES[least], NOW - TIMES[0]
    layout = {
        "xaxis": {"title": {"text": "made at (s)"}, "range": [-3, NOW], "anchor": "y2"},
        "yaxis": {
            "title": {"text": "W\N{SUBSCRIPT TWO} without it"},
            "type": "log",
            "dtick": 1,
            "range": [float(np.log10(low)), float(np.log10(high))],
            "domain": [0.5, 1.0],
        },
        "yaxis2": {"title": {"text": "x"}, "range": [0, 1], "domain": [0.0, 0.36], "dtick": 0.5},
        "annotations": [
            _note("oldest", "the oldest", 0, score),
            _note("bolt", "<b>removed next</b>", least, score),
        ],
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "meta": {
            "alt": f"Of twelve observations the one that leaves is {age:g} s old, with neighbours "
            f"at almost the same place; the oldest, {oldest:g} s old and alone where it is, "
            f"matters {significant(float(score[0] / score[least]))} times as much.",
            "caption": "Above, how much the surrogate would change without each of twelve "
            "observations, logarithmic; below, where they were made. The one that leaves is "
            f"{age:g} s old and has neighbours that say the same; the oldest, {oldest:g} s old, is "
            "alone in its part of the box.",
        },
    }
    return chart(traces, layout)


def _marked(name: str, t: float, y: float, size: int) -> dict[str, Any]:
    """The one that leaves, in BOLT's colour."""
    trace = {"type": "scatter", "mode": "markers", "name": name, "meta": "bolt"}
    return trace | {"x": [float(t)], "y": [float(y)], "marker": {"size": size}, "hoverinfo": "skip"}


def _note(key: str, text: str, i: int, score: Array) -> dict[str, Any]:
    place = {"x": float(TIMES[i]), "y": float(np.log10(score[i])), "yshift": 14, "showarrow": False}
    return {"name": key, "text": text, "xanchor": "left" if i == 0 else "center"} | place
