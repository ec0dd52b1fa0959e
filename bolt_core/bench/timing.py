"""CPU time of this thread with one BLAS thread, after a warm-up: the measure of `bolt bench`.

Ratios compare quantities that were measured one after the other in one run, so that a slow or busy
machine changes both sides.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, fields
from typing import Any

import numpy as np
from scipy.linalg import lapack

from bolt_core.common import runtime
from bolt_core.common.types import Array


def column(heading: str) -> Any:  # noqa: ANN401 - a dataclass field of any type
    """Return a dataclass field that is printed in a table under `heading`."""
    return field(metadata={"heading": heading})


def headings(row: type) -> dict[str, str]:
    """Return the headings of a row class by field name, in order."""
    return {f.name: f.metadata["heading"] for f in fields(row)}


class Stopwatch:
    """A list of lap times: CPU seconds of the calling thread."""

    def __init__(self) -> None:
        runtime.configure()
        self.laps: list[float] = []

    @contextmanager
    def lap(self) -> Iterator[None]:
        """Add the CPU time of the `with` block to the laps."""
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
    """Return the median CPU time of `work`, after one call that warms caches and imports."""
    watch = Stopwatch()
    work()
    for _ in range(repeats):
        with watch.lap():
            work()
    return watch.median


def lapack_floor(K: Array, repeats: int) -> float:
    """Return the seconds of potrf + potri on a copy of K: a lower bound for an exact likelihood."""
    buffer = np.empty_like(K, order="F")

    def factor_and_invert() -> None:
        buffer[:] = K
        factor, _ = lapack.dpotrf(buffer, lower=1, overwrite_a=1, clean=0)
        lapack.dpotri(factor, lower=1, overwrite_c=1)

    return median_seconds(factor_and_invert, repeats)
