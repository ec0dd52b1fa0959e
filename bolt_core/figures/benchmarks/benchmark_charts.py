"""Charts of a benchmark: landscape at one time, path of the optimum, and results of the paper.

A curve keeps its scale while time moves. A map is shaded by rank within its moment, and its colour
bar shows the values of the shades.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.text import exact_time, significant
from bolt_core.common.types import Array
from bolt_core.figures.benchmarks import optimum_path
from bolt_core.figures.benchmarks.thumbnail import motion
from bolt_core.figures.shared.chart_dicts import axis, margins, plot, time_axis, vertical_line
from bolt_core.figures.shared.colormap import INK, MEANING, colorbar, colorscale
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import Curve, Trace, Values, dots, heatmap, line
from bolt_core.runs.lane_names import label

CURVE_POINTS, MAP_SIDE = 241, 45  # values of x along a curve, and along each side of a map
MAX_PATHS = 3  # coordinates drawn together; with more, only those along which the optimum moves
F_TITLE = "f, raw units"  # of a colour bar: benchmarks name no other unit
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)  # ticks of the colour bar
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
UPPER, LOWER = [0.52, 1.0], [0.0, 0.4]  # of the height
PATH_SPAN, PATH_HEIGHT = (-0.04, 1.04), 150.0  # of the upper panel: x*, and pixels, about


@dataclass(frozen=True, slots=True)
class Overview:
    """What the charts of a benchmark share at all times."""

    board: Benchmark
    path: optimum_path.Path
    shown: list[int]  # the one or two coordinates of the landscape
    span: tuple[float, float]  # of f over the whole horizon: the y axis of a curve

    @property
    def drawn(self) -> list[int]:
        """Coordinates whose paths are drawn."""
        dimension = self.board.dimension
        return list(range(dimension)) if dimension <= MAX_PATHS else self.shown


def overview(board: Benchmark) -> Overview:
    """Return the overview of a benchmark; this takes some milliseconds."""
    path = optimum_path.optimum_path(board)
    values = path.f
    if board.dimension == 1:
        values = optimum_path.over_time(board, path, 0, np.linspace(0.0, 1.0, CURVE_POINTS))
    return Overview(board, path, path.coordinates(2), (float(values.min()), float(values.max())))


def landscape(seen: Overview, t: float) -> dict[str, Any]:
    """Return f at the time of the path nearest to t: a curve for one input, else a map."""
    step = seen.path.nearest(t)
    return _curve(seen, step) if seen.board.dimension == 1 else _map(seen, step)


def optimum(seen: Overview, t: float) -> dict[str, Any]:
    """Return the path of the optimum: x* above, f* below, and a line at t through both."""
    path, horizon, dimension = seen.path, seen.board.horizon, seen.board.dimension
    traces = []
    for i in seen.drawn:
        look: dict[str, Any] = {"dash": DASHES[i % len(DASHES)], "hover": "%{y:.3f}"}
        traces.append(line(*_with_jumps(path, path.x[:, i]), _name(i, dimension), **look))
    traces.append(line(path.t, path.f, "f*", yaxis="y2", hover="%{y:.4~g}"))
    named = seen.drawn if dimension > 1 else []
    ends = [End("", _name(i, dimension), horizon, float(path.x[-1, i])) for i in named]
    layout = {
        "xaxis": time_axis(horizon, anchor="y2"),
        "yaxis": axis("optimum x*", range=list(PATH_SPAN), domain=UPPER, nticks=4),
        "yaxis2": axis("value f*", domain=LOWER, nticks=5),
        "shapes": [vertical_line(float(path.t[path.nearest(t)]), name="now")],
        "annotations": end_labels(ends, PATH_SPAN, PATH_HEIGHT, horizon),
        "margin": margins(right=max(margin(ends), 16), top=8),
    }
    what = "the optimum"
    if dimension > MAX_PATHS:
        what = f"the {len(ends)} of {dimension} coordinates along which the optimum moves most"
    return plot(
        traces,
        layout,
        f"{seen.board.label} over {exact_time(horizon)}. {motion(path)}",
        f"Above: {what}, in the unit box. Below: its value. Dotted line: the time of the slider.",
    )


def published(row: Mapping[str, Any], board_label: str) -> dict[str, Any]:
    """Return a row of Table 2: mean and standard error per algorithm, the lowest on top."""
    order = sorted(row["mean"], key=lambda key: -row["mean"][key])
    traces = []
    for key in order:
        mean, error = row["mean"][key], row["error"][key]
        name = f"<b>{label(key)}</b>" if key in row["best"] else label(key)
        text = f"{name} {mean:g} \N{PLUS-MINUS SIGN}{error:g}"
        bar = {"array": [error], "thickness": 2, "width": 5}
        look: dict[str, Any] = {"hover": "skip", "size": 10, "symbol": line_style(key).symbol}
        traces.append(dots([mean], [text], label(key), key=key, error_x=bar, **look))
    layout = {
        "xaxis": axis("average regret", rangemode="tozero"),
        "yaxis": {"type": "category", "showgrid": False, "ticks": ""},
        "hovermode": False,
        "margin": margins(top=8),
    }
    means = ", ".join(f"{label(k)} {significant(row['mean'][k])}" for k in reversed(order))
    return plot(
        traces,
        layout,
        f"The paper's Table 2 on {board_label}, lower is better: {means}.",
        "Average regret in Table 2 of the paper, \N{PLUS-MINUS SIGN}1 standard error over 10 "
        "experiments; lower is better. These are the numbers of the authors, not ours.",
    )


def rank_map(x: Values, y: Values, values: Array, **style: Any) -> Trace:  # noqa: ANN401
    """Return a map of f that is shaded by rank: 0 for the lowest value, 1 for the highest."""
    look = {"digits": 3, "colorscale": colorscale()} | style
    return heatmap(x, y, optimum_path.ranks(values, values), "f", **look)


def rank_bar(values: Array) -> dict[str, Any]:
    """Return the colour bar of a `rank_map`, with values of f although the shades are ranks."""
    quantiles = [significant(float(value)) for value in np.quantile(values, QUANTILES)]
    return colorbar(F_TITLE, tickvals=list(QUANTILES), ticktext=quantiles, ticks="")


def optimum_dots(x: Array, y: Array, **style: Any) -> Trace:  # noqa: ANN401 - plotly's properties
    """Return the optimum, with a dark edge that stands out on the brightest shade."""
    look = {"size": 11, "edge": 2.5, "hover": "optimum<extra></extra>"} | style
    return dots(x, y, "optimum", edge_color=INK, cliponaxis=False, **look)


def _name(coordinate: int, dimension: int) -> str:
    return "x" if dimension == 1 else f"x{coordinate + 1}".translate(SUBSCRIPTS)


def _with_jumps(path: optimum_path.Path, values: Array) -> Curve:
    """Return a curve that jumps where the optimum does, half-way between two times."""
    at = np.flatnonzero(path.leaps) + 1
    middle = (path.t[at - 1] + path.t[at]) / 2
    t = np.insert(path.t, np.repeat(at, 2), np.repeat(middle, 2))
    sides = np.column_stack([values[at - 1], values[at]]).ravel()
    return t, np.insert(values, np.repeat(at, 2), sides)


def _curve(seen: Overview, step: int) -> dict[str, Any]:
    board, path = seen.board, seen.path
    t, x = path.t[step], np.linspace(0.0, 1.0, CURVE_POINTS)
    values = board.value(x[:, None], t)
    low, high = seen.span
    room = 0.06 * (high - low)
    best, height = path.x[step, :1], path.f[step : step + 1]
    traces = [line(x, values, "f", hover="%{y:.4~g}"), optimum_dots(best, height)]
    layout = {
        "xaxis": axis("x", range=[0, 1]),
        "yaxis": axis("f(x, t)", range=[low - room, high + room]),
        "margin": margins(top=8),
    }
    return plot(
        traces,
        layout,
        f"{board.label} at {t:g} s over x. The optimum is at x = {best[0]:.3f}, "
        f"with the value {significant(float(height[0]))}.",
        "f over x. Dot: the optimum. Larger is better.",
    )


def _map(seen: Overview, step: int) -> dict[str, Any]:
    board, path = seen.board, seen.path
    t, x = path.t[step], np.linspace(0.0, 1.0, MAP_SIDE)
    values = optimum_path.around(board, path.x[step], t, seen.shown, x)
    first, second = (_name(i, board.dimension) for i in seen.shown)
    side = rounded(x, 3)
    text = [[f"{value:.4g}" for value in row] for row in values]
    hover = f"{first} %{{x:.2f}}, {second} %{{y:.2f}}: %{{text}}<extra></extra>"
    look: dict[str, Any] = {"zmin": 0, "zmax": 1, "colorbar": rank_bar(values), "text": text}
    cells = rank_map(side, side, values, hover=hover, **look)
    best = path.x[step, seen.shown]
    others = "" if board.dimension == 2 else "; the other coordinates are at the optimum"
    moved = "" if path.still or board.dimension == 2 else ", along which the optimum moves most"
    layout = {
        "xaxis": axis(first, range=[0, 1], dtick=0.25),
        "yaxis": axis(second, range=[0, 1], dtick=0.25),
        "hovermode": "closest",
        "margin": margins(right=8, top=14),
    }
    return plot(
        [cells, optimum_dots(best[:1], best[1:])],
        layout,
        f"{board.label} at {t:g} s over {first} and {second}. The optimum is at "
        f"({best[0]:.3f}, {best[1]:.3f}), with the value {significant(float(path.f[step]))}.",
        f"f over {first} and {second}{moved}{others}. {MEANING}, by rank at this time. "
        "Dot: the optimum.",
    )
