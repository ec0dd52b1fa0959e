"""How fast a race moves, and so how long it still takes.

    left = (H - t) / median speed of the last 30 s

Speed is clock seconds per second of waiting. Nothing is said in the first 3 s, and then only in
steps of 5 s: a figure that jitters is read as a lie.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from statistics import median

SILENT, WINDOW, EVERY, STEP = 3.0, 30.0, 0.5, 5.0  # seconds


class Pace:
    """A few readings of a clock against real time. One writer; readers see one number."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._began: float | None = None
        self._readings: deque[tuple[float, float]] = deque(maxlen=int(WINDOW / EVERY) + 1)
        self._speed: float | None = None

    def note(self, t: float) -> None:
        """The clock reads `t`; kept twice a second."""
        real = self._monotonic()
        if self._began is None:
            self._began = real
        if self._readings and real - self._readings[-1][0] < EVERY:
            return
        self._readings.append((real, t))
        while real - self._readings[0][0] > WINDOW:
            self._readings.popleft()
        ahead = list(self._readings)[1:]
        speeds = [
            (t2 - t1) / (r2 - r1) for (r1, t1), (r2, t2) in zip(self._readings, ahead, strict=False)
        ]
        if speeds and real - self._began >= SILENT:
            self._speed = median(speeds)

    def left(self, remaining: float) -> float | None:
        """Seconds of waiting for `remaining` clock seconds, or None: too early to tell."""
        if not self._speed:
            return None
        return STEP * math.ceil(max(remaining, 0.0) / self._speed / STEP)
