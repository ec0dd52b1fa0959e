"""All problems of a server: who may change them, and one optimizer each.

    problems = Problems(paths.problems(), permissions)
    id, token = problems.create(spec, by)
    ask = problems.next_setting(id, by)
    problems.tell(id, 71.3, by, ask_id=ask.id)
    view = problems.view(id)

Every method may be called from any thread. A problem has one lock: its calls come one after the
other. Of different problems, MAX_COMPUTING calls compute at a time. What a call acknowledged is in
the journal of the problem, which is on disk within a second and survives the end of the process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from bolt_core.common.errors import StateError
from bolt_core.online.optimizer import OnlineOptimizer
from bolt_core.online.wall_clock import utc_now
from bolt_core.problems import steps
from bolt_core.problems.caller import Caller
from bolt_core.problems.creating import Created, NewProblems
from bolt_core.problems.problem_view import PendingSetting, Told
from bolt_core.problems.steps import MeasuredRow, Measurement

__all__ = ["Caller", "Created", "MeasuredRow", "Problems"]

T = TypeVar("T")


class Problems(NewProblems):
    """The problems in one folder: ask, tell and change them.

    `by` is who calls. The owner, the operator and the bearer of a problem's token may change it;
    others get a NotYoursError. An UnknownProblemError is raised for an id that does not exist.
    """

    def next_setting(self, id: str, by: Caller) -> PendingSetting:
        """Return the oldest ask without a result; if there is none, ask for a setting."""
        return self._step(id, by, lambda opt: steps.ask(opt, utc_now(), reuse=True))

    def ask(self, id: str, by: Caller, *, key: str | None = None) -> PendingSetting:
        """Ask for a further setting; a repeated call with the same key returns the same ask.

        Keys of asks are remembered as long as the server runs.
        """
        if key is None:
            return self._step(id, by, lambda opt: steps.ask(opt, utc_now()))
        keys = self._open(id).ask_keys

        def ask(opt: OnlineOptimizer) -> PendingSetting:
            if key not in keys:
                keys.add(key, steps.ask(opt, utc_now()))
            return keys[key]

        return self._step(id, by, ask)

    def tell(  # noqa: PLR0913 - what a measurement may come with
        self,
        id: str,
        value: float | None,
        by: Caller,
        *,
        ask_id: int | None = None,
        key: str | None = None,
        setting: Mapping[str, Any] | None = None,
        at: datetime | None = None,
    ) -> Told:
        """Tell a measurement; a value None has failed.

        It answers the ask `ask_id`, or without one the oldest ask without a result, unless
        `setting` gives a setting of its own. With `ask_id`, `setting` has the knobs that were set
        otherwise than asked for. `at` is when it was measured; None: now. A repeated tell with the
        same `ask_id` or `key` is stored once; with another value it is a ConflictError.
        """
        measured = Measurement(value, ask_id, key, setting, at)

        def tell(opt: OnlineOptimizer) -> Told:
            self._access.check_size(by, opt.told + 1)
            return steps.tell(opt, utc_now(), measured)

        return self._step(id, by, tell)

    def skip(self, id: str, by: Caller, ask_id: int | None = None) -> None:
        """Drop an ask that will have no result: by its number, or the only one."""
        self._step(id, by, lambda opt: steps.skip(opt, ask_id))

    def undo(self, id: str, by: Caller, *, told: int | None = None) -> None:
        """Take back the last tell; the ask that it answered is without a result again.

        With `told`, only if so many measurements were told; otherwise it is a ConflictError.
        """
        self._step(id, by, lambda opt: steps.undo(opt, told), revises=True)

    def change(self, id: str, by: Caller, knob: str, changes: Mapping[str, Any]) -> None:
        """Change low, high, unit or max_step of a knob; observations outside stay in D."""
        self._step(id, by, lambda opt: steps.change(opt, knob, changes), revises=True)

    def correct(self, id: str, by: Caller, row: int, value: float | None) -> None:
        """Correct the value of a measurement: `row` as in the log; None: it failed.

        The model is inferred anew from the corrected value. Settings that were chosen meanwhile
        stay as they were made, and so does the ask that is pending.
        """
        self._step(id, by, lambda opt: steps.correct(opt, row, value), revises=True)

    def rename(self, id: str, by: Caller, name: str) -> None:
        """Give the problem another name."""
        self._step(id, by, lambda opt: steps.rename(opt, name))

    def _step(
        self, id: str, by: Caller, step: Callable[[OnlineOptimizer], T], *, revises: bool = False
    ) -> T:
        self.check(id, by)
        if self.is_running(id):
            raise StateError("the simulated plant is measuring; wait until it ends, or stop it")
        return self._open(id).change(step, revises=revises)
