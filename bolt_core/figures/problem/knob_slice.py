"""One knob of a problem: what the model expects along it, through the best measured setting."""

import math
from typing import Any, NamedTuple

import numpy as np

from bolt_core.analysis.downsample import rounded
from bolt_core.common.knobs import Choice, Knob, Real
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.setting_text import shown_choice, with_unit
from bolt_core.common.text import display_name, significant
from bolt_core.common.types import Array
from bolt_core.figures.problem.present import (
    best_now,
    last_moment,
    outcome,
    surrogate_now,
    titled,
    why_no_model,
)
from bolt_core.figures.shared.chart_dicts import axis, log_axis, margins, plot, text_chart
from bolt_core.figures.shared.traces import Trace, band, dots, error_bars, line
from bolt_core.runs.own_problem import knobs, own_sign
from bolt_core.runs.snapshot import RunSnapshot

POINTS = 41  # of the slice of a real knob
MAX_LEVELS = 25  # of an integer that are drawn one by one
DEVIATIONS = 2.0  # of the band, to each side
MAX_TICKS = 8  # of an integer
HEADROOM = 0.06  # of the height, above and below


class Slice(NamedTuple):
    """The posterior along one knob, in the user's units."""

    unit_coordinates: Array
    mean: Array
    sd: Array


@memoize_last
def slices_now(run: RunSnapshot) -> list[Slice] | None:
    """Return one slice per knob through the best measured setting; None without a model."""
    model, best, named = surrogate_now(run), best_now(run), knobs(run)
    if model is None or best is None or named is None:
        return None
    now = float(run.columns["t"][-1])
    sides = [_side(knob) for knob in named.values()]
    points = []
    for k, side in enumerate(sides):
        block = np.tile(best[0], (len(side), 1))
        block[:, k] = side
        points.append(block)
    mean, sd = model.posterior(np.concatenate(points), now)
    ends = np.cumsum([len(side) for side in sides])[:-1]
    parts = zip(sides, np.split(own_sign(run) * mean, ends), np.split(sd, ends), strict=True)
    return [Slice(*part) for part in parts]


def knob_slice(run: RunSnapshot, k: int) -> dict[str, Any]:
    """Return mean and band of the outcome along the k-th knob, on an axis that all knobs share."""
    named, slices = knobs(run) or {}, slices_now(run)
    if not 0 <= k < len(named):
        return text_chart(f"This problem has no knob number {k + 1}.")
    if slices is None:
        return text_chart(why_no_model(run))
    name, best = list(named)[k], best_now(run)
    knob = named[name]
    assert best is not None
    here = float(best[0][k])
    shown, chosen = _drawn_at(knob, slices[k].unit_coordinates), _drawn_at(knob, np.array([here]))
    mark = dots(
        rounded(chosen),
        rounded(np.array([own_sign(run) * best[1]])),
        "best measured setting",
        size=9,
        edge=2,
        edge_color="white",
        hover="name",
        cliponaxis=False,
    )
    traces = [*_curve(run.config.algorithm, knob, shown, slices[k]), mark]
    layout = {
        "xaxis": _axis(name, knob, shown),
        "yaxis": axis(titled(*outcome(run)), range=_common_range(slices), nticks=5),
        "margin": margins(top=8),
        "hovermode": "closest",
    }
    place = with_unit(knob, knob.from_unit(here))
    expected = significant(own_sign(run) * best[1])
    alt = f"Expected {outcome(run)[0]} along {display_name(name)}; best at {place}: {expected}."
    return plot(
        traces,
        layout,
        alt,
        f"Dot: the measured setting with the best expected outcome, {place}. "
        f"Drawn {last_moment(run)}.",
    )


def _side(knob: Knob) -> Array:
    """Return the unit coordinates of a slice: those that can be set, or an even grid."""
    if knob.levels and (isinstance(knob, Choice) or knob.levels <= MAX_LEVELS):
        return (np.arange(knob.levels) + 0.5) / knob.levels
    if knob.levels:
        cells = np.unique(np.linspace(0, knob.levels - 1, POINTS).astype(int))
        return np.asarray((cells + 0.5) / knob.levels)
    return np.linspace(0.0, 1.0, POINTS)


def _drawn_at(knob: Knob, unit_coordinates: Array) -> Array:
    """Return where coordinates are on the axis: the values of a number, the places of a choice."""
    if isinstance(knob, Choice):
        cells = np.floor(unit_coordinates * knob.levels)
        return np.asarray(np.clip(cells, 0, knob.levels - 1), dtype=float)
    return np.array([float(knob.from_unit(u)) for u in unit_coordinates.tolist()])


def _curve(key: str, knob: Knob, x: Array, drawn: Slice) -> list[Trace]:
    """Return a line with its band; one dot with a bar per value that can be set."""
    hover = "%{y:,.4~r}<extra></extra>"
    if knob.levels and len(x) == knob.levels:
        bars = error_bars([float(v) for v in rounded(DEVIATIONS * drawn.sd) if v is not None])
        return [dots(x, drawn.mean, "mean", key=key, size=7, hover=hover, error_y=bars)]
    low, high = drawn.mean - DEVIATIONS * drawn.sd, drawn.mean + DEVIATIONS * drawn.sd
    return [
        band(x, low, high, "two deviations", key=key),
        line(x, drawn.mean, "mean", key=key, hover=hover),
    ]


def _axis(name: str, knob: Knob, x: Array) -> dict[str, Any]:
    title = titled(display_name(name), display_name(knob.unit))
    if isinstance(knob, Choice):
        texts = [display_name(shown_choice(value), 16) for value in knob.values]
        ticks = {"tickvals": list(range(knob.levels)), "ticktext": texts}
        return axis(title, range=[-0.5, knob.levels - 0.5], **ticks)
    if isinstance(knob, Real) and knob.scale == "log":
        return log_axis(title, (float(np.log10(x[0])), float(np.log10(x[-1]))))
    if knob.levels:  # whole numbers have whole ticks
        ticks = {"tick0": float(x[0]), "dtick": math.ceil(knob.levels / MAX_TICKS)}
        return axis(title, range=[float(x[0]) - 0.5, float(x[-1]) + 0.5], **ticks)
    return axis(title, range=[float(x[0]), float(x[-1])], nticks=5)


def _common_range(slices: list[Slice]) -> list[float]:
    low = min(float(np.min(one.mean - DEVIATIONS * one.sd)) for one in slices)
    high = max(float(np.max(one.mean + DEVIATIONS * one.sd)) for one in slices)
    room = HEADROOM * (high - low) or 1.0
    return [low - room, high + room]
