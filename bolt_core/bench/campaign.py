"""Do two workers do twice as much as one? The same runs, by one process and by several.

    speedup     seconds of one worker / seconds of several, for equal work
    efficiency  speedup / workers

Runs are on the model clock with the exact engine, so all they need is the processor. Pools are
started and have done a run on each worker before the time is taken; rounds alternate, and the best
of each kind counts: what disturbs only ever adds. On a busy machine the answer says nothing.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from bolt_core.campaigns import pools
from bolt_core.common.types import ClockConfig, RunConfig

HORIZON = 60.0  # seconds of the model clock: a few of a core
ROUNDS = 2
BUSY = 0.5  # processes waiting or running before the start, on average over a minute


@dataclass(frozen=True, slots=True)
class Found:
    """Seconds for all runs, by one worker and by several."""

    workers: int
    runs: int
    one: float
    several: float
    load: float  # of the machine, before

    @property
    def speedup(self) -> float:
        return self.one / self.several

    @property
    def efficiency(self) -> float:
        return self.speedup / self.workers

    @property
    def quiet(self) -> bool:
        return self.load < BUSY


def run(workers: int = 2, each: int = 4, *, horizon: float = HORIZON) -> Found:
    """`each` runs for each of the workers."""
    load, count = os.getloadavg()[0], workers * each
    taken: dict[int, list[float]] = {1: [], workers: []}
    for _ in range(ROUNDS):
        for size in taken:
            taken[size].append(_seconds(size, count, horizon))
    return Found(workers, count, min(taken[1]), min(taken[workers]), load)


def _seconds(workers: int, count: int, horizon: float) -> float:
    with pools.local(workers) as pool:
        for seed in range(workers):  # imports, and the first of everything
            pool.submit(_config(seed, 1.0), {})
        for _ in pool.outcomes():
            pass
        began = time.monotonic()
        for seed in range(count):
            pool.submit(_config(seed, horizon), {})
        for outcome in pool.outcomes():
            if outcome.error is not None:
                raise RuntimeError(outcome.error)
        return time.monotonic() - began


def _config(seed: int, horizon: float) -> RunConfig:
    clock = ClockConfig("model")
    return RunConfig("gpucb", "eggholder", seed=seed, horizon=horizon, clock=clock)
