"""The objective now, its optimum, and where each algorithm looked last.

One dimension: f(x, t) as a curve. Two: a heatmap. In more, nothing can be drawn of f itself: the
distance of the queries to the moving optimum over time takes its place (distance.py).
Values come from the benchmark, noiseless; the optimum from the record. No run is charged for it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis.downsample import rounded
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.text import significant
from bolt_core.common.types import Array, RunConfig, Scalar
from bolt_core.figures.arena.distance_to_optimum import distance_to_optimum
from bolt_core.figures.shared.chart_dicts import axis
from bolt_core.runs.snapshot import RunSnapshot

LINE = 401  # points of a curve
SIDE = 21  # points of a heatmap's side: the browser blends between them
RECENT = 6  # queries of each algorithm
PALEST = 0.15  # of its colour: the oldest of them

Options = tuple[tuple[str, Scalar], ...]


def landscape_now(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """`landscape` of the runs' own benchmark, if it can be built here."""
    known = [run for run in snapshots if len(run)]
    if not known:
        return _text("Waiting for the first query.")
    if known[0].columns["x"].shape[1] > 2:
        return distance_to_optimum(snapshots)
    if known[0].config.options.get("path"):  # an imported record must not name files to be read
        return _text("This race ran on a file of somebody's own, so its landscape is not drawn.")
    try:
        return landscape(snapshots, _loaded(*_identity(known[0].config)))
    except Exception as problem:  # noqa: BLE001 - a plugin or a data file that is not here
        reason = str(problem).partition("\n")[0] or type(problem).__name__
        return _text(f"The landscape cannot be drawn on this machine: {reason}")


def landscape(snapshots: Sequence[RunSnapshot], board: Benchmark) -> dict[str, Any]:
    """f(x, t) at the time of the newest query, with everybody's last ones."""
    known = [lane for lane in lanes(snapshots) if len(lane.runs[0])]
    if not known:
        return _text("Waiting for the first query.")
    if board.dimension > 2:
        return distance_to_optimum(snapshots)
    newest = max((lane.runs[0] for lane in known), key=lambda run: float(run.columns["t"][-1]))
    t = min(float(newest.columns["t"][-1]), board.horizon)
    draw = _curve if board.dimension == 1 else _heat
    ground, layout = draw(board, t)
    dots = [_queries(lane, board, t) for lane in known]
    best = newest.columns["best_x"][-1]
    cross = [] if np.isnan(best).any() else [_optimum(board, best, t)]
    layout |= {
        "hovermode": "closest",
        "shapes": [],
        "annotations": [],
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "meta": {"alt": _in_words(known, best, t), "caption": _caption(t, board.dimension)},
    }
    return {
        "kind": "plot",
        "data": [ground, *dots, *cross],
        "layout": layout,
        "times": [None] * (1 + len(dots) + len(cross)),
    }


def _curve(board: Benchmark, t: float) -> tuple[dict[str, Any], dict[str, Any]]:
    x, values = _grid(board, t)
    trace = {
        "type": "scatter",
        "mode": "lines",
        "name": "f(x, t)",
        "x": rounded(x),
        "y": rounded(values),
        "line": {"width": 1.5},
        "hoverinfo": "skip",
    }
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    room = 0.08 * (high - low or 1.0)
    upright = axis("f(x, t)", range=[low - room, high + room], tickformat=",")
    return trace, {"xaxis": axis("x", range=[-0.01, 1.01]), "yaxis": upright}


def _heat(board: Benchmark, t: float) -> tuple[dict[str, Any], dict[str, Any]]:
    side, values = _grid(board, t)
    trace = {
        "type": "heatmap",
        "meta": "heat",
        "name": "f(x, t)",
        "x": rounded(side),
        "y": rounded(side),
        "z": [rounded(row, 4) for row in values],
        "zsmooth": "best",
        "hovertemplate": "f = %{z:,.3~r}<extra></extra>",
        "colorbar": {"thickness": 10, "outlinewidth": 0, "title": {"text": "f"}},
    }
    axes = {
        f"{way}axis": axis(f"x<sub>{k}</sub>", range=[0.0, 1.0], showgrid=False)
        for k, way in enumerate("xy", start=1)
    }
    return trace, axes


def _queries(lane: Lane, board: Benchmark, t: float) -> dict[str, Any]:
    """The last ones of a lane's first seed, pale when old, on the landscape as it is now."""
    x = lane.runs[0].columns["x"][-RECENT:]
    fade = np.linspace(1.0, PALEST, RECENT)[: len(x)][::-1]
    size = np.where(np.arange(len(x)) == len(x) - 1, 11, 6)
    values = board.value(x, np.full(len(x), t))
    across, upright = (x[:, 0], values) if board.dimension == 1 else x.T
    return {
        "type": "scatter",
        "mode": "markers",
        "meta": lane.key,
        "name": lane.label,
        "x": rounded(across),
        "y": rounded(upright),
        "marker": {
            "size": size.tolist(),
            "color": rounded(fade),
            "symbol": "circle" if lane.nth == 0 else "diamond",
            "line": {
                "width": 1,
                "color": "white",
            },  # the theme's ground in its place, on the screen
        },
        "text": [f"f now {significant(float(v))}" for v in values],
        "hovertemplate": f"{lane.label}: %{{text}}<extra></extra>",
        "cliponaxis": False,
    }


def _optimum(board: Benchmark, best: Array, t: float) -> dict[str, Any]:
    top = float(board.value(best, t))
    x, y = (best[0], top) if board.dimension == 1 else best
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "optimum",
        "x": rounded(np.array([x])),
        "y": rounded(np.array([y])),
        "marker": {"symbol": "cross-thin-open", "size": 15, "line": {"width": 2.5}},
        "hovertemplate": f"optimum: {significant(top)}<extra></extra>",
        "cliponaxis": False,
    }


_grids: OrderedDict[tuple[Any, ...], Array] = OrderedDict()  # the last few; only frames ask


def _grid(board: Benchmark, t: float) -> tuple[Array, Array]:
    """Coordinates of a side and f on all of them, once for each (benchmark, t)."""
    side = np.linspace(0.0, 1.0, LINE if board.dimension == 1 else SIDE)
    key = (board.key, tuple(sorted(board.options.items())), t)
    if key not in _grids:
        places = np.stack(np.meshgrid(*[side] * board.dimension), axis=-1)
        _grids[key] = np.asarray(board.value(places, np.full(places.shape[:-1], t)))
        while len(_grids) > 8:
            _grids.popitem(last=False)
    return side, _grids[key]


def _identity(config: RunConfig) -> tuple[str, Options]:
    return config.benchmark, tuple(sorted(config.options.items()))


@lru_cache(maxsize=8)
def _loaded(key: str, options: Options) -> Benchmark:
    return benchmarks.load(key, **dict(options))


def _caption(t: float, dimension: int) -> str:
    where = "on the curve as it is now" if dimension == 1 else "in their places"
    return (
        f"f at {t:.1f} s and its optimum (cross). Dots: the last {RECENT} queries of each "
        f"algorithm, {where}, pale when old, the newest large."
    )


def _in_words(known: Sequence[Lane], best: Array, t: float) -> str:
    """Who is nearest to the optimum with its newest query."""
    if np.isnan(best).any():
        return f"The objective at {t:.1f} s and the last queries of each algorithm."
    far = [
        (float(np.linalg.norm(lane.runs[0].columns["x"][-1] - best)), lane.label) for lane in known
    ]
    told = ", ".join(f"{label} {significant(d)}" for d, label in sorted(far))
    return f"The objective at {t:.1f} s. Distance of each newest query to the optimum: {told}."


def _text(said: str) -> dict[str, Any]:
    return {"kind": "text", "text": said, "tone": "muted"}
