"""`bolt bench clock`: time fixed work alone and beside two busy threads, on both clocks.

Blocks alternate between the two conditions, so that a machine that speeds up or slows down affects
both. A fair clock reads the same in both: the ratio of medians is near 1.

The CPU clock of a thread is slightly affected by other threads: a call into linear algebra releases
the interpreter lock, and each time the thread is woken costs 20 to 100 microseconds of its own CPU
time on a virtual machine. Work that consists of few long calls, which is judged here (Cholesky
factorisations of size 900 and loops of plain Python), hardly shows it. A pass of BOLT over 60
observations makes hundreds of short calls and is the worst case: `charged` is what one second of
other work adds to its clock. Python's switch interval of 5 ms keeps this small; a shorter interval
would charge more.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky

from bolt_core.bench import iteration
from bolt_core.bench.datasets import from_gp
from bolt_core.common import runtime
from bolt_core.gp.protocol import Model
from bolt_core.runs.clocks import CpuClock, WallClock

BLOCKS = 20
BUSY_THREADS = 2
FACTORISATIONS, MATRIX_SIZE = 3, 900
SHORT_CALLS_SIZE, PASSES, SHORT_CALLS_BLOCKS = 60, 2, 3  # of the passes that are all short calls


@dataclass(frozen=True, slots=True)
class ClockBench:
    """How much busy threads change what the clocks read (a ratio of 1: not at all)."""

    cpu_ratio: float  # median beside / median alone
    wall_ratio: float
    thread_to_process: float  # of a 900 x 900 Cholesky; 1 when one BLAS thread does the work
    charged: float  # seconds added to the cpu clock of short calls per second of other work
    blocks: int
    busy_threads: int

    @property
    def fair(self) -> bool:
        """Whether cpu is within 0.75-1.33 and wall at least twice as far from 1."""
        return (
            0.75 <= self.cpu_ratio <= 1.33
            and abs(self.wall_ratio - 1) >= 2 * abs(self.cpu_ratio - 1)
            and abs(self.thread_to_process - 1) <= 0.1
        )


class _Reading(NamedTuple):
    cpu: float
    wall: float


def run(blocks: int = BLOCKS) -> ClockBench:
    """Time the same work on both clocks, alone and beside busy threads."""
    runtime.configure()
    alone, beside = _blocks(_long_calls(), blocks)
    short_alone, short_beside = _blocks(_short_calls(), SHORT_CALLS_BLOCKS)
    return ClockBench(
        cpu_ratio=beside.cpu / alone.cpu,
        wall_ratio=beside.wall / alone.wall,
        thread_to_process=thread_to_process(),
        charged=(short_beside.cpu - short_alone.cpu) / short_beside.wall,
        blocks=blocks,
        busy_threads=BUSY_THREADS,
    )


def thread_to_process(repeats: int = 5) -> float:
    """Return thread_time / process_time of a large factorisation; below 1, BLAS used threads."""
    matrix = _definite(MATRIX_SIZE)
    thread, process = time.thread_time(), time.process_time()
    for _ in range(repeats):
        cholesky(matrix)
    return (time.thread_time() - thread) / (time.process_time() - process)


def _blocks(work: Callable[[], object], blocks: int) -> tuple[_Reading, _Reading]:
    """Return the median readings alone and beside busy threads."""
    work()  # warm
    alone, beside = [], []
    for _ in range(blocks):
        alone.append(_timed(work))
        with _busy_threads(BUSY_THREADS):
            beside.append(_timed(work))
    return _Reading(*np.median(alone, axis=0)), _Reading(*np.median(beside, axis=0))


def _timed(work: Callable[[], object]) -> _Reading:
    cpu, wall = CpuClock(), WallClock()
    with wall.computing(0), cpu.computing(0):
        work()
    return _Reading(cpu.now(), wall.now())


def _long_calls() -> Callable[[], None]:
    """Return work that is half factorisations and half plain Python."""
    matrix = _definite(MATRIX_SIZE)

    def work() -> None:
        for _ in range(FACTORISATIONS):
            cholesky(matrix)
            sum(i * i for i in range(150_000))

    return work


def _short_calls() -> Callable[[], object]:
    model = Model(3)
    data = from_gp(np.random.default_rng(0), model, SHORT_CALLS_SIZE + PASSES, 0.4)
    return lambda: iteration.passes(model, data, SHORT_CALLS_SIZE, PASSES)


@contextmanager
def _busy_threads(count: int) -> Iterator[None]:
    """Run `count` threads of this process at full load until the block ends."""
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
