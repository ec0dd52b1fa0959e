"""Charts of a benchmark: its landscape at one time, its optimum's path, the paper's results.

Pure: a `Overview` in, plain dicts in plotly's schema out. A curve keeps its scale while time moves; a
map is shaded by rank within its moment, and its colour bar says what the shades are worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import plain
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.figures.benchmarks.thumbnail import motion
from bolt_core.figures.shared.colormap import INK, colorscale
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.runs.lane_names import label

LINE, MAP = 241, 45  # places along a curve; along each side of a map
FEW = 3  # coordinates whose paths are drawn together; of more, only the shown ones
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
UPPER, LOWER = [0.52, 1.0], [0.0, 0.4]  # of the height


@dataclass(frozen=True, slots=True)
class Overview:
    """What stays the same while time moves."""

    board: Benchmark
    path: optimum_path.Path
    shown: list[int]  # the one or two coordinates that are drawn
    span: tuple[float, float]  # heights over the whole horizon that a curve has to show

    @property
    def drawn(self) -> list[int]:
        """Coordinates whose paths are drawn."""
        dimension = self.board.dimension
        return list(range(dimension)) if dimension <= FEW else self.shown


def overview(board: Benchmark) -> Overview:
    """Everything about a benchmark that is worth keeping: some milliseconds."""
    path = optimum_path.optimum_path(board)
    heights = path.f
    if board.dimension == 1:
        heights = optimum_path.over_time(board, path, 0, np.linspace(0.0, 1.0, LINE))
    return Overview(board, path, path.coordinates(2), (float(heights.min()), float(heights.max())))


def landscape(seen: Overview, t: float) -> dict[str, Any]:
    """f at the time of the path that is nearest to t: a curve for d = 1, else a map."""
    step = seen.path.nearest(t)
    return _curve(seen, step) if seen.board.dimension == 1 else _map(seen, step)


def optimum(seen: Overview, t: float) -> dict[str, Any]:
    """Where the optimum is above, how high below; a rule at t through both."""
    path = seen.path
    style: dict[str, Any] = {"type": "scatter", "mode": "lines"}
    traces = [
        style
        | {"name": name(i, path.x.shape[1])}
        | _upright(path, path.x[:, i])
        | {"line": {"width": 2, "dash": DASHES[i % len(DASHES)]}, "hovertemplate": "%{y:.3f}"}
        for i in seen.drawn
    ]
    height = style | {"name": "f*", "x": plain(path.t), "y": plain(path.f), "yaxis": "y2"}
    traces.append(height | {"line": {"width": 2}, "hovertemplate": "%{y:.4~g}"})
    return chart(traces, _path_layout(seen, path.t[path.nearest(t)]))


def published(row: Mapping[str, Any], board_label: str) -> dict[str, Any]:
    """A row of Table 2: mean and standard error of each algorithm, the lowest on top."""
    order = sorted(row["mean"], key=lambda key: -row["mean"][key])
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": label(key),
            "meta": key,
            "x": [row["mean"][key]],
            "y": [_with_number(row, key)],
            "marker": {"size": 10},
            "error_x": {"array": [row["error"][key]], "thickness": 2, "width": 5},
            "hoverinfo": "skip",
        }
        for key in order
    ]
    told = ", ".join(f"{label(k)} {significant(row['mean'][k])}" for k in reversed(order))
    layout = {
        "xaxis": {"title": {"text": "average regret"}, "rangemode": "tozero"},
        "yaxis": {"type": "category", "showgrid": False, "ticks": ""},
        "hovermode": False,
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "meta": {
            "alt": f"The paper's Table 2 on {board_label}, lower is better: {told}.",
            "caption": "Average regret in the paper's Table 2, \N{PLUS-MINUS SIGN}1 standard error "
            "over 10 experiments; lower is better. The authors' figures, not ours.",
        },
    }
    return chart(traces, layout)


def name(coordinate: int, dimension: int) -> str:
    return "x" if dimension == 1 else f"x{coordinate + 1}".translate(SUBSCRIPTS)


def chart(traces: list[dict[str, Any]], layout: dict[str, Any]) -> dict[str, Any]:
    """A chart that does not grow with a run's time."""
    whole = {"shapes": [], "annotations": []} | layout
    return {"kind": "plot", "data": traces, "layout": whole, "times": [None] * len(traces)}


def _upright(path: optimum_path.Path, values: Array) -> dict[str, Any]:
    """The points of a line that jumps where the optimum does, half-way between two times."""
    at = np.flatnonzero(path.leaps) + 1
    middle = (path.t[at - 1] + path.t[at]) / 2
    t = np.insert(path.t, np.repeat(at, 2), np.repeat(middle, 2))
    sides = np.column_stack([values[at - 1], values[at]]).ravel()
    return {"x": plain(t), "y": plain(np.insert(values, np.repeat(at, 2), sides))}


def _curve(seen: Overview, step: int) -> dict[str, Any]:
    board, path = seen.board, seen.path
    t, places = path.t[step], np.linspace(0.0, 1.0, LINE)
    heights = board.value(places[:, None], t)
    low, high = seen.span
    room = 0.06 * (high - low)
    traces = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": "f",
            "x": plain(places),
            "y": plain(heights),
            "line": {"width": 2},
            "hovertemplate": "%{y:.4~g}",
        },
        _mark(path.x[step, :1], path.f[step : step + 1]),
    ]
    layout = {
        "xaxis": {"title": {"text": "x"}, "range": [0, 1]},
        "yaxis": {"title": {"text": "f(x, t)"}, "range": [low - room, high + room]},
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "meta": {
            "alt": f"{board.label} at {t:g} s over x. The optimum is at x = {path.x[step, 0]:.3f}, "
            f"{significant(float(path.f[step]))} high.",
            "caption": "f over all of x; the dot is the optimum. Larger is better.",
        },
    }
    return chart(traces, layout)


def _map(seen: Overview, step: int) -> dict[str, Any]:
    board, path = seen.board, seen.path
    t, places = path.t[step], np.linspace(0.0, 1.0, MAP)
    heights = optimum_path.around(board, path.x[step], t, seen.shown, places)
    across, up = (name(i, board.dimension) for i in seen.shown)
    shades = optimum_path.ranks(heights, heights)
    cells = {
        "type": "heatmap",
        "name": "f",
        "x": plain(places, 3),
        "y": plain(places, 3),
        "z": [plain(row, 3) for row in shades],
        "text": [[f"{value:.4g}" for value in row] for row in heights],
        "zmin": 0,
        "zmax": 1,
        "zsmooth": "best",
        "colorscale": colorscale(),
        "colorbar": _scale(heights),
        "hovertemplate": f"{across} %{{x:.2f}}, {up} %{{y:.2f}}: %{{text}}<extra></extra>",
    }
    where = path.x[step, seen.shown]
    others = "" if board.dimension == 2 else ", the other coordinates where the optimum has them"
    moved = "" if path.still or board.dimension == 2 else ", the two along which it moves most"
    layout = {
        "xaxis": {"title": {"text": across}, "range": [0, 1], "dtick": 0.25},
        "yaxis": {"title": {"text": up}, "range": [0, 1], "dtick": 0.25},
        "hovermode": "closest",
        "margin": {"l": 8, "r": 8, "t": 14, "b": 8},
        "meta": {
            "alt": f"{board.label} at {t:g} s over {across} and {up}. The optimum is at "
            f"({where[0]:.3f}, {where[1]:.3f}), {significant(float(path.f[step]))} high.",
            "caption": f"f over {across} and {up}{moved}{others}. Shades by rank at this "
            "moment: bright is high. The dot is the optimum.",
        },
    }
    return chart([cells, _mark(where[:1], where[1:])], layout)


def _mark(x: Array, y: Array) -> dict[str, Any]:
    """The optimum: dark-rimmed, so that it stands out on the brightest shade in both themes."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "optimum",
        "x": plain(x),
        "y": plain(y),
        "marker": {"size": 11, "line": {"width": 2.5, "color": INK}},
        "hovertemplate": "optimum<extra></extra>",
        "cliponaxis": False,
    }


def _scale(heights: Array) -> dict[str, Any]:
    """A colour bar that says heights, though shades are ranks."""
    values = np.quantile(heights, TICKS)
    texts = [significant(float(value)) for value in values]
    return {
        "tickvals": list(TICKS),
        "ticktext": texts,
        "thickness": 10,
        "outlinewidth": 0,
        "ticks": "",
        "title": {"text": "f", "side": "top"},
    }


def _path_layout(seen: Overview, now: float) -> dict[str, Any]:
    path, horizon = seen.path, seen.board.horizon
    dimension = path.x.shape[1]
    ends = [
        End("", name(i, dimension), horizon, float(path.x[-1, i]))
        for i in seen.drawn
        if dimension > 1
    ]
    many = dimension > FEW
    whose = f"the {len(ends)} of {dimension} coordinates along which it moves most"
    rule = {"x0": float(now), "x1": float(now), "y0": 0.0, "y1": 1.0, "yref": "paper"}
    labels = end_labels(ends, (-0.04, 1.04), 150.0, horizon)
    return {
        "xaxis": {"title": {"text": "time (s)"}, "range": [0, horizon], "anchor": "y2"},
        "yaxis": {
            "title": {"text": "place x*"},
            "range": [-0.04, 1.04],
            "domain": UPPER,
            "nticks": 4,
        },
        "yaxis2": {"title": {"text": "height f*"}, "domain": LOWER, "nticks": 5},
        "shapes": [{"name": "now", "type": "line", "line": {"width": 1.5, "dash": "dot"}} | rule],
        "annotations": labels,
        "margin": {"l": 8, "r": max(margin(ends), 16), "t": 8, "b": 8},
        "meta": {
            "alt": f"{seen.board.label} over {horizon:g} s. {motion(path)}",
            "caption": f"Above, {whose if many else 'the place of the optimum'} in the unit box; "
            "below, its height. The dotted rule is the time of the slider.",
        },
    }


def _with_number(row: Mapping[str, Any], key: str) -> str:
    said = f"{row['mean'][key]:g} \N{PLUS-MINUS SIGN}{row['error'][key]:g}"
    return f"<b>{label(key)}</b> {said}" if key in row["best"] else f"{label(key)} {said}"
