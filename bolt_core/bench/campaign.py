"""`bolt bench campaign`: the same runs on one worker process and on several.

    speedup     seconds of one worker / seconds of several, for equal work
    efficiency  speedup / workers

Runs use the model clock and the exact engine, so they need only the processor. Each worker
completes one run before the measurement starts. Rounds alternate, and the fastest round of each
kind counts, because disturbances only add time. The result is meaningless on a busy machine.
"""

import time
from dataclasses import dataclass

from bolt_core.campaigns import pools
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.runs import machine_speed

HORIZON_SECONDS = 60.0  # on the model clock
ROUNDS = 2
MAX_QUIET_LOAD = 0.5  # load average over the minute before the start


@dataclass(frozen=True, slots=True)
class Scaling:
    """Seconds for all runs on one worker and on several."""

    workers: int
    runs: int
    one: float
    several: float
    load: float  # load average of the machine before the start

    @property
    def speedup(self) -> float:
        return self.one / self.several

    @property
    def efficiency(self) -> float:
        return self.speedup / self.workers

    @property
    def quiet(self) -> bool:
        return self.load < MAX_QUIET_LOAD


def run(workers: int = 2, each: int = 4, *, horizon: float = HORIZON_SECONDS) -> Scaling:
    """Time `workers * each` runs on one worker and on `workers` workers."""
    load, count = machine_speed.load(), workers * each
    taken: dict[int, list[float]] = {1: [], workers: []}
    for _ in range(ROUNDS):
        for size in taken:
            taken[size].append(_seconds(size, count, horizon))
    return Scaling(workers, count, min(taken[1]), min(taken[workers]), load)


def _seconds(workers: int, count: int, horizon: float) -> float:
    with pools.local(workers) as pool:
        for seed in range(workers):  # loads modules and caches
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
