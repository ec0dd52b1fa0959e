"""The speed of this machine, measured against the machine on which the estimates were made.

A unit of work, a few factorisations and some Python, is timed in the way in which runs are: its CPU
time says how slow the processor is, its real time how long a thread waits for a core. It takes
about 0.1 s, in a thread of its own, and never while a race computes here, because parallel Python
work adds to a charged time (`bolt bench clock`). Nothing measured here reaches a run or a limit:
it corrects durations on screen only.
"""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from statistics import median
from typing import NamedTuple

import numpy as np

from bolt_core.common import runtime

UNITS = 5  # of work per measurement
MATRIX_SIZE, FACTORISATIONS, PYTHON_STEPS = 300, 4, 3000  # of a unit
REFERENCE_SECONDS = 0.0215  # CPU time of a unit on the machine of `duration_estimate.EXACT_ENGINE`
MAX_AGE_SECONDS = 60.0  # after which a measurement is repeated
MIN_AGE_SECONDS = 5.0  # before which it is not, even if the load has changed
LOAD_CHANGE = 1.0  # of the load average, after which it is repeated earlier


class MachineSpeed(NamedTuple):
    """What a measurement gave."""

    slowness: float  # CPU seconds here per CPU second of the reference
    waiting: float | None  # real seconds per CPU second; None: not measured


def measure() -> MachineSpeed:
    """Time the unit of work in the calling thread, with one BLAS thread, as runs have.

    Where another program uses the cores, several threads wait for each other, and their CPU time
    was seen to be 60 times as long.
    """
    runtime.configure()
    _unit()  # loads LAPACK and fills the caches
    cpu_seconds, ratios = [], []
    for _ in range(UNITS):
        real, cpu = time.monotonic(), time.thread_time()
        _unit()
        cpu_seconds.append(time.thread_time() - cpu)
        ratios.append((time.monotonic() - real) / cpu_seconds[-1])
    return MachineSpeed(median(cpu_seconds) / REFERENCE_SECONDS, max(median(ratios), 1.0))


def load() -> float:
    """Return the load average over one minute: threads that compute or wait; 0 if unknown."""
    with suppress(OSError, AttributeError):  # AttributeError: not on Windows
        return os.getloadavg()[0]
    return 0.0


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class SpeedMeter:
    """The last measurement, repeated in a background thread when it is old."""

    def __init__(
        self,
        measure: Callable[[], MachineSpeed] = measure,
        now: Callable[[], float] = time.monotonic,
        load: Callable[[], float] = load,
    ) -> None:
        self._measure, self._now, self._load = measure, now, load
        self._lock = threading.Lock()
        self._measured_at: float | None = None
        self._load_then = 0.0
        self._thread: threading.Thread | None = None
        self.speed: MachineSpeed | None = None  # None: not measured yet

    def refresh(self, *, computing: bool = False) -> MachineSpeed | None:
        """Return the last measurement; begin another if it is old and no race is `computing`."""
        with self._lock:
            idle = self._thread is None or not self._thread.is_alive()
            if idle and not computing and self._is_old():
                self._measured_at, self._load_then = self._now(), self._load()
                self._thread = threading.Thread(target=self._work, name="bolt-speed", daemon=True)
                self._thread.start()
        return self.speed

    def measure_now(self) -> MachineSpeed:
        """Measure in the calling thread, as a command does before it starts anything."""
        self._measured_at, self._load_then = self._now(), self._load()
        self.speed = speed = self._measure()
        return speed

    def _work(self) -> None:
        self.speed = self._measure()

    def _is_old(self) -> bool:
        if self._measured_at is None:
            return True
        age = self._now() - self._measured_at
        changed = abs(self._load() - self._load_then) > LOAD_CHANGE
        return age > MAX_AGE_SECONDS or (changed and age > MIN_AGE_SECONDS)


METER = SpeedMeter()  # of this process


def _unit() -> float:
    """Do the unit of work: LAPACK as in a likelihood, then small arrays and dicts."""
    from scipy.linalg.lapack import dpotrf, dpotri

    distances = np.abs(np.subtract.outer(np.arange(MATRIX_SIZE), np.arange(MATRIX_SIZE)))
    matrix = np.exp(-0.1 * distances) + np.eye(MATRIX_SIZE)
    for _ in range(FACTORISATIONS):
        factor, _ = dpotrf(matrix)
        dpotri(factor)
    points, total = np.linspace(0.0, 1.0, 60), 0.0
    for step in range(PYTHON_STEPS):
        values = {"step": step, "sum": float(np.exp(-step * points).sum())}
        total += values["sum"]
    return total
