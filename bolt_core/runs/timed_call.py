"""Call plug-in code in a thread, with a time limit.

    value = yield from thread.call(function, "at x = ..., t = ...")

yields None while there is no result, so that the caller can do other work meanwhile, and raises
when the time limit is over. A thread cannot be killed: one that hangs is abandoned. It is a daemon,
so it does not keep the process alive.
"""

import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import Any, TypeVar

from bolt_core.common.errors import ObjectiveError

TIME_LIMIT_SECONDS = 30.0  # of one call; --plugin-limit of the commands changes it
FIRST_WAIT_SECONDS = 0.005  # most results arrive within it

T = TypeVar("T")


class ObjectiveThread:
    """The thread in which one run calls its objective, from the first call until `close`."""

    def __init__(self, limit: float | None = None) -> None:
        self.limit = TIME_LIMIT_SECONDS if limit is None else limit  # seconds
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._pending: Future[Any] | None = None
        self._deadline = 0.0  # of the pending call, monotonic seconds

    @property
    def ready(self) -> bool:
        """Whether the pending call, if any, has ended or is late."""
        pending = self._pending
        return pending is None or pending.done() or time.monotonic() > self._deadline

    @property
    def busy(self) -> bool:
        """Whether a call is pending."""
        return self._pending is not None

    def call(
        self, function: Callable[[], T], where: str, what: str = "the objective"
    ) -> Generator[None, None, T]:
        """Return function(); raise ObjectiveError if it takes longer than the limit."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bolt-objective", daemon=True)
            self._thread.start()
        pending: Future[T] = Future()
        self._deadline = time.monotonic() + self.limit
        self._pending = pending
        self._calls.put((pending, function))
        while not wait([pending], FIRST_WAIT_SECONDS).done:
            if time.monotonic() > self._deadline:
                raise ObjectiveError(f"{what} did not answer within {self.limit:g} s {where}")
            yield None
        self._pending = None
        return pending.result()

    def close(self) -> None:
        """End the thread after its present call."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            pending, function = call
            try:
                pending.set_result(function())
            except BaseException as problem:  # noqa: BLE001 - raised again in the calling thread
                pending.set_exception(problem)
