"""Observations and the optimum on a map: filled when kept, hollow when they left."""

from __future__ import annotations

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.common.types import Array
from bolt_core.figures.inside.relevance import Relevance

MOST = 400  # of each kind, the newest: more would cover the map
SMALL, LARGE = 4.0, 10.0  # pixels
PALE = 0.25
LEAP = 0.1  # of the box: the optimum is elsewhere at once, and no line joins the two


def kept_dots(
    ids: np.ndarray[tuple[int], np.dtype[np.intp]], x: Array, y: Array, scored: Relevance | None
) -> dict[str, Any]:
    """Larger and fuller by the rank of their score; all alike without scores."""
    ranks = _ranks(ids, scored)[-MOST:]
    marker = {
        "size": rounded(SMALL + (LARGE - SMALL) * ranks, 3),
        "color": rounded(PALE + (1.0 - PALE) * ranks, 3),
        "line": {"width": 1},
    }
    return _dots(x, y, "kept") | {"marker": marker}


def removed_dots(x: Array, y: Array) -> dict[str, Any]:
    marker = {"size": 5, "symbol": "circle-open", "line": {"width": 1}}
    return _dots(x, y, "left") | {"marker": marker, "opacity": 0.7}


def optimum(x: Array, y: Array) -> dict[str, Any]:
    """Its path, or one place; where nobody knows it, nothing."""
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if len(x) == 1:
        trace = _dots(x, y, "optimum")
        return trace | {"marker": {"symbol": "diamond-open", "size": 13, "line": {"width": 2}}}
    leaps = np.flatnonzero(np.abs(np.diff(y)) > LEAP) + 1
    trace = _dots(np.insert(x, leaps, np.nan), np.insert(y, leaps, np.nan), "optimum")
    return trace | {"mode": "lines", "line": {"width": 1.5, "dash": "dash"}}


def _ranks(ids: np.ndarray[tuple[int], np.dtype[np.intp]], scored: Relevance | None) -> Array:
    """0 the least relevant, 1 the most; 1/2 for what was not scored."""
    ranks = np.full(len(ids), 0.5)
    if scored is None or len(scored.ids) < 2:
        return ranks
    order = np.argsort(np.argsort(np.asarray(scored.scores)))
    share = dict(zip(scored.ids, order / (len(order) - 1), strict=True))
    return np.array([share.get(i, 0.5) for i in ids.tolist()])


def _dots(x: Array, y: Array, name: str) -> dict[str, Any]:
    place = {"x": rounded(x[-MOST:], 5), "y": rounded(y[-MOST:], 4)}
    return {"type": "scatter", "mode": "markers", "name": name, "hoverinfo": "name"} | place
