"""The state of a problem as data: the next setting, its freshness, what was told last, the best.

A page draws it, and every poll of a browser brings it again, so that a measurement over HTTP shows
without a rerun of the page. The page is run again only when `state` has changed.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from bolt_core.common.errors import BoltError
from bolt_core.common.knobs import Choice, Knob, Value
from bolt_core.common.setting_text import change_text, value_text
from bolt_core.common.text import display_name, in_natural_unit, significant
from bolt_core.figures.problem.present import is_forgotten
from bolt_core.figures.problem.told_table import pages, told_text
from bolt_core.problems.problem_view import PendingSetting, ProblemView, Setting
from bolt_core.problems.problems import Problems
from bolt_core.problems.reading import RACE_PREFIX
from bolt_core.problems.view_building import outside_range
from bolt_core.runs.own_problem import own_y

MAX_NAME_LENGTH = 40  # characters


def row_of(problems: Problems, race_id: str) -> dict[str, Any] | None:
    """Return the row of the problem that charts know under this id; None for any other race."""
    if not race_id.startswith(RACE_PREFIX):
        return None
    try:
        view = problems.view(race_id.removeprefix(RACE_PREFIX))
    except BoltError:
        return None
    return problem_row(view, problems.is_running(view.id), datetime.now(UTC))


def problem_row(view: ProblemView, running: bool, now: datetime) -> dict[str, Any]:
    """Return what the page of a problem shows outside its charts, as JSON values."""
    spec, status = view.spec, view.status
    left = status.warmup_left if view.best is None else 0
    return {
        "state": page_state(view, running),
        "soon": running,
        "version": view.version,
        "outcome": {
            "name": display_name(spec.outcome, MAX_NAME_LENGTH),
            "unit": display_name(spec.unit, MAX_NAME_LENGTH),
            "direction": spec.direction,
        },
        "next": None if view.next is None else _next(view, view.next, now),
        "applied": _applied(view),
        "told": status.told,
        "warmup": {"made": status.warmup - left, "of": status.warmup} if left else None,
        "newest": _newest(view),
        "best": None
        if running
        else _best(view, now),  # a plant that runs is not at the present yet
        "can_undo": view.can_undo,
        "simulated": view.simulated,
        "running": running,
        "words": str(status),
    }


def page_state(view: ProblemView, running: bool) -> str:
    """Return a digest of what a page shows of a problem outside its charts and its row."""
    learned = view.best is not None
    shows = (view.spec.to_json(), view.simulated, running, view.notes, learned, pages(view.run))
    return hashlib.sha256(repr(shows).encode()).hexdigest()[:12]


def _next(view: ProblemView, ask: PendingSetting, now: datetime) -> dict[str, Any]:
    left = None if view.fresh_until is None else (view.fresh_until - now).total_seconds()
    fresh_for = view.fresh_for
    return {
        "id": ask.id,
        "at": ask.at.timestamp(),
        "random": ask.is_random,
        "explores": ask.explores,
        "knobs": knob_values(view.spec.knobs, ask.setting, ask.previous),
        "others": len(view.pending) - 1,
        "beyond": beyond_range(view.spec.knobs, ask.setting),
        "fresh": left,  # seconds; negative: stale since
        "ageless": fresh_for is not None and math.isinf(fresh_for),
    }


def beyond_range(knobs: Mapping[str, Knob], setting: Setting) -> str:
    """Return which values of a setting are still outside their range, and why, as sentences."""
    texts = []
    for name in outside_range(knobs, setting):
        knob = knobs[name]
        assert not isinstance(knob, Choice)
        above = float(setting[name]) > knob.high
        end = f"{'above' if above else 'below'} {knob.high if above else knob.low:g} {knob.unit}"
        words = f"{display_name(name, MAX_NAME_LENGTH)} is still {end.rstrip()}"
        if knob.max_step is not None:
            words += f", because the largest step is {knob.max_step:g}"
        texts.append(f"{words}.")
    return " ".join(texts)


def knob_values(
    knobs: dict[str, Knob] | Any,  # noqa: ANN401 - a mapping of knobs
    setting: Setting,
    previous: Setting | None = None,
) -> list[dict[str, str]]:
    """Return a setting knob by knob: name, value, unit and the change from the previous one."""
    return [
        {
            "name": display_name(name, MAX_NAME_LENGTH),
            "value": display_name(value_text(knob, setting[name]), MAX_NAME_LENGTH),
            "unit": display_name(knob.unit, MAX_NAME_LENGTH),
            "change": _change(knob, None if previous is None else previous[name], setting[name]),
        }
        for name, knob in knobs.items()
    ]


def _change(knob: Knob, before: Value | None, after: Value) -> str:
    """Return how a value differs from the last one: +0.4, was A, same; empty without a last one."""
    if before is None:
        return ""
    words = change_text(knob, before, after).strip("()").replace("-", "\N{MINUS SIGN}")
    return display_name(words, MAX_NAME_LENGTH) or "same"


def _applied(view: ProblemView) -> list[dict[str, str]]:
    """Return the setting that was applied last, knob by knob; empty at first."""
    setting = view.last_setting
    return [] if setting is None else knob_values(view.spec.knobs, setting)


def _newest(view: ProblemView) -> dict[str, Any] | None:
    """Return the measurement that was told last; its value is None if it failed."""
    if not len(view.run) or view.origin is None:
        return None
    y = float(own_y(view.run)[-1])
    at = view.origin.timestamp() + float(view.run.columns["t"][-1])
    return {"value": None if math.isnan(y) else told_text(y), "at": at}


def _best(view: ProblemView, now: datetime) -> dict[str, Any] | None:
    """Return the setting that the model thinks best now, and what it expects there."""
    if view.best is None:
        return None
    return {
        "knobs": knob_values(view.spec.knobs, view.best.setting),
        "value": estimate(view.best.mean, view.best.sd),
        "age": _forgotten(view, now),
    }


def _forgotten(view: ProblemView, now: datetime) -> str:
    """Return that the last measurement says nothing about now, as a sentence; mostly empty."""
    if view.origin is None or not len(view.run):
        return ""
    age = now.timestamp() - view.origin.timestamp() - float(view.run.columns["t"][-1])
    if not is_forgotten(age, view.lengthscale_time):
        return ""
    return (
        f"The last measurement is {in_natural_unit(age)} old and the lengthscale in time is "
        f"{in_natural_unit(view.lengthscale_time or 0.0)}: the model knows next to nothing about "
        "now. The charts are drawn at the last measurement."
    )


def estimate(mean: float, sd: float) -> str:
    """Return a mean with its deviation, both to two digits of the deviation: 63.0 +- 0.26."""
    if not (math.isfinite(mean) and math.isfinite(sd) and sd > 0):
        return significant(mean)
    decimals = max(1 - math.floor(math.log10(sd)), 0)
    words = f"{mean:,.{decimals}f} \N{PLUS-MINUS SIGN} {sd:,.{decimals}f}"
    return words.replace("-", "\N{MINUS SIGN}")
