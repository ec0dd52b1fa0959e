"""Which setting and which ask a measurement belongs to, for callers that give either, or none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bolt_core.common.errors import ConfigError, StateError
from bolt_core.common.text import listed

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


class NothingPendingError(StateError):
    """A measurement answers no ask: none is without a result."""


def answered(
    opt: OnlineOptimizer, setting: Mapping[str, Any], ask_id: int | None, key: str | None
) -> tuple[dict[str, Any] | None, int | None]:
    """Return the setting that was measured, None for that of `ask_id`, and the ask that it answers.

    With `ask_id`, `setting` has the knobs that were set otherwise than asked for. Without one, it
    is a setting of its own, or empty for the oldest ask without a result. The ask is None if the
    setting is the caller's, or if a result with this `key` may have been told before.
    """
    by_id = {ask.id: ask.setting for ask in opt.pending}
    if ask_id is not None:
        if setting and ask_id in by_id:
            return {**by_id[ask_id], **setting}, ask_id
        return dict(setting) or None, ask_id
    if setting:
        return dict(setting), None
    if not by_id and (key is None or opt._answers.get(key) is None):
        raise NothingPendingError(
            "no ask is without a result; ask for a setting first, or give the setting that was "
            "measured"
        )
    oldest = next(iter(by_id), None)
    return (None if oldest is None else by_id[oldest]), oldest


def ask_to_skip(opt: OnlineOptimizer, ask_id: int | None, by_id: str = "its number") -> int:
    """Return the ask without a result that is to be dropped: of this number, or the only one.

    `by_id` says how the caller gives the number.
    """
    pending = [ask.id for ask in opt.pending]
    if not pending:
        raise StateError("no ask is without a result, so that there is none to skip")
    numbers = listed([str(number) for number in pending])
    if ask_id is None and len(pending) > 1:
        raise ConfigError(f"several asks are without a result: {numbers}; choose one by {by_id}")
    if ask_id is not None and ask_id not in pending:
        raise ConfigError(f"ask {ask_id} is not without a result; choose among {numbers}")
    return pending[0] if ask_id is None else ask_id
