"""Somebody else's code, called in a thread of its own and not waited for without end.

    value = yield from elsewhere.call(function, "at x = ..., t = ...")

yields None while there is no answer, so that whoever drives can do other things meanwhile, and
raises when the time is up. A thread cannot be killed: one that hangs is left behind. It is a
daemon, so it does not keep the process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from queue import SimpleQueue
from typing import Any, TypeVar

from bolt_core.common.errors import ObjectiveError

LIMIT = 30.0  # seconds
GRACE = 0.005  # seconds to wait at once: most answers are there by then

T = TypeVar("T")


class Answer:
    """What a call came to, once `done` is set."""

    def __init__(self, function: Callable[[], Any], limit: float) -> None:
        self.function = function
        self.done = threading.Event()
        self.value: Any = None
        self.problem: BaseException | None = None
        self._deadline = time.monotonic() + limit

    @property
    def late(self) -> bool:
        return time.monotonic() > self._deadline

    def work(self) -> None:
        try:
            self.value = self.function()
        except BaseException as problem:  # noqa: BLE001 - raised again by whoever asked
            self.problem = problem
        self.done.set()


class ObjectiveThread:
    """One thread for one run; it begins with the first call and ends with `close`."""

    def __init__(self, limit: float | None = None) -> None:
        self._limit = LIMIT if limit is None else limit
        self._asked: SimpleQueue[Answer | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._pending: Answer | None = None

    @property
    def ready(self) -> bool:
        """Nothing is being waited for any longer: asking again leads on."""
        pending = self._pending
        return pending is None or pending.done.is_set() or pending.late

    @property
    def busy(self) -> bool:
        return self._pending is not None

    def call(self, function: Callable[[], T], where: str) -> Generator[None, None, T]:
        """function(), or an ObjectiveError if it takes longer than the limit."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bolt-objective", daemon=True)
            self._thread.start()
        answer = self._pending = Answer(function, self._limit)
        self._asked.put(answer)
        while not answer.done.wait(GRACE):
            if answer.late:
                raise ObjectiveError(
                    f"the objective did not answer within {self._limit:g} s {where}"
                )
            yield None
        self._pending = None
        if answer.problem is not None:
            raise answer.problem
        value: T = answer.value
        return value

    def close(self) -> None:
        """Let the thread go home, when it can."""
        self._asked.put(None)

    def _work(self) -> None:
        while (answer := self._asked.get()) is not None:
            answer.work()
