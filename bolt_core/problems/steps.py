"""The steps of a loop on the optimizer of a problem, at a time of the clock."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from bolt_core.common.errors import BoltError, ConfigError, ConflictError
from bolt_core.online import saving
from bolt_core.online.answered import answered, ask_to_skip
from bolt_core.online.problem_change import change_problem
from bolt_core.online.range_change import changed_knob
from bolt_core.online.wall_clock import measured_at, present
from bolt_core.problems.problem_view import PendingSetting, Told
from bolt_core.problems.view_building import pending_settings, space_of, spec_of

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


class MeasuredRow(NamedTuple):
    """A measurement that was made before a problem was created, such as a row of a log."""

    setting: Mapping[str, Any]
    at: datetime  # aware
    value: float  # NaN if it failed


class Measurement(NamedTuple):
    """What a caller tells; see `Problems.tell`."""

    value: float | None  # None: it failed
    ask_id: int | None = None
    key: str | None = None
    setting: Mapping[str, Any] | None = None
    at: datetime | None = None


def ask(opt: OnlineOptimizer, clock: datetime, *, reuse: bool = False) -> PendingSetting:
    """Ask for a setting; with `reuse`, only if none is without a result."""
    if reuse and (pending := pending_settings(opt)):
        return pending[0]
    opt.ask(present(opt, clock))
    return pending_settings(opt)[-1]


def tell(opt: OnlineOptimizer, clock: datetime, measured: Measurement) -> Told:
    """Tell a measurement."""
    value, ask_id, key, setting, at = measured
    time = present(opt, clock) if at is None else measured_at(at, clock)
    y = math.nan if value is None else value
    count = opt.told
    x, answers = answered(opt, setting or {}, ask_id, key)
    if ask_id is not None:
        opt.tell(x, time, y, id=ask_id, key=key)
    else:
        opt.tell(x, time, y, id=key)
    stored = opt.told > count
    if not stored and ask_id is None and key is not None:  # the ask that it answered before
        before = opt._answers.get(key)
        answers = None if before is None else before.ask
    return Told(stored, opt.told, answers)


def tell_rows(opt: OnlineOptimizer, clock: datetime, rows: Sequence[MeasuredRow]) -> None:
    """Tell the rows of a log at once, with one inference at the end; `undo` leaves them."""
    if not rows:
        return
    space, times = space_of(opt), []
    for number, row in enumerate(rows, start=1):
        try:
            space.point_to_unit(dict(row.setting))
            times.append(measured_at(row.at, clock))
        except BoltError as problem:
            raise ConfigError(f"row {number}: {problem}") from None
    opt.tell_all([dict(row.setting) for row in rows], times, [row.value for row in rows])
    saving.make_final(opt)


def skip(opt: OnlineOptimizer, ask_id: int | None) -> None:
    """Drop an ask that will have no result."""
    opt.withdraw(ask_to_skip(opt, ask_id))


def undo(opt: OnlineOptimizer, told: int | None) -> None:
    """Take back the last tell; with `told`, only if it was that one."""
    if told is not None and told != opt.told:
        raise ConflictError(
            f"{opt.told} measurements were told, not {told}; look at the log before you take "
            "another one back"
        )
    opt.undo()


def change(opt: OnlineOptimizer, knob: str, changes: Mapping[str, Any]) -> None:
    """Change the range, unit or max_step of a knob."""
    spec = spec_of(opt)
    new = changed_knob(knob, spec.knobs, changes)
    change_problem(opt, replace(spec, knobs={**spec.knobs, knob: new}))


def correct(opt: OnlineOptimizer, row: int, value: float | None) -> None:
    """Correct the value of a measurement; None: it failed."""
    opt.correct(row, math.nan if value is None else value)


def rename(opt: OnlineOptimizer, name: str) -> None:
    """Give the problem another name."""
    change_problem(opt, replace(spec_of(opt), name=name))
