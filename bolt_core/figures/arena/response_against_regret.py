"""Average response time against average regret, one point per lane, as left in Figures 4 to 13.

Down and left is better. From three seeds on a point has a standard error in both directions; with
one seed, a faint line shows its path since the warm-up: algorithms that keep everything drift to
the right.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.lanes import lanes
from bolt_core.analysis.regret_curves import response_and_regret
from bolt_core.analysis.standings import Standing, standings
from bolt_core.common.text import seconds, seed_counts, significant
from bolt_core.common.types import Array
from bolt_core.figures.arena.unknown_optimum import unknown_optimum
from bolt_core.figures.shared.chart_dicts import axis, log_axis, margins, plot, text_chart
from bolt_core.figures.shared.labels import End, Span, margin, point_labels
from bolt_core.figures.shared.palette import line_style
from bolt_core.figures.shared.traces import Trace, dots, error_bar, line
from bolt_core.runs.snapshot import RunSnapshot

HEIGHT = 250.0  # pixels between the axes, about
PADDING = 0.06  # of the range, at each side
MIN_DECADES = 0.8  # of the x axis: a small difference in speed must look small


def response_against_regret(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return the chart of all lanes that have made a query after the warm-up."""
    rows = [
        row for row in standings(snapshots) if row.average_regret is not None and row.response_time
    ]
    if not rows:
        if unknown_optimum(snapshots):
            return text_chart("The optimum of your own problem is unknown, so there is no regret.")
        return text_chart("Waiting for the first query after the warm-up.")
    single = {lane.label: lane.runs[0] for lane in lanes(snapshots) if len(lane.runs) == 1}
    thin_line: dict[str, Any] = {"width": 1, "opacity": 0.4, "hover": "skip"}
    trails, traces, ends = [], [], []
    for row in rows:
        run = single.get(row.label)
        if run is not None and (trail := response_and_regret(run)) is not None:
            trails.append(trail)
            traces.append(line(*trail, f"{row.label}, so far", key=row.key, **thin_line))
        x, y = float(np.log10(row.response_time or 1.0)), row.average_regret or 0.0
        ends.append(End(row.key, row.label, x, y))
    x_span, y_span = _spans(rows, trails)
    layout = {
        "xaxis": log_axis("average response time (s)", x_span),
        "yaxis": axis("average regret", range=list(y_span), tickformat=","),
        "hovermode": "closest",
        "annotations": point_labels(ends, x_span, y_span, HEIGHT),
        "margin": margins(right=margin(ends), top=8),
    }
    drawn = [*traces, *(_point(row) for row in rows)]  # points move: each moment is built anew
    return plot(drawn, layout, _alt(rows), _caption(rows))


def _point(row: Standing) -> Trace:
    hover = f"{row.label}: regret %{{y:,.3~r}}, response %{{x:.3~r}} s<extra></extra>"
    symbol = "x" if row.failed else line_style(row.key, row.nth).symbol
    look = {"size": 11, "symbol": symbol, "cliponaxis": False, "key": row.key, "hover": hover}
    errors = {"error_y": row.regret_error, "error_x": row.response_time_error}
    look |= {name: error_bar(e, width=3) for name, e in errors.items() if e is not None}
    return dots([row.response_time], [row.average_regret], row.label, **look)


def _spans(rows: Sequence[Standing], trails: Sequence[tuple[Array, Array]]) -> tuple[Span, Span]:
    """Return the ranges of x, in powers of ten, and of y, with error bars and trails inside."""
    x = [float(value) for row in rows for value in (row.response_time or 1.0, _lower_end(row))]
    y = [0.0, *((row.average_regret or 0.0) + (row.regret_error or 0.0) for row in rows)]
    logs = np.log10(np.concatenate([x, *(trail[0] for trail in trails)]))
    heights = np.concatenate([y, *(trail[1] for trail in trails)])
    logs, heights = logs[np.isfinite(logs)], heights[np.isfinite(heights)]
    left, right = float(logs.min()), float(logs.max())
    decades = right - left
    spare = max(MIN_DECADES - decades, 0.0) / 2 + PADDING * max(MIN_DECADES, decades)
    low, top = float(heights.min()), float(heights.max()) or 1.0
    return (left - spare, right + spare), (low, top + PADDING * (top - low))


def _lower_end(row: Standing) -> float:
    """Return the lower end of the error bar of x, which needs a logarithm."""
    response = row.response_time or 1.0
    return max(response - (row.response_time_error or 0.0), 0.2 * response)


def _alt(rows: Sequence[Standing]) -> str:
    points = []
    for row in rows:
        point = f"{row.label} {significant(row.average_regret)} at {seconds(row.response_time)}"
        points.append(f"{point} (failed)" if row.failed else point)
    fastest = min(rows, key=lambda row: row.response_time or np.inf)
    also = "" if fastest is rows[0] else f" Fastest: {fastest.label}."
    return f"Average regret at average response time: {', '.join(points)}.{also}"


def _caption(rows: Sequence[Standing]) -> str:
    seeds = seed_counts(row.seeds for row in rows)
    caption = "Down and left is better."
    if any(row.regret_error is not None for row in rows):
        return f"{caption} Bars: \N{PLUS-MINUS SIGN}1 standard error over {seeds}."
    if any(row.seeds > 1 for row in rows):
        return f"{caption} Means over {seeds}."
    return f"{caption} Thin line: path since warm-up."
