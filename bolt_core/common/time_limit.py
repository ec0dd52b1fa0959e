"""Call a function in a thread and give up waiting for it after a time limit.

A thread cannot be killed: one that hangs is abandoned. It is a daemon, so it does not keep the
process alive.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TypeVar

T = TypeVar("T")


def call_within(seconds: float, function: Callable[[], T]) -> T:
    """Return function(); raise what it raises, and TimeoutError if it takes longer."""
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(function())
        except BaseException as problem:  # noqa: BLE001 - raised again in the calling thread
            answer.set_exception(problem)

    threading.Thread(target=work, name="bolt-time-limit", daemon=True).start()
    try:
        return answer.result(seconds)
    except FutureTimeoutError:
        if answer.done():  # the function itself raised it
            raise
        raise TimeoutError(f"no answer within {seconds:g} s") from None
