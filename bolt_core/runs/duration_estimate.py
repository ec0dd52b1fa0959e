"""How long a run will keep a core busy: the loop in fast motion, without thinking.

    passes   until the clock reads H: each costs R(0) plus what the clock charges at size n
    seconds  of a core: what a pass of the engine takes at size n, summed over them

The constants are of one core of 2026 and good for planning, within a factor of two or so. As runs
end, a campaign learns the ratio of measured to foretold and corrects what is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from bolt_core import algorithms, benchmarks
from bolt_core.common import devices
from bolt_core.common.devices import thinking_time
from bolt_core.common.types import RunConfig

# CPU seconds of a pass at size n, c_0 .. c_3: the exact engine, the oracle and the record.
EXACT = (0.012, 0.0, 2.5e-7, 0.0)
RANDOM = (0.001, 0.0, 0.0, 0.0)
KEEPS_ALL = ("None", "Event-Based Reset")  # Table 1's words for those that remove little or nothing
KEPT = 250  # observations: about what the algorithms that do remove settle at on the paper device
MOST = 100_000  # passes looked at


def cpu_seconds(config: RunConfig) -> float:
    """What the run will take of one core, about; on the wall clock, its horizon."""
    row = benchmarks.get(config.benchmark).row
    horizon = config.horizon or row.horizon
    if config.clock.kind == "wall":
        return horizon
    work = _work(config)
    charged = config.clock.device
    if config.clock.kind == "cpu":
        charged = tuple(c * config.clock.slowdown for c in work)
    elif config.algorithm == "random":  # infers nothing, so the model charges nothing
        charged = (0.0, 0.0, 0.0, 0.0)
    keeps_all = algorithms.get(config.algorithm).stale_data in KEEPS_ALL
    return _simulated(work, charged, row.cost, horizon, MOST if keeps_all else _kept(charged))


def _kept(charged: tuple[float, ...]) -> int:
    """About the cube root of the device's speed: BOLT on Eggholder at 0.1, 1, 10 and 100 times the
    paper device's ended with 29, 188, 450 and 977 (`bolt campaign report paper-quick`).
    """
    own, paper = (thinking_time(c, KEPT) for c in (charged, devices.device("paper")))
    return round(KEPT * (paper / own) ** (1.0 / 3.0)) if own else MOST


def _work(config: RunConfig) -> tuple[float, ...]:
    if config.algorithm == "random":
        return RANDOM
    return EXACT if config.engine.name == "exact" else devices.device("paper")


class RemainingTime:
    """How long the rest takes, corrected by what ended runs took."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._foretold = self._measured = 0.0

    def note(self, config: RunConfig, seconds: float) -> None:
        """A run took that long."""
        self._foretold += cpu_seconds(config)
        self._measured += seconds

    def until(self, waiting: Iterable[RunConfig]) -> dict[tuple[str, str], float]:
        """Seconds until each cell (algorithm, benchmark) is done, if they go in this order."""
        ratio = self._measured / self._foretold if self._foretold else 1.0
        done, found = 0.0, {}
        for config in waiting:
            done += ratio * cpu_seconds(config) / self._workers
            found[config.algorithm, config.benchmark] = done
        return found


@cache
def _simulated(
    work: tuple[float, ...], charged: tuple[float, ...], cost: float, horizon: float, kept: int
) -> float:
    t = spent = 0.0
    for i in range(MOST):
        if t >= horizon:
            break
        n = min(i, kept)
        t += cost + thinking_time(charged, n)
        spent += thinking_time(work, n)
    return spent
