"""Average response time against average regret, a point for each lane: left of the paper's 4-13.

Down and left is better. With three seeds a point carries one standard error both ways; with one,
a faint trail shows where it came from: who keeps everything drifts to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis import regret
from bolt_core.analysis.downsample import evenly_spaced_rows, rounded
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.analysis.standings import Standing, standings
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.labels import End, end_labels, margin
from bolt_core.runs.snapshot import RunSnapshot

TALL = 250.0  # pixels between the axes, about
TRAIL = 60  # points
EARLY = 5  # passes whose means still jump: not drawn
ROOM = 0.06  # of the range, at each side
BESIDE = 9  # pixels between a point and its name
NEAR_X, NEAR_Y = 0.18, 22.0  # of the width, in pixels: what a name would cover
WIDE = 0.8  # powers of ten, at least: a small difference in speed must look small


def response_against_regret(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    rows = [
        row for row in standings(snapshots) if row.average_regret is not None and row.response_time
    ]
    if not rows:
        text = "Waiting for the first answer: response time and regret begin after the warm-up."
        return {"kind": "text", "text": text, "tone": "muted"}
    by_label = {lane.label: lane for lane in lanes(snapshots)}
    trails = [_trail(by_label[row.label]) for row in rows]
    traces = [
        _line(row, trail) for row, trail in zip(rows, trails, strict=True) if trail is not None
    ]
    traces += [_point(row, by_label[row.label]) for row in rows]
    across, upright = _ranges(rows, trails)
    ends = [
        End(
            row.key, row.label, float(np.log10(row.response_time or 1.0)), row.average_regret or 0.0
        )
        for row in rows
    ]
    return {
        "kind": "plot",
        "data": traces,
        "layout": {
            "xaxis": {
                "title": {"text": "average response time (s)"},
                "type": "log",
                "range": list(across),
                **ticks(across),
            },
            "yaxis": {
                "title": {"text": "average regret"},
                "range": list(upright),
                "tickformat": ",",
            },
            "hovermode": "closest",
            "shapes": [],
            "annotations": names(ends, across, upright),
            "margin": {"l": 8, "r": margin(ends), "t": 8, "b": 8},
            "meta": {"alt": _in_words(rows), "caption": _caption(rows)},
        },
        "times": [None] * len(traces),  # points move: a moment of the past is built anew
    }


def _trail(lane: Lane) -> tuple[Array, Array] | None:
    """(mean response so far, average regret so far) of a lane's only run."""
    if len(lane.runs) != 1:
        return None
    columns = lane.runs[0].columns
    full = columns["warmup"] == 0
    lost = regret.running_average(columns)
    if len(lost) < EARLY + 2:
        return None
    rows = EARLY + evenly_spaced_rows(len(lost) - EARLY, TRAIL)
    took = np.cumsum(columns["seconds"][full]) / np.arange(1, len(lost) + 1)
    return took[rows], lost[rows]


def _line(row: Standing, trail: tuple[Array, Array]) -> dict[str, Any]:
    style = {"mode": "lines", "line": {"width": 1}, "opacity": 0.4, "hoverinfo": "skip"}
    points = {"x": rounded(trail[0]), "y": rounded(trail[1])}
    return {"type": "scatter", "meta": row.key, "name": f"{row.label}, so far"} | points | style


def _point(row: Standing, lane: Lane) -> dict[str, Any]:
    symbol = "x" if row.failed else "circle" if lane.nth == 0 else "diamond"
    point: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "meta": row.key,
        "name": row.label,
        "x": [row.response_time],
        "y": [row.average_regret],
        "marker": {"size": 11, "symbol": symbol},
        "hovertemplate": f"{row.label}: regret %{{y:,.3~r}}, response %{{x:.3~r}} s<extra></extra>",
        "cliponaxis": False,
    }
    if row.regret_error is not None:
        point["error_y"] = {
            "type": "data",
            "array": [row.regret_error],
            "thickness": 1.5,
            "width": 3,
        }
    if row.response_time_error is not None:
        point["error_x"] = {
            "type": "data", "array": [row.response_time_error], "thickness": 1.5, "width": 3,
        }  # fmt: skip
    return point


def _ranges(
    rows: Sequence[Standing], trails: Sequence[tuple[Array, Array] | None]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Of x, in powers of ten, and of y; error bars and trails within."""
    x = [
        np.array([row.response_time, _less(row.response_time, row.response_time_error)])
        for row in rows
    ]
    y = [np.array([0.0, (row.average_regret or 0.0) + (row.regret_error or 0.0)]) for row in rows]
    seen = [trail for trail in trails if trail is not None]
    across = np.log10(np.concatenate([*x, *(trail[0] for trail in seen)]))
    heights = np.concatenate([*y, *(trail[1] for trail in seen)])
    heights, across = heights[np.isfinite(heights)], across[np.isfinite(across)]
    left, right = float(across.min()), float(across.max())
    spare = max(WIDE - (right - left), 0.0) / 2 + ROOM * max(WIDE, right - left)
    top = float(heights.max()) or 1.0
    low = min(float(heights.min()), 0.0)
    return (left - spare, right + spare), (low, top + ROOM * (top - low))


def names(
    ends: Sequence[End], across: tuple[float, float], upright: tuple[float, float]
) -> list[Any]:
    """To the right of their points; to the left where a point stands in the way, and less so."""
    wide, tall = across[1] - across[0], (upright[1] - upright[0]) / TALL
    labels = end_labels(ends, upright, TALL, wide, beside=BESIDE)
    for label in labels:
        level = [end.x for end in ends if abs(end.y - label["y"]) < NEAR_Y * tall]
        right = min((x - label["x"] for x in level if x > label["x"]), default=np.inf)
        left = min((label["x"] - x for x in level if x < label["x"]), default=np.inf)
        if right < min(left, NEAR_X * wide):
            label |= {"xanchor": "right", "xshift": -BESIDE, "yshift": 0.0}
    return labels


def _less(value: float | None, error: float | None) -> float:
    """The end of an error bar, which a logarithm must survive."""
    value = value or 1.0
    return max(value - (error or 0.0), 0.2 * value)


def ticks(across: tuple[float, float]) -> dict[str, Any]:
    """Decades; 2 and 5 between them where there are fewer than two."""
    low, high = across
    steps = (1.0,) if high - low > 2.0 else (1.0, 2.0, 5.0)
    powers = range(int(np.floor(low)), int(np.ceil(high)) + 1)
    values = [step * 10.0**power for power in powers for step in steps]
    shown = [value for value in values if low <= np.log10(value) <= high]
    return {"tickvals": shown, "ticktext": [f"{value:,g}" for value in shown]}


def _in_words(rows: Sequence[Standing]) -> str:
    told = [
        f"{row.label} {significant(row.average_regret)} at {seconds(row.response_time)}"
        + " (failed)" * row.failed
        for row in rows
    ]
    fast = min(rows, key=lambda row: row.response_time or np.inf)
    quick = "" if fast is rows[0] else f" Fastest: {fast.label}."
    return f"Average regret at average response time: {', '.join(told)}.{quick}"


def _caption(rows: Sequence[Standing]) -> str:
    seeds = max(row.seeds for row in rows)
    said = "Down and left is better."
    if any(row.regret_error is not None for row in rows):
        return f"{said} Bars: \N{PLUS-MINUS SIGN}1 standard error over {seeds} seeds."
    if seeds > 1:
        return f"{said} Means over {seeds} seeds."
    return f"{said} The thin line is the way a point came since the warm-up."
