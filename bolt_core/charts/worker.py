"""One daemon thread that works through a queue in which each key holds only its newest job."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Job = TypeVar("Job")
Value = TypeVar("Value")

SHUTDOWN_SECONDS = 2.0  # how long `shutdown` waits for the job in progress
log = logging.getLogger(__name__)


class LatestJobWorker(Generic[Key, Job]):
    """Runs `work(job)` in a thread of its own, outside `lock`, one job at a time.

    The thread is started by the first job and sleeps while the queue is empty. `lock` is a
    condition that guards the queue and, by agreement, the owner's own results; it is notified
    after every job.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[Job], None],
        *,
        seconds_between: float = 0.0,
        rest_ratio: float = 0.0,
        urgent: Callable[[Key], bool] = lambda _: False,
    ) -> None:
        """Name the thread and set its limits.

        `seconds_between` is the least time between the starts of two jobs with the same key. After
        each job the thread rests for `rest_ratio` times the CPU time that the job took. Jobs whose
        key is `urgent` come before older ones.
        """
        self.lock = threading.Condition()
        self.closed = False
        self._name = name
        self._work = work
        self._seconds_between = seconds_between
        self._rest_ratio = rest_ratio
        self._urgent = urgent
        self._jobs: dict[Key, Job] = {}
        self._not_before: dict[Key, float] = {}  # monotonic seconds, by key
        self._resting_until = 0.0  # monotonic seconds
        self.thread: threading.Thread | None = None  # None before the first job

    def queued(self, key: Key) -> Job | None:
        """Return the job that waits under this key. The caller holds the lock."""
        return self._jobs.get(key)

    def put(self, key: Key, job: Job) -> None:
        """Queue a job in place of an older one of the same key. The caller holds the lock."""
        if self.closed:
            return
        self._jobs[key] = job
        if self.thread is None:
            self.thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self.thread.start()
        self.lock.notify_all()

    def shutdown(self) -> None:
        """Accept no further jobs, and wait a short time for the one in progress."""
        with self.lock:
            self.closed = True
            self.lock.notify_all()
        if self.thread is not None:
            self.thread.join(SHUTDOWN_SECONDS)

    def _run(self) -> None:
        while (next_job := self._next()) is not None:
            key, job = next_job
            began, cpu_began = time.monotonic(), time.thread_time()
            try:
                self._work(job)
            except Exception:  # the thread must survive any job
                log.exception("%s: the job %s failed", self._name, key)
            with self.lock:
                now = time.monotonic()
                self._not_before = {k: t for k, t in self._not_before.items() if t > now}
                self._not_before[key] = began + self._seconds_between
                self._resting_until = now + self._rest_ratio * (time.thread_time() - cpu_began)
                self.lock.notify_all()

    def _next(self) -> tuple[Key, Job] | None:
        """Wait for the oldest job that may start now; None once the worker is closed."""
        with self.lock:
            while not self.closed:
                now = time.monotonic()
                starts = {
                    key: max(self._not_before.get(key, now), self._resting_until)
                    for key in self._jobs
                }
                if ready := [key for key, start in starts.items() if start <= now]:
                    key = next(filter(self._urgent, ready), ready[0])
                    return key, self._jobs.pop(key)
                self.lock.wait(min(starts.values()) - now if starts else None)
        return None


def keep_recent(values: OrderedDict[Key, Value], key: Key, value: Value, most: int) -> None:
    """Store a value as the most recently used one, and drop the least recent beyond `most`."""
    values[key] = value
    values.move_to_end(key)
    while len(values) > most:
        values.popitem(last=False)
