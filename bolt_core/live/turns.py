"""Computations in threads of their own that take turns: only one of them runs at any time.

Work that takes longer than its turn, such as one pass with thousands of observations, calls `pause`
at points where it may be suspended, and goes on in its next turn. So a long pass of one race delays
the other races by no more than a turn and the time between two such points. As only one thread
runs, and a suspended one uses no CPU time, the clocks of the runs are not affected.
"""

import threading
import time
from collections.abc import Callable
from typing import NamedTuple


class Spent(NamedTuple):
    """The time that a turn took."""

    real_seconds: float
    cpu_seconds: float


class CutError(BaseException):
    """Raised by `pause` in work that is to be abandoned; not an error of the work itself."""


class Turns:
    """The thread of one computation. `run` is called by one other thread, which waits meanwhile."""

    def __init__(self, name: str) -> None:
        """`name` is that of the thread, which is started by the first turn."""
        self._name = name
        self._thread: threading.Thread | None = None
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._work: Callable[[], None] | None = None
        self._until = 0.0  # monotonic seconds
        self._began = Spent(0.0, 0.0)
        self._spent = Spent(0.0, 0.0)
        self._cut_after: float | None = None  # monotonic seconds
        self._closed = False
        self.suspended = False  # whether the work of an earlier turn has not come to its end

    def run(self, work: Callable[[], None], seconds: float) -> Spent:
        """Run `work`, or go on with suspended work, which is suspended after so many seconds."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
            self._thread.start()
        if self._work is None:
            self._work = work
        self._until = time.monotonic() + seconds
        self._go.release()
        self._back.acquire()
        return self._spent

    def pause(self) -> None:
        """Suspend the calling work if its turn is over; raise a `CutError` if it is to end."""
        if threading.current_thread() is not self._thread:
            return
        self._raise_if_cut()
        if time.monotonic() >= self._until:
            self.suspended = True
            self._hand_back()
            self._go.acquire()
            self.suspended = False
            self._begin()
            self._raise_if_cut()

    def cut(self, after_seconds: float = 0.0) -> None:
        """Abandon work that is still at it after so many seconds. Callable from any thread."""
        if self._cut_after is None:
            self._cut_after = time.monotonic() + after_seconds

    def close(self) -> None:
        """End the thread; suspended work is abandoned. Call it between two turns."""
        if self._thread is not None and not self._closed:
            self._closed = True
            self.cut()
            self._go.release()

    def _raise_if_cut(self) -> None:
        if self._cut_after is not None and time.monotonic() >= self._cut_after:
            raise CutError

    def _begin(self) -> None:
        self._began = Spent(time.monotonic(), time.thread_time())

    def _hand_back(self) -> None:
        real_seconds = time.monotonic() - self._began.real_seconds
        self._spent = Spent(real_seconds, time.thread_time() - self._began.cpu_seconds)
        self._back.release()

    def _loop(self) -> None:
        while not self._closed:
            self._go.acquire()
            if self._work is None:
                return
            self._begin()
            try:
                self._work()
            except CutError:
                pass
            finally:
                self._work = None
                self._hand_back()
