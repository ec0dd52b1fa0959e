"""Call plug-in code in a thread, with a time limit.

    value = yield from thread.call(function, "at x = ..., t = ...")

yields None while there is no result, so that the caller can do other work meanwhile, and raises
when the time limit is over. A thread cannot be killed: one that hangs is abandoned. It is a daemon,
so it does not keep the process alive.
"""

import threading
import time
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import Any, TypeVar

from bolt_core.common.errors import ObjectiveError

TIME_LIMIT_SECONDS = 30.0
FIRST_WAIT_SECONDS = 0.005  # most results arrive within it

T = TypeVar("T")


class PendingCall:
    """A call and, once `done` is set, its value or its exception."""

    def __init__(self, function: Callable[[], Any], limit: float) -> None:
        self.function = function
        self.done = threading.Event()
        self.value: Any = None
        self.problem: BaseException | None = None
        self._deadline = time.monotonic() + limit

    @property
    def late(self) -> bool:
        """Whether the time limit is over."""
        return time.monotonic() > self._deadline

    def run(self) -> None:
        """Call the function, in the thread."""
        try:
            self.value = self.function()
        except BaseException as problem:  # noqa: BLE001 - raised again in the calling thread
            self.problem = problem
        self.done.set()


class ObjectiveThread:
    """The thread in which one run calls its objective, from the first call until `close`."""

    def __init__(self, limit: float | None = None) -> None:
        self._limit = TIME_LIMIT_SECONDS if limit is None else limit
        self._calls: SimpleQueue[PendingCall | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._pending: PendingCall | None = None

    @property
    def ready(self) -> bool:
        """Whether the pending call, if any, has ended or is late."""
        pending = self._pending
        return pending is None or pending.done.is_set() or pending.late

    @property
    def busy(self) -> bool:
        """Whether a call is pending."""
        return self._pending is not None

    def call(self, function: Callable[[], T], where: str) -> Generator[None, None, T]:
        """Return function(); raise ObjectiveError if it takes longer than the limit."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bolt-objective", daemon=True)
            self._thread.start()
        call = self._pending = PendingCall(function, self._limit)
        self._calls.put(call)
        while not call.done.wait(FIRST_WAIT_SECONDS):
            if call.late:
                raise ObjectiveError(
                    f"the objective did not answer within {self._limit:g} s {where}"
                )
            yield None
        self._pending = None
        if call.problem is not None:
            raise call.problem
        value: T = call.value
        return value

    def close(self) -> None:
        """End the thread after its present call."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call.run()
