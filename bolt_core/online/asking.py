"""The next setting: one pass begins. An ask that fails changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from bolt_core.common.errors import RecordError
from bolt_core.online import saving
from bolt_core.online.caller_time import Time
from bolt_core.online.knob_space import KnobSpace
from bolt_core.online.roll_back import unchanged_on_error
from bolt_core.runs.history_edits import end_pass

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


def next_setting(opt: OnlineOptimizer, t: Time) -> Any:  # noqa: ANN401 - as `ask`
    """Return the next setting at time t, in the units of the user."""
    began = opt._clock()
    saving.check_open(opt)
    with opt._timeline.undecided_on_error():
        now = opt._timeline.seconds(t)
    before = saving.state_of(opt, short=True)
    with unchanged_on_error(opt, before), _pass_not_ended_on_error(opt):
        x = _chosen(opt, now, began)
    return opt.space.from_unit(x)


@contextmanager
def _pass_not_ended_on_error(opt: OnlineOptimizer) -> Iterator[None]:
    """Give the last pass the response time that it had, if the ask that ends it fails."""
    history = opt._inner.history
    seconds = opt._inner.records[-1].seconds if history.length else 0.0
    try:
        yield
    except RecordError:
        raise
    except BaseException:
        if history.length:
            end_pass(history, seconds)
        raise


def _chosen(opt: OnlineOptimizer, now: float, began: float) -> Any:  # noqa: ANN401 - an array
    """Begin a pass and return its query in unit coordinates, which is pending and saved then."""
    inner, last = opt._inner, opt._last_point()
    named = isinstance(opt.space, KnobSpace)
    pending = [(np.array(ask.x), ask.at) for ask in opt._pending] if named else []
    region = opt.space.region(last) if isinstance(opt.space, KnobSpace) else None
    x, opt._at = inner.ask(now, region=region, pending=pending)
    if isinstance(opt.space, KnobSpace):
        x = opt.space.towards(x, last)
    start = inner.start
    if inner.bounded and start is not None:
        opt._pending.add(x, opt._at, start, inner.explores)
    ended = opt._clock()
    if start is not None and not start.warmup:
        opt._thinking.add(max(start.n, 1), opt._thought + ended - began)
    opt._thought = 0.0  # is part of the state: the next tell may be that of another process
    saving.after_ask(opt, inner.ended_seconds)
    opt._thought = opt._clock() - ended  # saving belongs to the next pass
    return x
