"""The outcome of a log over time, as it was measured."""

from typing import Any

import numpy as np

from bolt_core.analysis.downsample import POINTS_PER_TRACE, evenly_spaced_rows
from bolt_core.common.text import counted, display_name, significant
from bolt_core.figures.problem.present import time_scale, titled
from bolt_core.figures.shared.chart_dicts import axis, margins, plot, text_chart
from bolt_core.figures.shared.traces import dots
from bolt_core.logs.log import Log


def log_outcome(log: Log) -> dict[str, Any]:
    """Return one dot per row; of many rows an even selection."""
    if not len(log):
        return text_chart("The log has no rows.")
    scale = time_scale(log.span)
    name, unit = display_name(log.spec.outcome), display_name(log.spec.unit)
    rows = evenly_spaced_rows(len(log), POINTS_PER_TRACE)
    t, y = log.times[rows] / scale.seconds, log.y[rows]
    layout = {
        "xaxis": axis(f"time since the first row ({scale.name})"),
        "yaxis": axis(titled(name, unit), nticks=6),
        "margin": margins(top=8),
        "hovermode": "closest",
    }
    look: dict[str, Any] = {"size": 4, "opacity": 0.7, "hover": "%{y:,.4~r}<extra></extra>"}
    shown = "" if len(t) == len(log) else f" {len(t):,} of {len(log):,} rows are drawn."
    low, high = (significant(float(value)) for value in (np.min(log.y), np.max(log.y)))
    alt = f"{name} of {counted(len(log), 'row')} over time, from {low} to {high} {unit}".strip()
    caption = f"One dot per row of the log.{shown}"
    return plot([dots(t, y, "measured", **look)], layout, f"{alt}.", caption)
