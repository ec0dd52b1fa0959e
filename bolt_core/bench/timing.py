"""CPU seconds of this thread, one BLAS thread, warm: what every figure of `bolt bench` is made of.

Ratios are taken between things measured in one run, one after the other, so that a slow or busy
machine changes both sides.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
from scipy.linalg import lapack

from bolt_core.common import runtime
from bolt_core.common.types import Array


class Stopwatch:
    """Collects CPU seconds of the calling thread."""

    def __init__(self) -> None:
        runtime.configure()
        self.laps: list[float] = []

    @contextmanager
    def lap(self) -> Iterator[None]:
        began = time.thread_time()
        yield
        self.laps.append(time.thread_time() - began)

    @property
    def median(self) -> float:
        return float(np.median(self.laps))

    @property
    def mean(self) -> float:
        return float(np.mean(self.laps))


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median CPU time of `work`, after one call that warms caches and imports."""
    watch = Stopwatch()
    work()
    for _ in range(repeats):
        with watch.lap():
            work()
    return watch.median


def lapack_floor(K: Array, repeats: int) -> float:
    """Seconds of potrf + potri on a copy of K: the least any exact likelihood must cost."""
    buffer = np.empty_like(K, order="F")

    def factor_and_invert() -> None:
        buffer[:] = K
        factor, _ = lapack.dpotrf(buffer, lower=1, overwrite_a=1, clean=0)
        lapack.dpotri(factor, lower=1, overwrite_c=1)

    return median_seconds(factor_and_invert, repeats)
