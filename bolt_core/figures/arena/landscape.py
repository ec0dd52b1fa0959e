"""The objective now, its optimum, and the latest queries of each algorithm.

One dimension: f(x, t) as a curve. Two: a heat map. Three or more cannot be drawn, so the distance
between the queries and the moving optimum is shown (distance_to_optimum.py). Values come from the
benchmark without noise, the optimum from the record; no run's clock is charged for them.
"""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis.downsample import rounded
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.benchmarks.twin import knobs_of
from bolt_core.common.text import clock_time, display_name, significant
from bolt_core.common.types import Array, Scalar
from bolt_core.figures.arena.distance_to_optimum import distance_chart
from bolt_core.figures.arena.unknown_optimum import own_queries
from bolt_core.figures.shared.chart_dicts import axis, margins, plot, text_chart
from bolt_core.figures.shared.colormap import MEANING, colorbar, colorscale
from bolt_core.figures.shared.own_problem import knob_ticks
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import Trace, dots, heatmap, line
from bolt_core.runs.own_problem import is_own_problem
from bolt_core.runs.snapshot import RunSnapshot

CURVE_POINTS = 401
HEATMAP_SIDE = 21  # points per side: the browser blends between them
RECENT_QUERIES = 6  # shown of each algorithm
OLDEST_OPACITY = 0.15  # of the oldest one shown
CACHED_GRIDS = 8

Options = tuple[tuple[str, Scalar], ...]


def landscape_now(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return the `landscape` of the runs' own benchmark, if it can be built on this machine."""
    first = next((lane.runs[0] for lane in lanes(snapshots) if len(lane.runs[0])), None)
    if first is None:
        return text_chart("Waiting for the first query.")
    if is_own_problem(first):
        return own_queries(first)
    if first.columns["x"].shape[1] > 2:
        return distance_chart(snapshots)
    if first.config.options.get("path"):  # an imported record must not name files to be read
        return text_chart("This race used a data file of its own, so its objective is not drawn.")
    try:
        return landscape(snapshots, _loaded(first.config.benchmark, _sorted(first.config.options)))
    except Exception as problem:  # noqa: BLE001 - a plug-in or a data file may be missing
        reason = str(problem).partition("\n")[0] or type(problem).__name__
        return text_chart(f"The objective cannot be drawn on this machine: {reason}")


def landscape(snapshots: Sequence[RunSnapshot], board: Benchmark) -> dict[str, Any]:
    """Return f(x, t) at the time of the newest query, with the latest queries of each lane."""
    if board.dimension > 2:  # of another version than the record
        return distance_chart(snapshots)
    started = [lane for lane in lanes(snapshots) if len(lane.runs[0])]
    newest = max((lane.runs[0] for lane in started), key=lambda run: float(run.columns["t"][-1]))
    t = min(float(newest.columns["t"][-1]), board.horizon)
    flat = board.dimension == 1
    objective, axes = (_curve if flat else _heatmap)(board, t)
    best = newest.columns["best_x"][-1]
    optimum = [] if np.isnan(best).any() else [_optimum(board, best, t)]
    return plot(
        [objective, *(_queries(lane, board, t) for lane in started), *optimum],
        axes | {"hovermode": "closest", "margin": margins(top=8)},
        _alt(started, best, t),
        f"Objective f at {clock_time(t)}; cross: its optimum. "
        f"{'' if flat else f'{MEANING}. '}Marks: the last {RECENT_QUERIES} queries of each "
        f"algorithm{', at their value now' if flat else ''}; older ones are paler, the newest is "
        "largest.",
    )


def _curve(board: Benchmark, t: float) -> tuple[Trace, dict[str, Any]]:
    x, values = _grid(board, t)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    padding = 0.08 * (high - low or 1.0)
    y_axis = axis("f(x, t)", range=[low - padding, high + padding], tickformat=",")
    trace = line(x, values, "f(x, t)", width=1.5, hover="skip")
    return trace, {"xaxis": _place_axis(board, 0, [-0.01, 1.01]), "yaxis": y_axis}


def _heatmap(board: Benchmark, t: float) -> tuple[Trace, dict[str, Any]]:
    side, values = _grid(board, t)
    hover = "f = %{z:,.3~r}<extra></extra>"
    shades: dict[str, Any] = {"colorscale": colorscale(), "colorbar": colorbar("f, raw units")}
    trace = heatmap(side, side, values, "f(x, t)", hover=hover, **shades)
    axes = {
        f"{name}axis": _place_axis(board, k, [0.0, 1.0], showgrid=False)
        for k, name in enumerate("xy")
    }
    return trace, axes


def _place_axis(board: Benchmark, k: int, span: list[float], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the axis of a coordinate; of the twin of a log, with the name and values of a knob."""
    if board.landscape.twin is None:
        title = "x" if board.dimension == 1 else f"x<sub>{k + 1}</sub>"
        return axis(title, range=span, **more)
    name, knob = list(knobs_of(board.landscape.twin).items())[k]
    unit = f" ({display_name(knob.unit, 12)})" if knob.unit else ""
    return axis(f"{display_name(name, 24)}{unit}", range=span, **knob_ticks(knob), **more)


def _queries(lane: Lane, board: Benchmark, t: float) -> Trace:
    """Return the latest queries of a lane's first seed, on the objective as it is now."""
    x = lane.runs[0].columns["x"][-RECENT_QUERIES:]
    values = board.value(x, np.full(len(x), t))
    opacity = np.linspace(1.0, OLDEST_OPACITY, RECENT_QUERIES)[: len(x)][::-1]
    look: dict[str, Any] = {
        "size": [6] * (len(x) - 1) + [11],
        "color": rounded(opacity),
        "symbol": line_style(lane.key, lane.nth).symbol,
        "edge_color": "white",  # the browser takes the theme's background
        "text": [f"f now {significant(float(value))}" for value in values],
        "hover": f"{lane.label}: %{{text}}<extra></extra>",
    }
    y = values if board.dimension == 1 else x[:, 1]
    return dots(x[:, 0], y, lane.label, key=lane.key, edge=1, cliponaxis=False, **look)


def _optimum(board: Benchmark, best: Array, t: float) -> Trace:
    value = float(board.value(best, t))
    y = np.array([value]) if board.dimension == 1 else best[1:]
    hover = f"optimum: {significant(value)}<extra></extra>"
    look: dict[str, Any] = {"symbol": "cross-thin-open", "size": 15, "edge": 2.5}
    return dots(best[:1], y, "optimum", hover=hover, cliponaxis=False, **look)


_grids: OrderedDict[tuple[Any, ...], Array] = OrderedDict()  # the newest ones


def _grid(board: Benchmark, t: float) -> tuple[Array, Array]:
    """Return the coordinates of a side and f on all of them, computed once per benchmark and t."""
    side = np.linspace(0.0, 1.0, CURVE_POINTS if board.dimension == 1 else HEATMAP_SIDE)
    key = (board.key, _sorted(board.options), t)
    if key not in _grids:
        points = np.stack(np.meshgrid(*[side] * board.dimension), axis=-1)
        _grids[key] = np.asarray(board.value(points, np.full(points.shape[:-1], t)))
        while len(_grids) > CACHED_GRIDS:
            _grids.popitem(last=False)
    return side, _grids[key]


@lru_cache(maxsize=8)
def _loaded(key: str, options: Options) -> Benchmark:
    return benchmarks.load(key, **dict(options))


def _sorted(options: Mapping[str, Scalar]) -> Options:
    return tuple(sorted(options.items()))


def _alt(started: Sequence[Lane], best: Array, t: float) -> str:
    """Return the distance of each lane's newest query to the optimum, nearest first."""
    if np.isnan(best).any():
        return f"The objective at {clock_time(t)} and the latest queries of each algorithm."
    distances = sorted(
        (float(np.linalg.norm(lane.runs[0].columns["x"][-1] - best)), lane.label)
        for lane in started
    )
    nearest = ", ".join(f"{label} {significant(distance)}" for distance, label in distances)
    moment = f"The objective at {clock_time(t)}"
    return f"{moment}. Distance of each newest query to the optimum: {nearest}."
