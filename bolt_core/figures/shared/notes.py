"""What the records of a run note, as columns; and the pieces that drawings of rules share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import plain, thin
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import Times, axis
from bolt_core.figures.shared.palette import ink
from bolt_core.runs.snapshot import RunSnapshot


class Grown:
    """A number a pass, read from its remarks; as a run grows, only what is new is read.

    The remarks of a run are one list, which is only ever added to: it is known by identity.
    """

    def __init__(self, read: Callable[[Mapping[str, Any]], float]) -> None:
        self._read = read
        self._last: tuple[object, Array] = None, np.empty(0)

    def __call__(self, run: RunSnapshot) -> Array:
        remarks, length = run.columns.remarks, len(run)
        known, column = self._last
        if known is not remarks:
            column = np.empty(0)
        if len(column) < length:
            new = [float(self._read(said)) for said in remarks[len(column) : length]]
            column = np.append(column, new)
            self._last = remarks, column
        return column[:length]


def noted(run: RunSnapshot, name: str) -> Array:
    """One number a pass; NaN where it is not noted."""
    found = (remarks.get(name) for remarks in run.columns.remarks[: len(run)])
    return np.array([np.nan if value is None else value for value in found], dtype=float)


def time_axis(run: RunSnapshot, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's own words
    """As far as the run came."""
    return axis("time (s)", range=[0.0, float(run.columns["t"][-1]) or 1.0], **more)


def own(run: RunSnapshot, x: Array, y: Array, name: str, **style: Any) -> dict[str, Any]:  # noqa: ANN401
    """A step line in the algorithm's colour."""
    key = run.config.algorithm
    line = {"width": ink(key).width, "shape": "hv"}
    return _line(x, y, name, line) | {"meta": key} | style


def plain_line(x: Array, y: Array, name: str, **style: Any) -> dict[str, Any]:  # noqa: ANN401
    """A thin dotted step line in ink: a limit."""
    return _line(x, y, name, {"width": 1.5, "shape": "hv", "dash": "dot"}) | style


def dots(run: RunSnapshot, x: Array, y: Array, name: str, **style: Any) -> dict[str, Any]:  # noqa: ANN401
    """Points in the algorithm's colour."""
    x, y = thin(x, y)
    trace = {"type": "scatter", "mode": "markers", "name": name, "meta": run.config.algorithm}
    marker = {"size": 5, "line": {"width": 0}}
    hover = {"hovertemplate": "%{y:.3~r}"}
    return trace | {"x": plain(x), "y": plain(y), "marker": marker} | hover | style


def uprights(
    run: RunSnapshot, rows: Array, low: float, high: float, name: str
) -> tuple[dict[str, Any], Times]:
    """A vertical mark at each of those passes; the newest 200, more would be a wall."""
    t = run.columns["t"][rows][-200:]
    x = np.column_stack([t, t, np.full(len(t), np.nan)]).ravel()
    y = np.column_stack([np.full(len(t), low), np.full(len(t), high), np.full(len(t), np.nan)])
    style = {"mode": "lines", "line": {"width": 1, "dash": "dash"}, "hoverinfo": "skip"}
    trace = {"type": "scatter", "name": name, "x": plain(x), "y": plain(y.ravel())}
    return trace | style, plain(np.repeat(t, 3))


def _line(x: Array, y: Array, name: str, line: dict[str, Any]) -> dict[str, Any]:
    x, y = thin(x, y)
    place = {"x": plain(x), "y": plain(y), "name": name, "line": line}
    hover = {"hovertemplate": "%{y:.3~r}"}
    return {"type": "scatter", "mode": "lines"} | place | hover
