"""Traces in plotly's schema: lines, steps, bands, dots, bars, heat maps.

Arrays are rounded to six significant digits for JSON; lists are passed on as they are. `key` is an
algorithm's key: it is stored as `meta` of the trace, by which the browser picks the colour for its
theme. `hover` is a plotly hover template, or "skip" or "name" for plotly's `hoverinfo`. Any other
keyword is a property of the trace (`yaxis="y2"`, `opacity=0.4`).
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import POINTS_PER_TRACE, rounded, thin
from bolt_core.analysis.lanes import Lane
from bolt_core.common.types import Array
from bolt_core.figures.shared.palette import line_style

Trace = dict[str, Any]
Values = Array | Sequence[Any]
Curve = tuple[Array, Array]  # x and y

_HOVERINFO = ("skip", "name")
_OUTLINE = {"edge": "width", "edge_color": "color"}


def line(x: Values, y: Values, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return a line through the points, 2 pixels wide; a NaN interrupts it.

    `width`, `dash`, `shape` and `simplify` among `style` are properties of the stroke.
    """
    stroke = {"width": 2.0} | _taken(style, "width", "dash", "shape", "simplify")
    return _points("scatter", x, y, name, style) | {"mode": "lines", "line": stroke} | style


def steps(x: Values, y: Values, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return a `line` whose value holds until the next point."""
    return line(x, y, name, shape="hv", **style)


def lane_line(lane: Lane, x: Array, y: Array, **style: Any) -> Trace:  # noqa: ANN401
    """Return a `line` named and drawn like its lane, with at most `POINTS_PER_TRACE` points."""
    look = line_style(lane.key, lane.nth)
    x, y = thin(x, y)
    return line(x, y, lane.label, key=lane.key, width=look.width, dash=look.dash, **style)


def dots(x: Values, y: Values, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return a marker at each point.

    `size` (pixels), `symbol` and `color` among `style` are properties of the marker; `edge` is the
    width of its outline in pixels and `edge_color` the colour of that.
    """
    marker = _taken(style, "size", "symbol", "color")
    if outline := _taken(style, *_OUTLINE):
        marker["line"] = {_OUTLINE[name]: value for name, value in outline.items()}
    return _points("scatter", x, y, name, style) | {"mode": "markers", "marker": marker} | style


def band(x: Array, low: Array, high: Array, name: str, *, key: str = "") -> Trace:
    """Return the filled area between two curves over the same x."""
    x_high, high = thin(x, high, POINTS_PER_TRACE // 2)
    x_low, low = thin(x, low, POINTS_PER_TRACE // 2)
    outline = np.append(x_high, x_low[::-1]), np.append(high, low[::-1])
    return line(*outline, name, key=key, width=0, hover="skip", fill="toself")


def bars(x: Values, y: Values, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return one bar per category in `x`."""
    return _points("bar", x, y, name, style) | style


def error_bar(
    error: float, *, below: float | None = None, thickness: float = 1.5, **style: float
) -> dict[str, Any]:
    """Return `error_x` or `error_y` of a single point; `below` if it is another one downwards."""
    sides = {} if below is None else {"symmetric": False, "arrayminus": [below]}
    return error_bars([error], thickness=thickness, **style) | sides


def error_bars(
    errors: Sequence[float], *, thickness: float = 1.5, **style: float
) -> dict[str, Any]:
    """Return `error_x` or `error_y` of several points."""
    return {"type": "data", "array": list(errors), "thickness": thickness} | style


def heatmap(x: Values, y: Values, z: Array, name: str, **style: Any) -> Trace:  # noqa: ANN401
    """Return a smoothed map of z, of shape (len(y), len(x)); `digits` per value, 4 by default."""
    digits = style.pop("digits", 4)
    rows = [rounded(row, digits) for row in z]
    return _points("heatmap", x, y, name, style) | {"z": rows, "zsmooth": "best"} | style


def stems(x: Array, low: float | Array, high: float | Array) -> Curve:
    """Return vertical strokes from `low` to `high` as one interrupted line."""
    x, low, high = np.broadcast_arrays(x, low, high)
    gap = np.full(len(x), np.nan)
    return np.column_stack([x, x, gap]).ravel(), np.column_stack([low, high, gap]).ravel()


def joined(curves: Iterable[Curve]) -> Curve:
    """Return several curves as one line, with a gap after each."""
    parts = [(np.append(x, np.nan), np.append(y, np.nan)) for x, y in curves]
    return np.concatenate([x for x, _ in parts]), np.concatenate([y for _, y in parts])


def _points(kind: str, x: Values, y: Values, name: str, style: dict[str, Any]) -> Trace:
    """Return a trace without its look; `key` and `hover` are removed from `style`."""
    trace = {"type": kind, "name": name, "x": _listed(x), "y": _listed(y)}
    if key := style.pop("key", ""):
        trace["meta"] = key
    if hover := style.pop("hover", ""):
        trace["hoverinfo" if hover in _HOVERINFO else "hovertemplate"] = hover
    return trace


def _listed(values: Values) -> list[Any]:
    return rounded(values) if isinstance(values, np.ndarray) else list(values)


def _taken(style: dict[str, Any], *names: str) -> dict[str, Any]:
    """Remove the named properties from `style` and return those it had."""
    return {name: style.pop(name) for name in names if name in style}
