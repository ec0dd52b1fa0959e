"""The fourth figure of the Guide: a small dataset in which the oldest observation is worth keeping.

Twelve observations: some far apart, several of them at nearly the same x. The scores W_2 use the
same formula as BOLT; the nodes are a plain grid, which is enough in one dimension.
"""

from typing import Any

import numpy as np

from bolt_core.common.text import significant
from bolt_core.common.types import Array, Hyperparameters
from bolt_core.figures.shared.chart_dicts import axis, log_axis, margins, note, plot
from bolt_core.figures.shared.traces import Trace, dots, line, stems
from bolt_core.gp.posterior import condition
from bolt_core.gp.protocol import Data, Inference, Model
from bolt_core.theory.wasserstein import Nodes, RemovalScores

THETA = Hyperparameters(1.0, 0.15, 60.0, 0.01)  # lambda, l_S, l_T in seconds, sigma_0^2
NOW = 60.0  # seconds
TIMES = np.arange(0.0, 60.0, 5.0)
PLACES = np.array([0.90, 0.12, 0.55, 0.30, 0.34, 0.72, 0.31, 0.33, 0.29, 0.32, 0.05, 0.30])  # x
GRID = (48, 16)  # nodes in x and in time


def scores() -> Array:
    """Return W_2 of each observation, exact up to the grid."""
    y = np.sin(7.0 * PLACES + TIMES / 40.0)
    data = Data.of(PLACES[:, None], TIMES, y)
    k = Model(1).covariance(THETA)
    posterior = condition(k, data, Inference(THETA))
    length = 2.0 * float(THETA.lengthscale_time or 1.0)
    x, t = np.meshgrid(*((np.arange(m) + 0.5) / m for m in GRID))
    cells = np.column_stack([x.ravel(), NOW + length * t.ravel()])
    nodes = Nodes(cells, np.full(len(cells), length / len(cells)))
    return RemovalScores(k, data.Z, posterior.inverse(), posterior.a, nodes).scores()


def removal_example() -> dict[str, Any]:
    """Return the figure: W_2 above and x below, over the time of each observation."""
    score = scores()
    least = int(np.argmin(score))
    low, high = 0.4 * float(score.min()), 3.0 * float(score.max())
    traces = [
        line(np.repeat(TIMES, 3), stems(TIMES, low, score)[1], "stems"),
        dots(TIMES, score, "W2", size=9),
        dots(TIMES, PLACES, "x", size=7, hover="x = %{y:.2f}", yaxis="y2"),
        _removed("removed next", TIMES[least], score[least], 13),
        _removed("removed next, x", TIMES[least], PLACES[least], 11) | {"yaxis": "y2"},
    ]
    span = float(np.log10(low)), float(np.log10(high))
    title = "W\N{SUBSCRIPT TWO} without it"
    layout = {
        "xaxis": axis("time of query (s)", range=[-3, NOW], anchor="y2"),
        "yaxis": log_axis(title, span, dtick=1, domain=[0.5, 1.0]),
        "yaxis2": axis("x", range=[0, 1], domain=[0.0, 0.36], dtick=0.5),
        "annotations": [
            _note("oldest", "the oldest", 0, score),
            _note("bolt", "<b>removed next</b>", least, score),
        ],
        "margin": margins(top=8),
    }
    age, oldest = f"{NOW - TIMES[least]:g} s old", f"{NOW - TIMES[0]:g} s old"
    ratio = significant(float(score[0] / score[least]))
    return plot(
        traces,
        layout,
        f"Of twelve observations the one removed next is {age}, with neighbours at almost the same "
        f"x; the oldest, {oldest} and alone in its part of the box, matters {ratio} times as much.",
        "Above: how much the surrogate would change without each of twelve observations, on a "
        f"logarithmic axis. Below: their x. The observation removed next is {age} and has "
        f"neighbours with the same information; the oldest, {oldest}, is alone in its part of the "
        "box.",
    )


def _removed(name: str, t: float, y: float, size: int) -> Trace:
    """Return a mark on the observation that is removed next, in the colour of BOLT."""
    return dots([float(t)], [float(y)], name, key="bolt", size=size, hover="skip")


def _note(key: str, text: str, row: int, score: Array) -> dict[str, Any]:
    anchor = "left" if row == 0 else "center"
    height = float(np.log10(score[row]))
    return note(text, float(TIMES[row]), height, name=key, yshift=14, xanchor=anchor)
