"""The pace of a race, and the time it still takes.

    seconds_left = (H - t) / (median pace of the last 30 s)

The pace is clock seconds per real second. Neither is given in the first 3 s. The time left is
rounded up to 5 s and grows only by a tenth or more, so that the displayed value does not jitter.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from statistics import median

SILENT_SECONDS = 3.0  # of movement, before anything is given
WINDOW_SECONDS = 30.0  # over which the median is taken
READING_SECONDS = 0.5  # between two readings, at least
ROUNDING_SECONDS = 5.0
MIN_GROWTH = 1.1  # of the time left, as a factor, if it grows at all


class EtaEstimator:
    """Readings of a race's clock against real time.

    One thread writes; the two public attributes may be read from any thread.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._readings: deque[tuple[float, float]] = deque(
            maxlen=int(WINDOW_SECONDS / READING_SECONDS) + 1
        )
        self._moving_seconds = 0.0
        self.pace: float | None = None  # clock seconds per real second; None: not known yet
        self.seconds_left: float | None = None  # real seconds; None: not known

    def note(self, t: float, horizon: float | None = None) -> None:
        """Note that the clock reads `t` on its way to `horizon`; kept at most twice per second."""
        real = self._monotonic()
        if self._readings:
            elapsed = real - self._readings[-1][0]
            if elapsed < READING_SECONDS:
                return
            self._moving_seconds += elapsed
        self._readings.append((real, t))
        while real - self._readings[0][0] > WINDOW_SECONDS:
            self._readings.popleft()
        paces = [(t2 - t1) / (r2 - r1) for (r1, t1), (r2, t2) in pairwise(self._readings)]
        if paces and self._moving_seconds >= SILENT_SECONDS:
            self.pace = median(paces)
            if self.pace > 0 and horizon is not None:
                self._update(max(horizon - t, 0.0) / self.pace)

    def rest(self) -> None:
        """Forget the readings: the race stands still, which says nothing about its pace."""
        self._readings.clear()
        self.seconds_left = None

    def _update(self, seconds_left: float) -> None:
        rounded = ROUNDING_SECONDS * math.ceil(seconds_left / ROUNDING_SECONDS)
        shown = self.seconds_left
        if shown is None or rounded <= shown or rounded >= MIN_GROWTH * shown:
            self.seconds_left = rounded
