"""Clocks: how time passes in a run.

The loop reports to a clock, which decides how much time each step takes:

    with clock.computing(n): ...   the algorithm computes, with n observations
    clock.spend(seconds)           observing f takes R(0) seconds; so does waiting
    clock.end_pass(n)              a pass that began with n observations has ended
    clock.factor = 2.0             from now on computing takes twice as long as configured

Everything else (the objective's value, the oracle, writing records, drawing) takes no time, so
watching a run never changes it. A clock has no thread: any thread may advance a run.

    wall    real seconds, sleeping through R(0); one such run needs the machine for itself
    cpu     CPU seconds of the calling thread, times a slowdown, plus the declared R(0)
    model   R(n) = R(0) + c_0 + c_1 n + c_2 n^2 + c_3 n^3, declared: a run is then a pure function

In the last, R(0) is the cost of one query and c_0 the computing time at n = 0: stock BoTorch takes
0.2 s per pass even with little data, and no cubic without c_0 fits it.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from bolt_core.common.devices import thinking_time
from bolt_core.common.errors import ConfigError
from bolt_core.common.packages import require
from bolt_core.common.runtime import blas_threads
from bolt_core.common.types import ClockConfig


class Clock:
    """The clock C of Algorithm 1, in seconds since the run began. Here, computing takes no time."""

    def __init__(self, *, start: float = 0.0) -> None:
        self._now = start
        self.factor = 1.0  # of computing time; always 1 on a wall clock

    def now(self) -> float:
        return self._now

    def computing(self, n: int) -> AbstractContextManager[None]:
        del n
        return nullcontext()

    def spend(self, seconds: float) -> None:
        self._now += seconds

    def end_pass(self, n: int) -> None: ...


class WallClock(Clock):
    """Real time, as in the paper; correct only while no other process computes."""

    def __init__(self, *, start: float = 0.0, stop: threading.Event | None = None) -> None:
        super().__init__(start=start)
        self._stop = stop or threading.Event()

    @property
    def factor(self) -> float:
        return 1.0

    @factor.setter
    def factor(self, value: float) -> None:
        if value != 1.0:
            raise ConfigError(
                f"a wall clock is real time and cannot go at {value:g} times its speed; "
                "use the cpu or the model clock"
            )

    @contextmanager
    def computing(self, n: int) -> Iterator[None]:  # noqa: ARG002 - only other clocks need the size
        began = time.monotonic()
        try:
            yield
        finally:
            self._now += time.monotonic() - began

    def spend(self, seconds: float) -> None:
        """Sleep; a stop request ends the sleep at once."""
        with self.computing(0):
            self._stop.wait(seconds)


class CpuClock(Clock):
    """CPU seconds of the computing thread, which other processes do not affect."""

    def __init__(self, slowdown: float = 1.0, *, start: float = 0.0) -> None:
        require("the cpu clock", "threadpoolctl")
        if blas_threads() != 1:
            raise ConfigError(
                f"the cpu clock needs one BLAS thread, found {blas_threads()}: "
                "call bolt_core.runtime.configure() first (thread_time sees one thread only)"
            )
        super().__init__(start=start)
        self._slowdown = slowdown

    @contextmanager
    def computing(self, n: int) -> Iterator[None]:  # noqa: ARG002 - only other clocks need the size
        began = time.thread_time()
        try:
            yield
        finally:
            self._now += (time.thread_time() - began) * self._slowdown * self.factor


class ModelClock(Clock):
    """A declared device: the time of a run depends on its config only, bit for bit."""

    def __init__(self, device: tuple[float, ...], *, start: float = 0.0) -> None:
        super().__init__(start=start)
        self._device = device

    def end_pass(self, n: int) -> None:
        self._now += thinking_time(self._device, n) * self.factor


def make_clock(
    config: ClockConfig, *, start: float = 0.0, stop: threading.Event | None = None
) -> Clock:
    """Return the clock of a config, reading `start` seconds; setting `stop` ends a sleep."""
    if config.kind == "wall":
        return WallClock(start=start, stop=stop)
    if config.kind == "cpu":
        return CpuClock(config.slowdown, start=start)
    return ModelClock(config.device, start=start)
