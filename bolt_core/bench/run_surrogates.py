"""Surrogates met in real runs: BOLT on the model clock of the paper device.

The horizon is divided into equal parts; in each, the first pass after its middle contributes the
surrogate of which the next query maximises the UCB, and the time of that query.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.common.devices import device
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.gp.exact import ExactSurrogate
from bolt_core.runs.loop import iterate, prepare


class Moment(NamedTuple):
    """A surrogate of a run and the time of the query it decides."""

    surrogate: ExactSurrogate
    now: float  # seconds


def from_run(
    benchmark: str, seed: int, count: int, horizon: float | None = None
) -> Iterator[Moment]:
    """Yield up to `count` moments of one run, evenly spread over its horizon."""
    clock = ClockConfig("model", device=device("paper"))
    run = prepare(RunConfig("bolt", benchmark, seed, horizon=horizon, clock=clock))
    taken = 0
    for record in iterate(run):
        now = run.clock.now()
        if record.warmup or now < run.horizon * (taken + 0.5) / count:
            continue
        assert isinstance(run.optimizer, GPOptimizer)
        surrogate = run.optimizer.surrogate(now)
        assert isinstance(surrogate, ExactSurrogate)
        yield Moment(surrogate, now)
        taken += 1
        if taken == count:
            return
