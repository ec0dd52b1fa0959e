"""How often a visitor may do something that is expensive."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

from bolt_core.common.errors import RateError

WINDOW_SECONDS = 60.0
MAX_VISITORS = 1000  # remembered


class Rates:
    """Counts the calls of each visitor within the last minute."""

    def __init__(self, limit: int, now: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._now = limit, now
        self._lock = threading.Lock()
        self._calls: OrderedDict[str, deque[float]] = OrderedDict()

    def count(self, visitor: str) -> None:
        """Count a call; a RateError if there were too many in the last minute."""
        now = self._now()
        with self._lock:
            calls = self._calls.setdefault(visitor, deque())
            self._calls.move_to_end(visitor)
            while len(self._calls) > MAX_VISITORS:
                self._calls.popitem(last=False)
            while calls and now - calls[0] >= WINDOW_SECONDS:
                calls.popleft()
            if len(calls) >= self._limit:
                raise RateError(
                    f"{self._limit} new problems per minute are allowed; wait a minute",
                    WINDOW_SECONDS - (now - calls[0]),
                )
            calls.append(now)
