"""Clocks: what 'time' means to a run.

The loop tells a clock what happens, and the clock decides what that costs:

    with clock.computing(n): ...   the algorithm thinks, with n observations
    clock.spend(seconds)           observing f takes R(0) seconds; so does waiting
    clock.end_pass(n)              a pass that began with n observations is over
    clock.factor = 2.0             from now on the device thinks half as fast as its config says

What stands outside these (the objective's value, the oracle, writing records, drawing) is free,
so watching a run never changes it. A clock keeps no thread: any driver may advance a run.

    wall    real seconds, sleeping through R(0); one such run needs the machine for itself
    cpu     CPU seconds of the calling thread, times a slowdown, plus the declared R(0)
    model   R(n) = R(0) + c_0 + c_1 n + c_2 n^2 + c_3 n^3, declared: a run is then a pure function

In the last, R(0) is the objective's price and c_0 what even an empty-headed optimizer takes to
think: stock BoTorch needs 0.2 s a pass however little it knows, and without c_0 no cubic fits it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

from bolt_core.common.devices import thinking_time
from bolt_core.common.errors import ConfigError
from bolt_core.common.runtime import blas_threads
from bolt_core.common.types import ClockConfig


class Clock(Protocol):
    """The clock C of Algorithm 1, in seconds since the run began."""

    factor: float  # of thinking time; a wall clock has no say in it

    def now(self) -> float: ...
    def computing(self, n: int) -> AbstractContextManager[None]: ...
    def spend(self, seconds: float) -> None: ...
    def end_pass(self, n: int) -> None: ...


class WallClock:
    """Real time. Faithful to the paper, and honest only while nothing else computes."""

    def __init__(self, *, start: float = 0.0, stop: threading.Event | None = None) -> None:
        self._now = start
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

    def now(self) -> float:
        return self._now

    @contextmanager
    def computing(self, n: int) -> Iterator[None]:  # noqa: ARG002 - the size is for other clocks
        began = time.monotonic()
        try:
            yield
        finally:
            self._now += time.monotonic() - began

    def spend(self, seconds: float) -> None:
        """Sleep; a stop request ends the wait at once."""
        with self.computing(0):
            self._stop.wait(seconds)

    def end_pass(self, n: int) -> None: ...


class CpuClock:
    """The CPU seconds of the thread that computes: blind to its neighbours."""

    def __init__(self, slowdown: float = 1.0, *, start: float = 0.0) -> None:
        if blas_threads() != 1:
            raise ConfigError(
                f"the cpu clock needs one BLAS thread, found {blas_threads()}: "
                "call bolt_core.runtime.configure() first (thread_time sees one thread only)"
            )
        self._now = start
        self._slowdown = slowdown
        self.factor = 1.0

    def now(self) -> float:
        return self._now

    @contextmanager
    def computing(self, n: int) -> Iterator[None]:  # noqa: ARG002 - the size is for other clocks
        began = time.thread_time()
        try:
            yield
        finally:
            self._now += (time.thread_time() - began) * self._slowdown * self.factor

    def spend(self, seconds: float) -> None:
        self._now += seconds

    def end_pass(self, n: int) -> None: ...


class ModelClock:
    """A declared device: a run takes the same time whoever watches, bit for bit on one machine."""

    def __init__(self, device: tuple[float, ...], *, start: float = 0.0) -> None:
        self._now = start
        self._device = device
        self.factor = 1.0

    def now(self) -> float:
        return self._now

    def computing(self, n: int) -> AbstractContextManager[None]:
        del n
        return nullcontext()

    def spend(self, seconds: float) -> None:
        self._now += seconds

    def end_pass(self, n: int) -> None:
        self._now += thinking_time(self._device, n) * self.factor


def make_clock(
    config: ClockConfig, *, start: float = 0.0, stop: threading.Event | None = None
) -> Clock:
    """The clock a config asks for, reading `start`; setting `stop` cuts a sleep short."""
    if config.kind == "wall":
        return WallClock(start=start, stop=stop)
    if config.kind == "cpu":
        return CpuClock(config.slowdown, start=start)
    return ModelClock(config.device, start=start)
