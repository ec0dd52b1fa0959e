"""How fast a race moves, and so how long it still takes.

    left = (H - t) / median speed of the last 30 s

Speed is clock seconds per second of waiting. Nothing is said in the first 3 s, and then only in
steps of 5 s that never grow by less than a tenth: a figure that jitters is read as a lie.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable
from statistics import median

SILENT, WINDOW, EVERY, STEP = 3.0, 30.0, 0.5, 5.0  # seconds
GROWTH = 1.1  # of the time left, at least, if it grows at all


class Pace:
    """A few readings of a clock against real time. One writer; readers see two numbers."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._readings: deque[tuple[float, float]] = deque(maxlen=int(WINDOW / EVERY) + 1)
        self._moving = 0.0  # seconds it was watched moving
        self.speed: float | None = None  # clock seconds a second; None: too early to tell
        self.left: float | None = None  # seconds of waiting; None: too early to tell

    def note(self, t: float, horizon: float | None = None) -> None:
        """The clock reads `t` on its way to `horizon`; kept twice a second."""
        real = self._monotonic()
        if self._readings and real - self._readings[-1][0] < EVERY:
            return
        if self._readings:
            self._moving += real - self._readings[-1][0]
        self._readings.append((real, t))
        while real - self._readings[0][0] > WINDOW:
            self._readings.popleft()
        speeds = self._speeds()
        if speeds and self._moving >= SILENT:
            self.speed = median(speeds)
            if self.speed > 0 and horizon is not None:
                self._tell(max(horizon - t, 0.0) / self.speed)

    def rest(self) -> None:
        """It stands still for a while, which says nothing of its speed."""
        self._readings.clear()
        self.left = None

    def _speeds(self) -> list[float]:
        ahead = list(self._readings)[1:]
        return [
            (t2 - t1) / (r2 - r1) for (r1, t1), (r2, t2) in zip(self._readings, ahead, strict=False)
        ]

    def _tell(self, left: float) -> None:
        told = STEP * math.ceil(left / STEP)
        if self.left is None or told <= self.left or told >= GROWTH * self.left:
            self.left = told
