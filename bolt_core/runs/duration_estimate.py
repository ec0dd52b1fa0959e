"""Estimate the CPU time of a run by simulating its passes without computing them.

Each pass advances the clock by R(0) plus the computing time that the clock charges at size n, and
costs the CPU time of the engine at that size. The constants were measured on one core of a machine
in 2026, the reference. Limits use them as they are, so that the same race is refused everywhere;
durations on screen are corrected by the speed of this machine (`expected_duration`), and those of a
campaign by its runs that have ended (`RemainingTime`).
"""

from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache

from bolt_core import algorithms, benchmarks
from bolt_core.common import devices
from bolt_core.common.devices import thinking_time
from bolt_core.common.types import RunConfig

# CPU seconds of a pass at size n, c_0 .. c_3: the exact engine, the oracle and the record.
EXACT_ENGINE = (0.012, 0.0, 2.5e-7, 3e-10)
WITHOUT_MODEL = (0.001, 0.0, 0.0, 0.0)
KEEPS_ALL = ("None", "Event-Based Reset")  # policies of Table 1 that remove little or nothing
REMOVING_SIZE = 250  # typical dataset size of algorithms that remove, on the paper device
MAX_PASSES = 100_000


def cpu_seconds(config: RunConfig, slowness: float = 1.0) -> float:
    """Return the estimated CPU seconds of a run; on the wall clock, its horizon."""
    return cpu_seconds_after(config, 0.0, slowness)


def cpu_seconds_after(config: RunConfig, t: float, slowness: float = 1.0) -> float:
    """Return the estimated CPU seconds of a run from time t of its clock to its end.

    On a processor `slowness` times as slow as the reference a pass costs as many times more. On the
    cpu clock it is charged as many times more, too, so that fewer passes are made.
    """
    row = benchmarks.get(config.benchmark).row
    horizon = config.horizon or row.horizon
    if config.clock.kind == "wall":
        return max(horizon - t, 0.0)
    work = _cpu_cost(config)
    charged = config.clock.device
    if config.clock.kind == "cpu":
        charged = tuple(c * config.clock.slowdown * slowness for c in work)
    elif not algorithms.get(config.algorithm).infers:  # the model charges nothing
        charged = (0.0, 0.0, 0.0, 0.0)
    keeps_all = algorithms.get(config.algorithm).stale_data in KEEPS_ALL
    size_limit = MAX_PASSES if keeps_all else _size_limit(charged)
    begins, spent = _simulated(work, charged, row.cost, horizon, size_limit)
    return slowness * (spent[-1] - spent[bisect_left(begins, t)])


def _size_limit(charged: tuple[float, ...]) -> int:
    """Return the dataset size at which algorithms that remove settle on a device.

    It grows with about the cube root of the speed: BOLT on Eggholder at 0.1, 1, 10 and 100 times
    the paper device's speed ended with 29, 188, 450 and 977 (grid of speeds of the preset `paper`,
    with an earlier engine).
    """
    device, paper = (thinking_time(c, REMOVING_SIZE) for c in (charged, devices.device("paper")))
    return round(REMOVING_SIZE * (paper / device) ** (1.0 / 3.0)) if device else MAX_PASSES


def _cpu_cost(config: RunConfig) -> tuple[float, ...]:
    """Return c_0 .. c_3 of the CPU seconds of a pass."""
    if not algorithms.get(config.algorithm).infers:
        return WITHOUT_MODEL
    return EXACT_ENGINE if config.engine.name == "exact" else devices.device("paper")


class RemainingTime:
    """The remaining time of a campaign, corrected by the runs that have ended."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._estimated = self._measured = 0.0

    def note(self, config: RunConfig, seconds: float) -> None:
        """Count a run that took `seconds`."""
        self._estimated += cpu_seconds(config)
        self._measured += seconds

    @property
    def measured(self) -> bool:
        """Whether a run has ended; until then the estimate knows nothing of this machine."""
        return self._measured > 0.0

    def until(self, waiting: Iterable[RunConfig]) -> dict[tuple[str, str], float]:
        """Return the seconds until each cell (algorithm, benchmark) is done, in this order."""
        ratio = self._measured / self._estimated if self._estimated else 1.0
        elapsed, seconds_by_cell = 0.0, {}
        for config in waiting:
            elapsed += ratio * cpu_seconds(config) / self._workers
            seconds_by_cell[config.algorithm, config.benchmark] = elapsed
        return seconds_by_cell


@lru_cache(maxsize=256)
def _simulated(
    work: tuple[float, ...],
    charged: tuple[float, ...],
    cost: float,
    horizon: float,
    size_limit: int,
) -> tuple[list[float], list[float]]:
    """Return when each pass begins on the run's clock, and the CPU seconds spent before it.

    The second list has one value more: those of all passes.
    """
    t, begins, spent = 0.0, [], [0.0]
    for i in range(MAX_PASSES):
        if t >= horizon:
            break
        n = min(i, size_limit)
        begins.append(t)
        t += cost + thinking_time(charged, n)
        spent.append(spent[-1] + thinking_time(work, n))
    return begins, spent
