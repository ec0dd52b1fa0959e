"""What the charts of a problem share: its surrogate now, its outcome, and its time axis."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from bolt_core.analysis.surrogate_from_record import surrogate
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.text import counted, display_name, significant, time_unit
from bolt_core.figures.inside.belief import best_observed
from bolt_core.figures.shared.chart_dicts import axis
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.own_problem import own_y
from bolt_core.runs.snapshot import RunSnapshot

MAX_OBSERVATIONS = 1500  # with more, the surrogate is not rebuilt for charts
FORGOTTEN_LENGTHSCALES = 3.0  # an age at which a measurement says next to nothing about now


class TimeScale(NamedTuple):
    """The unit of a time axis, by the length of what it shows."""

    seconds: float  # of one unit
    name: str

    def text(self, seconds: float) -> str:
        """Return a time in this unit, with three digits."""
        return f"{significant(seconds / self.seconds)} {self.name}"

    def axis(self, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - plotly's properties
        """Return a time axis that begins with the first measurement."""
        return axis(f"time since the first measurement ({self.name})", **more)


def time_scale(span_seconds: float) -> TimeScale:
    """Return the unit in which so many seconds are written with few digits."""
    return TimeScale(*time_unit(span_seconds))


def is_forgotten(age: float, lengthscale: float | None) -> bool:
    """Whether a measurement of this age, in seconds, says next to nothing about now."""
    return lengthscale is not None and age > FORGOTTEN_LENGTHSCALES * lengthscale


def last_moment(run: RunSnapshot) -> str:
    """Return when the last measurement was made, with its date if the run has dates."""
    words, origin = "at the last measurement", (run.header or {}).get("origin")
    if origin is None or not len(run):
        return words
    at = datetime.fromisoformat(str(origin)) + timedelta(seconds=float(run.columns["t"][-1]))
    return f"{words}, {at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


@memoize_last
def surrogate_now(run: RunSnapshot) -> ExactSurrogate | None:
    """Return the surrogate after the last measurement; None if there is none, or it is too large.

    All charts of one snapshot share it.
    """
    if not len(run) or run.sizes()[-1] > MAX_OBSERVATIONS:
        return None
    return surrogate(run)


@memoize_last
def best_now(run: RunSnapshot) -> tuple[Any, float, float] | None:
    """Return the best measured x now, with mean and deviation to be maximised; None: no model."""
    model = surrogate_now(run)
    return None if model is None else best_observed(model, float(run.columns["t"][-1]))


def why_no_model(run: RunSnapshot) -> str:
    """Return what is missing until there is a model, as a sentence."""
    if len(run) and run.sizes()[-1] > MAX_OBSERVATIONS:
        size = counted(int(run.sizes()[-1]), "measurement")
        return f"{size} are kept, too many to draw the model."
    left = run.config.warmup - int(np.sum(np.isfinite(own_y(run))))
    if left > 0:
        return f"The model is learned after {counted(left, 'more measurement')}."
    return "The model is drawn from the next measurement on."


def outcome(run: RunSnapshot) -> tuple[str, str]:
    """Return the name of the outcome and its unit."""
    problem = (run.header or {}).get("problem") or {}
    name = problem.get("maximize") or problem.get("minimize") or "y"
    return display_name(str(name)), display_name(str(problem.get("unit", "")))


def titled(name: str, unit: str) -> str:
    """Return the title of an axis: feed (l/min)."""
    return f"{name} ({unit})" if unit else name
