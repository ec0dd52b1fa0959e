"""What a user tells: observations, checked before anything changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from bolt_core.common.errors import ConfigError
from bolt_core.common.limits import MAX_VALUE
from bolt_core.common.text import shortened
from bolt_core.common.types import Array
from bolt_core.online import saving
from bolt_core.online.ask_tell import Told
from bolt_core.online.bounds import Box
from bolt_core.online.caller_time import Time
from bolt_core.online.knob_space import KnobSpace
from bolt_core.online.pending import PendingAsk, check_id
from bolt_core.online.roll_back import unchanged_on_error

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


# x, t, y, the number of an ask or a key of the caller, and a key beside a number
Row: TypeAlias = tuple[Any, Time, float, int | str | None, str | None]


def tell_rows(opt: OnlineOptimizer, rows: Sequence[Row]) -> None:
    """Add observations with one inference at the end; those that were told before are ignored."""
    began = opt._clock()
    saving.check_open(opt)
    with opt._timeline.undecided_on_error():
        told = checked_rows(opt, rows)
    if not told:  # all of them were told before
        return
    before, first = saving.state_of(opt, short=True), opt._inner.history.length
    opt._inner.size_limit = opt._size_limit()
    with unchanged_on_error(opt, before):
        opt._inner.tell(told)
        for row in told:
            opt._pending.remove(row.notes.get("ask", 0))
            opt._answers.add(row.notes, row.y)
        opt._undo.append(before)
        opt._tells += 1
        ended = opt._clock()
        opt._thought += ended - began
        saving.after_tell(opt, first)
    opt._thought += opt._clock() - ended


def checked_rows(opt: OnlineOptimizer, rows: Iterable[Row]) -> list[Told]:
    """Return the observations that were not told before; an ask has one answer among them."""
    told: list[Told] = []
    taken: set[int | str] = set()  # by rows before
    for row in rows:
        for name in row[3:]:
            if name in taken:
                raise ConfigError(f"two results have the id {name!r}; give each its own")
        if (checked := _checked_row(opt, row, taken)) is not None:
            told.append(checked)
            taken |= set(checked.notes.values())
    return told


def _checked_row(opt: OnlineOptimizer, row: Row, taken: Set[int | str]) -> Told | None:
    """Return an observation in unit coordinates, seconds and y to be maximised.

    It answers the ask of the number in `row`, or without one (None, or a key of the caller) an ask
    for this setting. None if it was told before.
    """
    x, t, y = row[:3]
    value = opt._sign * number(y)
    answers, key = _ask_and_key(row[3], row[4])
    known = [opt._answers.has(name, value, opt._sign) for name in (answers, key)]
    if any(known):
        return None
    ask = opt._pending.get(answers) if isinstance(answers, int) else None
    if ask is None and x is None:
        if isinstance(answers, int):
            raise ConfigError(
                f"ask {answers} is not pending any more, because it was dropped or answered long "
                "ago; give the setting that was measured"
            )
        raise ConfigError("x may be None only with the id of a pending ask; give the setting")
    if ask is None and not isinstance(answers, int):
        free = (ask for ask in opt._pending if ask.id not in taken)
        ask = next((ask for ask in free if _is_setting(opt.space, x, ask.x)), None)
    with np.errstate(over="ignore"):
        point = _point(opt.space, x, ask)
    if not np.all(np.abs(point) <= MAX_VALUE):
        raise ConfigError(
            f"x lies further outside the range than can be computed with, got {x!r}; "
            "give the setting in the units of the range"
        )
    asked_for = t is None and opt._timeline.is_given and ask is not None
    seconds = ask.at if ask is not None and asked_for else opt._timeline.seconds(t)
    notes: dict[str, Any] = {} if key is None else {"key": key}
    ask_id = ask.id if ask is not None else answers
    if isinstance(ask_id, int):
        notes["ask"] = ask_id
    return Told(point, seconds, value, ask.start if ask else None, notes)


def _ask_and_key(answers: int | str | None, key: str | None) -> tuple[int | None, str | None]:
    """Return the number of an ask and the key of the caller; None if it gave none."""
    if key is not None and type(answers) is not int:
        raise ConfigError(f"give a key beside the number of an ask, or as id; got {answers!r}")
    for name in (answers, key):
        check_id(name)
    return (None, answers) if isinstance(answers, str) else (answers, key)


def _point(space: Box | KnobSpace, x: Any, ask: PendingAsk | None) -> Array:  # noqa: ANN401
    """Return the unit coordinates of a setting: those of the ask, if it is the setting asked for.

    For plain bounds they are computed from x, as without pending asks.
    """
    if ask is not None and x is None:
        return np.array(ask.x)
    if ask is not None and isinstance(space, KnobSpace) and _is_setting(space, x, ask.x):
        return np.array(ask.x)
    return space.point_to_unit(x)


def _is_setting(space: Box | KnobSpace, x: Any, point: tuple[float, ...]) -> bool:  # noqa: ANN401
    """Whether a user's setting is that of a point; of knobs up to rounding.

    The point of an ask is rounded anew whenever a range changes.
    """
    if isinstance(space, KnobSpace):
        return isinstance(x, Mapping) and space.is_same(x, space.from_unit(np.array(point)))
    setting = space.from_unit(np.array(point))
    return np.shape(x) == np.shape(setting) and bool(np.all(np.asarray(x) == setting))


def number(y: object) -> float:
    """Return a measured value; a ConfigError if it is no number or too large."""
    try:
        value = float(y)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ConfigError(f"y must be a number, got {y!r}") from None
    except OverflowError:
        value = MAX_VALUE * 2.0
    if math.isfinite(value) and abs(value) > MAX_VALUE:
        raise ConfigError(
            f"y must be a number up to {MAX_VALUE:g}, got {shortened(y, 40)}; if the measurement "
            "failed, tell it as failed (NaN)"
        )
    return value
