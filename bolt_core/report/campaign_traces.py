"""What a campaign's charts are made of: lines, dots, points with errors, bars; ink by `meta`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis import seed_statistics
from bolt_core.analysis.downsample import evenly_spaced_rows, rounded
from bolt_core.campaigns.results import Curve
from bolt_core.common.types import Array
from bolt_core.figures.shared.palette import line_style
from bolt_core.report.model.blocks import with_error
from bolt_core.runs.lane_names import label

MEMBER = 60  # points of a seed's own line
DIGITS = 4
FAINT = {"opacity": 0.3, "hoverinfo": "skip", "showlegend": False}


def line(key: str, name: str, x: Array, y: Array) -> dict[str, Any]:
    style = line_style(key)
    look = {"mode": "lines", "line": {"dash": style.dash, "width": style.width}}
    points = {"x": rounded(x, DIGITS), "y": rounded(y, DIGITS)}
    return {"type": "scatter", "meta": key, "name": name} | points | look


def members(key: str, curves: Sequence[Curve]) -> dict[str, Any]:
    """All seeds in one trace, with a gap between two."""
    x: list[float | None] = []
    y: list[float | None] = []
    for seconds, values in curves:
        kept = evenly_spaced_rows(len(seconds), MEMBER)
        x += [*rounded(np.asarray(seconds)[kept], DIGITS), None]
        y += [*rounded(np.asarray(values)[kept], DIGITS), None]
    style = {"mode": "lines", "line": {"width": 1}} | FAINT
    return {"type": "scatter", "meta": key, "name": f"{label(key)}, seeds", "x": x, "y": y} | style


def dots(key: str, x: Sequence[Any], y: Sequence[Any]) -> dict[str, Any]:
    style = {"mode": "markers", "marker": {"size": 6}} | FAINT | {"opacity": 0.45}
    short = [[float(f"{v:.5g}") if isinstance(v, float) else v for v in axis] for axis in (x, y)]
    told = {"name": label(key), "x": short[0], "y": short[1], "cliponaxis": False}
    return {"type": "scatter", "meta": key} | told | style


def point(key: str, x: float, found: seed_statistics.Cell) -> dict[str, Any]:
    said = f"{label(key)}: regret {with_error(found.mean, found.error)}, response %{{x:.3~r}} s"
    point: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "meta": key,
        "name": label(key),
        "x": [float(f"{x:.5g}")],
        "y": [float(f"{found.mean:.5g}")],
        "marker": {"size": 11},
        "hovertemplate": f"{said}<extra></extra>",
        "cliponaxis": False,
    }
    if found.error is not None:
        point["error_y"] = {"type": "data", "array": [found.error], "thickness": 1.5, "width": 3}
    return point


def bar(key: str, found: seed_statistics.Cell) -> dict[str, Any]:
    bar: dict[str, Any] = {
        "type": "bar",
        "meta": key,
        "name": label(key),
        "offsetgroup": "ours",
        "x": [label(key)],
        "y": [round(found.mean, 4)],
        "hovertemplate": "%{x}: %{y:.2f}<extra></extra>",
    }
    if found.error is not None:
        bar["error_y"] = {"type": "data", "array": [round(found.error, 4)], "thickness": 1.5}
    return bar


def paper_bars(theirs: dict[str, float]) -> dict[str, Any]:
    return {
        "type": "bar",
        "name": "the paper",
        "offsetgroup": "paper",
        "x": list(theirs),
        "y": [round(v, 4) for v in theirs.values()],
        "opacity": 0.25,
        "hovertemplate": "%{x}, the paper: %{y:.2f}<extra></extra>",
    }


def interval(key: str, found: seed_statistics.Paired) -> dict[str, Any]:
    mark: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "meta": key,
        "name": label(key),
        "x": [float(f"{found.mean:.5g}")],
        "y": [label(key)],
        "marker": {"size": 10},
        "hovertemplate": f"BOLT minus {label(key)}: %{{x:.3~r}}<extra></extra>",
    }
    if found.low is not None and found.high is not None:
        above, below = found.high - found.mean, found.mean - found.low
        mark["error_x"] = {
            "type": "data", "symmetric": False, "array": [float(f"{above:.4g}")],
            "arrayminus": [float(f"{below:.4g}")], "thickness": 2, "width": 4,
        }  # fmt: skip
    return mark
