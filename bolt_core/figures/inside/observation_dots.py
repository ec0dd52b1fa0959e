"""Observations and the optimum on a map: filled if kept, hollow if removed."""

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.common.types import Array
from bolt_core.figures.inside.relevance import Relevance
from bolt_core.figures.shared.traces import Trace, dots, line
from bolt_core.runs.snapshot import Rows

MAX_DOTS = 400  # of each kind, the newest: more would cover the map
MIN_SIZE, MAX_SIZE = 4.0, 10.0  # pixels
MIN_OPACITY = 0.25
JUMP_DISTANCE = 0.1  # of the box: the line of the optimum is interrupted here


def kept_dots(ids: Rows, x: Array, y: Array, scored: Relevance | None) -> Trace:
    """Return the observations kept; a higher rank of the score is larger and more opaque."""
    ranks = _ranks(ids, scored)[-MAX_DOTS:]
    size = rounded(MIN_SIZE + (MAX_SIZE - MIN_SIZE) * ranks, 3)
    color = rounded(MIN_OPACITY + (1.0 - MIN_OPACITY) * ranks, 3)
    return _dots(x, y, "kept", size=size, color=color, edge=1)


def removed_dots(x: Array, y: Array) -> Trace:
    """Return the observations removed."""
    return _dots(x, y, "removed", size=5, symbol="circle-open", edge=1, opacity=0.7)


def optimum(x: Array, y: Array) -> Trace:
    """Return the path of the optimum, or one point; without a point where it is unknown."""
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) == 1:
        return _dots(x, y, "optimum", symbol="diamond-open", size=13, edge=2)
    jumps = np.flatnonzero(np.abs(np.diff(y)) > JUMP_DISTANCE) + 1
    points = _newest(np.insert(x, jumps, np.nan), np.insert(y, jumps, np.nan))
    return line(*points, "optimum", width=1.5, dash="dash", hover="name")


def _ranks(ids: Rows, scored: Relevance | None) -> Array:
    """Return 0 for the least relevant and 1 for the most relevant; 1/2 without a score."""
    if scored is None or len(scored.ids) < 2:
        return np.full(len(ids), 0.5)
    order = np.argsort(np.argsort(np.asarray(scored.scores)))
    share = dict(zip(scored.ids, order / (len(order) - 1), strict=True))
    return np.array([share.get(i, 0.5) for i in ids.tolist()])


def _dots(x: Array, y: Array, name: str, **style: Any) -> Trace:  # noqa: ANN401
    return dots(*_newest(x, y), name, hover="name", **style)


def _newest(x: Array, y: Array) -> tuple[list[float | None], list[float | None]]:
    return rounded(x[-MAX_DOTS:], 5), rounded(y[-MAX_DOTS:], 4)
