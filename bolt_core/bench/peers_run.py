"""One run of a peer in real time: `bolt bench peers` asks, evaluates the objective and records.

    t        a query takes hold when it is answered: f is evaluated at that time
    cost     seconds that a query takes before its result is sent; the parent sleeps through them
    warm-up  random queries of the parent, the same for every peer; its end is the same time, too

The time from the end of the warm-up to the first answer therefore counts in the held regret of a
peer. The optimum is computed when the run is over. A run is a `RunSnapshot` on the wall clock, so
that its regrets are computed as those of every other run.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from bolt_core import benchmarks
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.types import (
    WARMUP,
    ClockConfig,
    IterationRecord,
    Observation,
    RunConfig,
    RunStatus,
)
from bolt_core.runs.snapshot import RunHistory, RunSnapshot


class Setting(NamedTuple):
    """What all peers have in common."""

    benchmark: str
    seed: int
    seconds: float  # real time of a run
    cost: float  # seconds per query
    forgetting: float  # seconds, for peers that forget

    def request(self) -> dict[str, Any]:
        """Return the first line for a peer."""
        dimension = benchmarks.load(self.benchmark).dimension
        return {
            "dimension": dimension,
            "seed": self.seed,
            "warmup": WARMUP,
            "forgetting": self.forgetting,
        }


class Answering(Protocol):
    """What is asked for queries: the process of a peer."""

    def ask(
        self, now: float, rows: Sequence[Sequence[Any]], within: float
    ) -> Sequence[float] | None: ...


class Time(Protocol):
    """Seconds since the start of a run."""

    def now(self) -> float: ...
    def sleep_until(self, t: float) -> None: ...


class Made(NamedTuple):
    """One query."""

    t: float
    x: Sequence[float]
    value: float  # without noise
    y: float


def run(peer: str, answering: Answering, setting: Setting, clock: Time) -> RunSnapshot:
    """Run a peer until its time is over; the clock begins now."""
    benchmark = benchmarks.load(setting.benchmark)
    warmup_rng, noise_rng = (
        np.random.default_rng(s) for s in np.random.SeedSequence(setting.seed).spawn(2)
    )
    sd = benchmark.noise_variance**0.5
    made: list[Made] = []

    def measure(x: Sequence[float]) -> None:
        t = clock.now()
        value = float(benchmark.value(x, t))
        made.append(Made(t, x, value, value + sd * float(noise_rng.standard_normal())))
        clock.sleep_until(t + setting.cost)

    while len(made) < WARMUP and clock.now() < setting.seconds:
        measure(warmup_rng.random(benchmark.dimension).tolist())
    sent = 0
    while (now := clock.now()) < setting.seconds:
        rows = [(m.t, m.x, m.y) for m in made[sent:]]
        sent = len(made)
        x = answering.ask(now, rows, setting.seconds - now)
        if x is None or clock.now() >= setting.seconds:
            break
        measure(x)
    return _snapshot(peer, setting, benchmark, made)


def _snapshot(
    peer: str, setting: Setting, benchmark: Benchmark, made: Sequence[Made]
) -> RunSnapshot:
    history = RunHistory(benchmark.dimension)
    ends = [*(m.t for m in made[1:]), setting.seconds]
    for i, (m, end) in enumerate(zip(made, ends, strict=True)):
        best_x, best = oracle.best(benchmark, m.t)
        length = setting.cost if i == WARMUP - 1 else end - m.t
        history.append(
            IterationRecord(
                observation=Observation(i, tuple(m.x), m.t, m.y),
                value=m.value,
                best=best,
                best_x=tuple(best_x.tolist()),
                n=i,
                seconds=length,
                warmup=i < WARMUP,
            )
        )
    config = RunConfig(
        peer,
        setting.benchmark,
        seed=setting.seed,
        horizon=setting.seconds,
        clock=ClockConfig("wall"),
    )
    header = {"horizon": setting.seconds}
    return RunSnapshot(config, RunStatus.FINISHED, history.view(), header=header)
