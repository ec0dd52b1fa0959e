"""How long runs take on this machine now: the one function behind every duration that is shown.

    seconds = (CPU seconds of the estimate) x slowness x contention / workers

The slowness of the processor is measured (`machine_speed`). So is contention, as the time that the
measured work waited for a core just now. The load average of the last minute stands in only where
that was not measured: it also counts programs of lower priority, which hardly slow a run. The
answer is a range, which covers the error of the reading and that of the estimate itself. Limits do
not use it: they count CPU seconds of the reference machine (`duration_estimate`), whatever this
machine does.
"""

from collections.abc import Iterable
from typing import NamedTuple

from bolt_core.common.text import duration_range
from bolt_core.common.types import RunConfig
from bolt_core.runs import duration_estimate, machine_speed
from bolt_core.runs.machine_speed import METER, MachineSpeed

ESTIMATE_ERROR = 1.2  # factor by which the CPU time of a race differs from its estimate
MAX_APART = 1.3  # factor by which contention during the runs differs from the measured one
UNKNOWN_SPEED = MachineSpeed(1.0, None)
SLOWNESS_STEP = 0.1  # to which the slowness is rounded, so that simulated runs can be reused


class DurationRange(NamedTuple):
    """The real seconds that runs are expected to take."""

    low: float
    high: float

    def __str__(self) -> str:
        """Return the range in words: 40-60 s."""
        return duration_range(self.low, self.high)


def expected(
    configs: Iterable[RunConfig], *, live_races: int = 0, workers: int = 1, start_up: float = 0.0
) -> DurationRange:
    """Return how long runs take.

    `live_races` of this process take turns with a new one, on one core. `workers` processes of a
    campaign use a core each; `start_up` is the CPU time before their first run.
    """
    speed = METER.refresh(computing=live_races > 0) or UNKNOWN_SPEED
    return expected_at(speed, configs, live_races=live_races, workers=workers, start_up=start_up)


def expected_at(
    speed: MachineSpeed,
    configs: Iterable[RunConfig],
    *,
    live_races: int = 0,
    workers: int = 1,
    start_up: float = 0.0,
) -> DurationRange:
    """Return how long runs take on a machine of this speed, at its present load."""
    slowness = max(SLOWNESS_STEP * round(speed.slowness / SLOWNESS_STEP), SLOWNESS_STEP)
    each = [(c.clock.kind, duration_estimate.cpu_seconds(c, slowness)) for c in configs]
    asleep = sum(seconds for kind, seconds in each if kind == "wall")
    computed = [seconds for kind, seconds in each if kind != "wall"]
    longest = max(computed, default=0.0)
    seconds = start_up * slowness + max(sum(computed) / workers, longest)
    low, high = contention(speed.waiting, live_races, workers)
    turns = live_races + 1
    return DurationRange(
        asleep + seconds * turns * low / ESTIMATE_ERROR,
        asleep + seconds * turns * high * ESTIMATE_ERROR,
    )


def contention(waiting: float | None, live_races: int, workers: int) -> tuple[float, float]:
    """Return the lowest and the highest real seconds per CPU second to expect.

    A measured wait for a core was that of a moment, so the range reaches a factor to both sides of
    it, though never below what free cores give.
    """
    cores = machine_speed.cores()
    free = max(workers / cores, 1.0)
    if waiting is not None:
        measured = max(waiting, free)
        return max(measured / MAX_APART, free), measured * MAX_APART
    others = max(machine_speed.load() - min(live_races, 1), 0.0)  # live races compute in turns
    by_load = max((others + workers) / cores, 1.0)
    return by_load, by_load
