"""The pace of a race, and the time it still takes.

    seconds_left = (work left) / (median rate of work over the last 30 s)

The work left is an estimate in CPU seconds (`runs/duration_estimate`), in which later passes cost
more than early ones. The rate, work per real second, is measured, so the estimate is corrected on
a busy machine within the first seconds. Without an estimate, the work left is H - t.

The pace is clock seconds per real second. Neither is given in the first 3 s. The time left is
rounded up to 5 s and grows only by a tenth or more, so that the displayed value does not jitter.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from itertools import pairwise
from statistics import median
from typing import NamedTuple

SILENT_SECONDS = 3.0  # of movement, before anything is given
WINDOW_SECONDS = 30.0  # over which the median is taken
READING_SECONDS = 0.5  # between two readings, at least
ROUNDING_SECONDS = 5.0
MIN_GROWTH = 1.1  # of the time left, as a factor, if it grows at all


class Reading(NamedTuple):
    """One reading of a race."""

    real: float  # monotonic seconds
    t: float  # seconds on the clock of the race
    left: float  # work left


class EtaEstimator:
    """Readings of a race's clock against real time.

    One thread writes; the two public attributes may be read from any thread.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._readings: deque[Reading] = deque(maxlen=int(WINDOW_SECONDS / READING_SECONDS) + 1)
        self._moving_seconds = 0.0
        self.pace: float | None = None  # clock seconds per real second; None: not known yet
        self.seconds_left: float | None = None  # real seconds; None: not known

    def note(
        self,
        t: float,
        horizon: float | None = None,
        work_left: Callable[[], float | None] = lambda: None,
    ) -> None:
        """Note that the clock reads `t` on its way to `horizon`; kept at most twice per second.

        `work_left` returns the estimated CPU seconds until the horizon, None where unknown.
        """
        real = self._monotonic()
        if self._readings:
            elapsed = real - self._readings[-1][0]
            if elapsed < READING_SECONDS:
                return
            self._moving_seconds += elapsed
        work = work_left() if horizon is not None else None
        left = max((horizon or t) - t, 0.0) if work is None else work
        self._readings.append(Reading(real, t, left))
        while real - self._readings[0].real > WINDOW_SECONDS:
            self._readings.popleft()
        steps = list(pairwise(self._readings))
        if steps and self._moving_seconds >= SILENT_SECONDS:
            self.pace = median((new.t - old.t) / (new.real - old.real) for old, new in steps)
            rate = median((old.left - new.left) / (new.real - old.real) for old, new in steps)
            if rate > 0 and horizon is not None:
                self._update(left / rate)

    def rest(self) -> None:
        """Forget the readings: the race stands still, which says nothing about its pace."""
        self._readings.clear()
        self.seconds_left = None

    def _update(self, seconds_left: float) -> None:
        rounded = ROUNDING_SECONDS * math.ceil(seconds_left / ROUNDING_SECONDS)
        shown = self.seconds_left
        if shown is None or rounded <= shown or rounded >= MIN_GROWTH * shown:
            self.seconds_left = rounded
