"""A call that fails changes nothing, so that memory and journal agree afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bolt_core.common.errors import RecordError
from bolt_core.online import saving

if TYPE_CHECKING:
    from bolt_core.online.optimizer import OnlineOptimizer


@contextmanager
def unchanged_on_error(opt: OnlineOptimizer, before: Mapping[str, Any]) -> Iterator[None]:
    """Bring an optimizer back to the short state `before` if telling it something fails.

    After a RecordError nothing is taken back: the journal has queued what it could not write.
    """
    undo, thought = opt._undo.copy(), opt._thought
    try:
        yield
    except RecordError:
        raise
    except BaseException:
        saving.bring_back(opt, before)
        opt._undo, opt._thought = undo, thought
        raise
