"""Was the machine busy with something else while a race computed?

    times = median over the last slices of (real seconds) / (CPU seconds of the conductor's thread)

A slice is a turn of about 50 ms in which the thread does nothing but compute. Alone it gets all of
a core, and the ratio is 1; beside neighbours it waits. The median forgives a slow disk. Only the
conductor measures, with two readings of a clock a slice: the race knows nothing of it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

SLICES = 50
ENOUGH = 10  # slices before anything is said
LEAST = 1e-3  # CPU seconds of a slice that says something
DISTURBED = 1.3  # times as long as alone, from which on timings are called disturbed


class Neighbours:
    """One writer; readers see two numbers."""

    def __init__(
        self,
        real: Callable[[], float] = time.monotonic,
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        self._real, self._cpu = real, cpu
        self._ratios: deque[float] = deque(maxlen=SLICES)
        self._spent = self._waited = 0.0
        self.now: float | None = None  # lately; None: too early to tell
        self.whole: float | None = None  # over the whole race

    @contextmanager
    def computing(self) -> Iterator[None]:
        """A slice."""
        real, cpu = self._real(), self._cpu()
        yield
        real, cpu = self._real() - real, self._cpu() - cpu
        if cpu < LEAST:
            return
        self._ratios.append(real / cpu)
        self._spent, self._waited = self._spent + cpu, self._waited + max(real - cpu, 0.0)
        if len(self._ratios) >= ENOUGH:
            self.now = median(self._ratios)
            self.whole = 1.0 + self._waited / self._spent
