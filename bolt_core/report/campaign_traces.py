"""The traces of a campaign's charts: lines, dots, points with errors, bars.

A trace carries the key of its algorithm in `meta`. The browser and the image renderer take its
colour from the palette.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import evenly_spaced_rows
from bolt_core.analysis.seed_statistics import Cell, Paired
from bolt_core.campaigns.results import Curve
from bolt_core.common.types import Array
from bolt_core.figures.shared import traces
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import Trace, error_bar, error_bars, joined
from bolt_core.report.model.blocks import with_error
from bolt_core.runs.lane_names import label

POINTS_PER_SEED = 14  # of the line of one seed behind the mean
FAINT_SEEDS = f"Faint: single seeds, straight between {POINTS_PER_SEED} of their points."


def line(key: str, name: str, x: Array, y: Array, dash: str | None = None) -> Trace:
    """Return a line in the style of its algorithm; `dash` overrides the palette's."""
    style = line_style(key)
    return traces.line(x, y, name, key=key, dash=dash or style.dash, width=style.width)


def seed_lines(key: str, curves: Sequence[Curve]) -> Trace:
    """Return the curves of all seeds as one faint trace, with a gap after each seed."""
    parts = []
    for x, y in curves:
        rows = evenly_spaced_rows(len(x), POINTS_PER_SEED)
        parts.append((np.asarray(x)[rows], np.asarray(y)[rows]))
    name = f"{label(key)}, seeds"
    return traces.line(*joined(parts), name, key=key, hover="skip", width=1, opacity=0.3)


def dots(key: str, x: Sequence[Any], y: Sequence[Any]) -> Trace:
    """Return one small pale dot per seed or benchmark; x or y may be names of categories."""
    points = [np.array(v) if isinstance(v[0], float) else v for v in (x, y)]
    pale = {"opacity": 0.45, "cliponaxis": False}
    look: dict[str, Any] = {"hover": "skip", "size": 6, "symbol": line_style(key).symbol}
    return traces.dots(points[0], points[1], label(key), key=key, **look) | pale


def dots_beside_bars(key: str, y: Sequence[float]) -> Trace:
    """Return one dot per benchmark, to the right of the bars of an algorithm."""
    return dots(key, [label(key)] * len(y), y) | {"offsetgroup": "benchmarks"}


def point(key: str, seconds: float, regret: Cell) -> Trace:
    """Return the mean response time and mean regret of an algorithm, with the standard error."""
    text = f"{label(key)}: regret {with_error(regret.mean, regret.error)}, response %{{x:.3~r}} s"
    trace = traces.dots(
        np.array([seconds]), np.array([regret.mean]), label(key), key=key,
        hover=f"{text}<extra></extra>", size=11, symbol=line_style(key).symbol, cliponaxis=False,
    )  # fmt: skip
    return trace | _error_y(regret.error)


def means(key: str, x: Array, cells: Sequence[Cell], texts: Sequence[str]) -> Trace:
    """Return the means of an algorithm at several x, with standard errors; texts for hovering."""
    values = np.array([cell.mean for cell in cells])
    hover = f"{label(key)}: %{{text}}<extra></extra>"
    look: dict[str, Any] = {"size": 11, "symbol": line_style(key).symbol, "cliponaxis": False}
    trace = traces.dots(x, values, label(key), key=key, hover=hover, **look)
    if any(cell.error is not None for cell in cells):
        trace["error_y"] = error_bars([cell.error or 0.0 for cell in cells], width=3)
    return trace | {"text": list(texts)}


def bar(key: str, cell: Cell) -> Trace:
    """Return the bar of an algorithm, with its standard error."""
    hover = "%{x}: %{y:.2f}<extra></extra>"
    height = [round(cell.mean, 4)]
    bars = traces.bars([label(key)], height, label(key), key=key, hover=hover, offsetgroup="ours")
    return bars | _error_y(cell.error)


def paper_bars(means: Mapping[str, float], errors: Sequence[float]) -> Trace:
    """Return the paper's values by label, as pale bars."""
    hover = "%{x}, the paper: %{y:.2f}<extra></extra>"
    heights = [round(mean, 4) for mean in means.values()]
    bars = traces.bars(list(means), heights, "the paper", hover=hover, offsetgroup="paper")
    error_y = {"type": "data", "array": list(errors), "thickness": 1.5}
    return bars | {"marker": {"opacity": 0.25}, "error_y": error_y}  # error bars stay dark


def interval(key: str, pair: Paired) -> Trace:
    """Return the mean difference to an algorithm in per cent, with its interval."""
    hover = f"BOLT minus {label(key)}: %{{x:.3~r}} % of its mean<extra></extra>"
    mean = np.array([pair.mean])
    look: dict[str, Any] = {"hover": hover, "size": 10, "symbol": line_style(key).symbol}
    trace = traces.dots(mean, [label(key)], label(key), key=key, **look)
    if pair.low is not None and pair.high is not None:
        above, below = pair.high - pair.mean, pair.mean - pair.low
        trace["error_x"] = error_bar(above, below=below, thickness=2, width=4)
    return trace


def _error_y(error: float | None) -> dict[str, Any]:
    return {} if error is None else {"error_y": error_bar(error, width=3)}
