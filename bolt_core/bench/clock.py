"""Is the cpu clock fair? A fixed piece of work, timed alone and beside two busy threads.

Blocks alternate (alone, beside, alone, ...), so that a machine that speeds up or slows down
meanwhile does so for both. A fair clock reads the same in both: ratio of medians near 1. What two
hardware threads of one core take from each other is real work lost and is not hidden: it is why
the ratio is somewhat above 1 where cores are shared, also by other processes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

import numpy as np
from scipy.linalg import cholesky

from bolt_core.clocks import Clock, CpuClock, WallClock

BLOCKS = 20
BUSY = 2  # threads that compete
FACTORISATIONS, SIZE = 12, 300
LARGE = 900


@dataclass(frozen=True, slots=True)
class ClockBench:
    """How far the clocks are led astray by neighbours (1 = not at all)."""

    cpu_ratio: float  # median beside / median alone
    wall_ratio: float
    thread_to_process: float  # of a 900 x 900 Cholesky; 1 when one BLAS thread does the work
    blocks: int
    busy_threads: int

    @property
    def fair(self) -> bool:
        """The cpu clock within 0.75-1.33, wall at least twice as far from 1, one BLAS thread."""
        return (
            0.75 <= self.cpu_ratio <= 1.33
            and abs(self.wall_ratio - 1) >= 2 * abs(self.cpu_ratio - 1)
            and abs(self.thread_to_process - 1) <= 0.1
        )


def run(blocks: int = BLOCKS) -> ClockBench:
    """Time the same work on both clocks, alone and beside busy threads."""
    work = _workload()
    work()  # warm
    readings: dict[tuple[str, bool], list[float]] = {}
    for _ in range(blocks):
        for beside in (False, True):
            with _neighbours(BUSY if beside else 0):
                cpu, wall = _timed(work)
            readings.setdefault(("cpu", beside), []).append(cpu)
            readings.setdefault(("wall", beside), []).append(wall)
    return ClockBench(
        cpu_ratio=_ratio(readings, "cpu"),
        wall_ratio=_ratio(readings, "wall"),
        thread_to_process=thread_to_process(),
        blocks=blocks,
        busy_threads=BUSY,
    )


def thread_to_process(repeats: int = 5) -> float:
    """thread_time / process_time of a large factorisation: below 1 if other threads did part."""
    matrix = _definite(LARGE)
    thread, process = time.thread_time(), time.process_time()
    for _ in range(repeats):
        cholesky(matrix)
    return (time.thread_time() - thread) / (time.process_time() - process)


def _timed(work: Callable[[], None]) -> tuple[float, float]:
    cpu: Clock = CpuClock()
    wall: Clock = WallClock()
    with wall.computing(0), cpu.computing(0):
        work()
    return cpu.now(), wall.now()


def _workload() -> Callable[[], None]:
    """A pass in miniature: factorisations and plain Python, about half and half."""
    matrix = _definite(SIZE)

    def work() -> None:
        for _ in range(FACTORISATIONS):
            cholesky(matrix)
            sum(i * i for i in range(20_000))

    return work


@contextmanager
def _neighbours(count: int) -> Iterator[None]:
    """`count` threads that compute without pause, in this process, until the block ends."""
    stop = threading.Event()

    def spin() -> None:
        while not stop.is_set():
            sum(i * i for i in range(1_000))

    threads = [threading.Thread(target=spin, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _definite(n: int) -> np.ndarray:
    half = np.random.default_rng(0).standard_normal((n, n))
    return half @ half.T + n * np.eye(n)


def _ratio(readings: dict[tuple[str, bool], list[float]], clock: str) -> float:
    return median(readings[clock, True]) / median(readings[clock, False])
