"""Rules that empty D: after a surprising observation, or when a block is full."""

from typing import Any

import numpy as np

from bolt_core.analysis.curves import point_times, size_curve
from bolt_core.common.text import counted, seconds, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.removals import has_reset
from bolt_core.figures.inside.rule_memory import drift_sentence
from bolt_core.figures.shared import notes
from bolt_core.figures.shared.chart_dicts import Drawn, axis, plot, text_chart
from bolt_core.figures.shared.notes import noted_values, run_time_axis
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

HEADROOM = 1.08  # above the highest value
RECENT_PASSES = 10  # whose mean predicts the next ones, without a full block to compare with


def surprises(run: RunSnapshot) -> dict[str, Any]:
    """Return ET-GPUCB's test: |y - mu| of each observation, and its limit."""
    surprise, limit = noted_values(run, "surprise"), noted_values(run, "limit")
    t, tested = point_times(run.columns), np.isfinite(surprise)
    if not tested.any():
        return text_chart("The reset test begins when D has five observations after the warm-up.")
    resets = np.flatnonzero(has_reset(run))
    values = np.concatenate([surprise[tested], limit[tested]])
    # one extreme limit must not flatten all the others
    highest = min(float(values.max()), 3.0 * float(np.quantile(values, 0.95))) or 1.0
    top = HEADROOM * highest
    drawn: list[Drawn] = [
        notes.vertical_marks(run, resets, 0.0, top, "reset"),
        notes.limit_steps(t, limit, "limit"),
        notes.run_dots(run, t[tested], surprise[tested], "surprise"),
    ]
    distance = axis("|y \N{MINUS SIGN} mean|", range=[0.0, top], nticks=6)
    count, ratio = counted(len(resets), "reset"), float(np.max((surprise / limit)[tested]))
    name, since = label(run.config.algorithm), int(noted_values(run, "since_reset")[-1])
    caption = (
        "Dots: distance of each observation from its prediction. Above the dotted limit all "
        f"earlier data are removed (dashed). {count} so far; {counted(since, 'observation')} since "
        "the last."
    )
    if above := int(np.sum(surprise[tested] > top)):
        highest_dot = significant(float(surprise[tested].max()))
        caption += f" {counted(above, 'dot')} above the chart, up to {highest_dot}."
    layout = {"xaxis": run_time_axis(run), "yaxis": distance}
    alt = f"Reset test of {name}: {count}; the largest surprise was {significant(ratio)} limits."
    return plot(drawn, layout, alt, caption, "x")


def periodic(run: RunSnapshot) -> dict[str, Any]:
    """Return R-GPUCB's blocks, which grow up to the period."""
    (t, n), period = size_curve(run), noted_values(run, "period")
    if not np.isfinite(period).any():
        return text_chart("The first block begins after the warm-up.")
    resets = np.flatnonzero(has_reset(run))
    top = HEADROOM * max(float(np.nanmax(period)), float(np.max(n)))
    drawn: list[Drawn] = [
        notes.vertical_marks(run, resets, 0.0, top, "reset"),
        notes.limit_steps(t, period, "period"),
        notes.run_steps(run, t, n, "observations in the block"),
    ]
    layout = {
        "xaxis": run_time_axis(run),
        "yaxis": axis("observations", range=[0.0, top], nticks=6),
    }
    name, countdown = label(run.config.algorithm), _countdown(run)
    alt = f"Blocks of {name}: {counted(len(resets), 'reset')} so far. {countdown}"
    caption = f"{countdown} {drift_sentence(run, 'The period (dotted)')}"
    return plot(drawn, layout, alt, caption, "x")


def _countdown(run: RunSnapshot) -> str:
    last = run.columns.notes[len(run) - 1]
    if "reset" in last:
        return "The block was full: all observations have just been removed."
    n, period = int(run.sizes()[-1]), int(last.get("period", 0))
    missing = max(period - n, 0)
    remaining = missing * float(np.mean(_comparable_passes(run, n, period)))
    return f"Next reset in {counted(missing, 'observation')}, about {seconds(remaining)}."


def _comparable_passes(run: RunSnapshot, n: int, period: int) -> Array:
    """Return the seconds of passes with the sizes still to come, else those of the last passes."""
    sizes, duration = run.columns["n"], run.columns["seconds"]
    full = run.columns["warmup"] == 0
    comparable: Array = duration[full & (sizes >= n) & (sizes < period)]
    return comparable if len(comparable) else duration[full][-RECENT_PASSES:]
