"""Correct the value of an earlier observation, in its place.

The record of the observation gets the new value, and keeps the value that was told first among its
notes, so that a repeated tell is still recognised. If the observation is in D, the hyperparameters
are inferred anew. What was chosen meanwhile stays as it was: settings, removals, n* and pending
asks are those of the time when they were made.

An observation that was wrongly told as failed enters D now, and one that has failed leaves it, in
the states that `undo` goes back to as well: `undo` takes back tells, and the values that are left
stay corrected. Correcting the value once more takes a correction back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import IterationRecord
from bolt_core.online import saving
from bolt_core.online.answers import FIRST_VALUE
from bolt_core.online.telling import number

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


def correct(opt: OnlineOptimizer, row: int, y: float) -> None:
    """Replace the value of the observation number `row`; a y that is not finite has failed."""
    saving.check_open(opt)
    count = opt._inner.history.length
    if type(row) is not int or not 0 <= row < count:
        told = f"rows are 0 to {count - 1}" if count else "nothing was told yet"
        raise ConfigError(f"there is no row {row!r} to correct; {told}")
    value = opt._sign * number(y)
    now, past, undo = saving.state_of(opt), opt._inner.records, opt._undo.copy()
    corrected = _with_value(past, row, value)
    if corrected is None:
        return
    opt._undo.clear()
    opt._undo.extend(_with_dataset(state, row, corrected) for state in undo)
    try:
        saving.restore(opt, _with_dataset(now, row, corrected), corrected)
        if row in {o.i for o in opt.dataset} or row in now["kept"]:
            opt._inner.learn_anew()
        saving.rewrite(opt, {})
    except BaseException:
        saving.restore(opt, now, past)
        opt._undo = undo
        raise


def _with_value(
    past: Sequence[IterationRecord], row: int, y: float
) -> list[IterationRecord] | None:
    """Return all records with the new value in its row; None if it has this value already."""
    record, failed = past[row], not math.isfinite(y)
    was_failed = "failed" in record.notes
    if failed == was_failed and (failed or record.observation.y == y):
        return None
    first = None if was_failed else record.observation.y
    notes = {name: note for name, note in record.notes.items() if name != "failed"}
    notes = {FIRST_VALUE: first, **notes} | ({"failed": str(y)} if failed else {})
    removed = tuple(i for i in record.removed if i != row)
    observation = replace(record.observation, y=0.0 if failed else y)
    changed = replace(
        record, observation=observation, notes=notes, removed=(row, *removed) if failed else removed
    )
    records = list(past)
    records[row] = changed
    for later in range(row + 1, len(records)) if failed else ():
        if row in records[later].removed:  # it has left D with its own pass instead
            rest = tuple(i for i in records[later].removed if i != row)
            records[later] = replace(records[later], removed=rest)
    return records


def _with_dataset(
    state: Mapping[str, Any], row: int, records: Sequence[IterationRecord]
) -> Mapping[str, Any]:
    """Return a state whose D has no observation that failed, and one that turned out well."""
    kept, leaves = state["kept"], "failed" in records[row].notes
    removed = any(row in record.removed for record in records[row : state["i"]])
    if leaves == (row not in kept) or state["i"] <= row or (removed and not leaves):
        return state
    others = [i for i in kept if i != row]
    kept = others if leaves else sorted([*others, row], key=lambda i: records[i].observation.t)
    optimizer = dict(state["optimizer"])
    if "removed" in optimizer:
        optimizer["removed"] = []  # these were rows of the former D
    return {**state, "kept": kept, "optimizer": optimizer}
