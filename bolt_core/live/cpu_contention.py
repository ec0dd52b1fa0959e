"""CPU contention: whether other programs used the machine while a race computed.

    ratio = median over the last slices of (real seconds) / (CPU seconds of the race's thread)

A slice is a turn of about 50 ms in which the thread only computes. On an idle machine it gets a
whole core and the ratio is 1; beside other programs it waits. The median ignores a single slow
disk access. A slice costs four clock readings; the race is not affected.
"""

from collections import deque
from statistics import median

MAX_SLICES = 50  # in the median
MIN_SLICES = 10  # before a ratio is given
MIN_CPU_SECONDS = 1e-3  # of a slice that counts


class CpuContention:
    """The ratio of real to CPU seconds, recently and over the whole race.

    One thread measures; the two public attributes may be read from any thread.
    """

    def __init__(self) -> None:
        self._ratios: deque[float] = deque(maxlen=MAX_SLICES)
        self._computed = self._waited = 0.0  # seconds
        self.recent: float | None = None  # None: fewer than MIN_SLICES slices
        self.overall: float | None = None

    def note(self, real_seconds: float, cpu_seconds: float) -> None:
        """Count one slice, in which a thread computed and did not sleep."""
        if cpu_seconds < MIN_CPU_SECONDS:
            return
        self._ratios.append(real_seconds / cpu_seconds)
        self._computed += cpu_seconds
        self._waited += max(real_seconds - cpu_seconds, 0.0)
        if len(self._ratios) >= MIN_SLICES:
            self.recent = median(self._ratios)
            self.overall = 1.0 + self._waited / self._computed
