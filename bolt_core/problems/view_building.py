"""Build the view of a problem from its optimizer, which no other thread uses meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np

from bolt_core.common.errors import BoltError, RecordError
from bolt_core.common.knobs import Choice, Knob
from bolt_core.online.knob_space import KnobSpace
from bolt_core.online.pending import PendingAsk
from bolt_core.online.rebuilding import opening_note
from bolt_core.online.results import Best
from bolt_core.problems.problem_view import PendingSetting, ProblemView, Setting

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer
    from bolt_core.online.problem_spec import ProblemSpec
    from bolt_core.problems.problem_file import ProblemFile


def built_view(
    opt: OnlineOptimizer,
    problem: ProblemFile,
    now: datetime,
    *,
    version: int,
    run_id: str,
    changed: datetime,
) -> ProblemView:
    """Return the view of a problem; its best setting is that of the time `now`."""
    best: Best | None = None
    with suppress(BoltError):  # nothing is learned yet, or it cannot be learned from
        best = opt.best(now)
    notes = list(problem.notes)
    if (opening := opening_note(opt, "The file")) is not None:
        notes.append(f"{opening} Compare the log with what was measured.")
    status = opt.status()
    origin = opt._timeline.origin
    run = opt.snapshot()
    dated = {"origin": None if origin is None else origin.isoformat()}  # of second 0 of the run
    return ProblemView(
        id=problem.id,
        version=version,
        spec=spec_of(opt),
        created=problem.created,
        changed=changed,
        pending=pending_settings(opt),
        last_setting=opt.last_setting,
        status=status,
        best=best,
        fresh_for=status.fresh_for,
        lengthscale_time=opt.lengthscale_time,
        can_undo=opt.can_undo,
        simulated=problem.plant is not None,
        notes=tuple(notes),
        run=replace(run, run_id=run_id, header={**(run.header or {}), **dated}),
        asks=tuple(opt._pending),
        origin=None if origin is None else origin.astimezone(UTC),
    )


def spec_of(opt: OnlineOptimizer) -> ProblemSpec:
    """Return the problem of an optimizer; problems of a server have named knobs."""
    if opt.spec is None:
        raise RecordError("its journal has plain bounds and no names")
    return opt.spec


def space_of(opt: OnlineOptimizer) -> KnobSpace:
    """Return the settings of an optimizer; problems of a server have named knobs."""
    if not isinstance(opt.space, KnobSpace):
        raise RecordError("its journal has plain bounds and no names")
    return opt.space


def pending_settings(opt: OnlineOptimizer) -> tuple[PendingSetting, ...]:
    """Return the asks without a result, each with the setting that was applied before it."""
    columns, space = opt._inner.history.view(), space_of(opt)
    previous: Setting | None = None
    newest = -np.inf
    if columns.length:
        times = columns["t"]
        row = len(times) - 1 - int(np.argmax(times[::-1]))
        previous, newest = space.from_unit(np.array(columns["x"][row])), float(times[row])
    pending, fresh_for = [], opt.fresh_for
    for ask in opt._pending:
        setting = space.from_unit(np.array(ask.x))
        pending.append(_pending_setting(opt, ask, setting, previous, fresh_for))
        if ask.at >= newest:
            previous = setting
    return tuple(pending)


def _pending_setting(
    opt: OnlineOptimizer,
    ask: PendingAsk,
    setting: Setting,
    previous: Setting | None,
    fresh_for: float | None,
) -> PendingSetting:
    at = opt._timeline.to_caller_time(ask.at)
    if not isinstance(at, datetime):
        raise RecordError("its times are no dates")
    utc, is_random = at.astimezone(UTC), ask.start.warmup
    outside = outside_range(spec_of(opt).knobs, setting)
    return PendingSetting(
        ask.id, setting, utc, previous, is_random, fresh_for, outside, ask.explores
    )


def outside_range(knobs: Mapping[str, Knob], setting: Setting) -> tuple[str, ...]:
    """Return the knobs whose value in a setting is outside their range.

    A range that was changed is reached step by step where the largest step is short.
    """
    return tuple(
        name
        for name, knob in knobs.items()
        if not isinstance(knob, Choice) and not knob.low <= float(setting[name]) <= knob.high
    )
