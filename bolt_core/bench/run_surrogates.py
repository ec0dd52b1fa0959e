"""Surrogates met in runs: BOLT on the model clock of the paper device.

The run is divided into equal parts of time. In each part, the first pass after its middle gives the
surrogate whose UCB the next query maximises, and the time of that query.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.common.devices import device
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.gp.protocol import Surrogate
from bolt_core.runs.loop import iterate, prepare

HORIZON_SECONDS = 150.0  # of a run, and at least:
MIN_QUERIES = 60  # where a query is costly


class RunMoment(NamedTuple):
    """A surrogate of a run and the time of the query that it decides."""

    surrogate: Surrogate
    now: float  # seconds


def from_run(
    benchmark: str, seed: int, count: int, seconds: float = HORIZON_SECONDS
) -> Iterator[RunMoment]:
    """Yield up to `count` moments of one run, spread over its first `seconds`."""
    clock = ClockConfig("model", device=device("paper"))
    run = prepare(RunConfig("bolt", benchmark, seed, clock=clock))
    end = min(max(seconds, MIN_QUERIES * run.benchmark.cost), run.horizon)
    taken = 0
    for record in iterate(run):
        now = run.clock.now()
        if record.warmup or now < end * (taken + 0.5) / count:
            continue
        optimizer = run.optimizer
        surrogate = optimizer.surrogate(now) if isinstance(optimizer, GPOptimizer) else None
        if surrogate is not None:
            yield RunMoment(surrogate, now)
        taken += 1
        if taken == count:
            return
