"""Algorithm 1, line by line, for any optimizer, benchmark and clock. The only loop there is."""

from __future__ import annotations

import math
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bolt_core import algorithms, benchmarks
from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.algorithms.spec import Optimizer, Query, Removal, generator_state, restore_generator
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import Benchmark
from bolt_core.common.errors import ConfigError, ObjectiveError
from bolt_core.common.types import (
    Array,
    IterationRecord,
    Observation,
    ResponseSample,
    RunConfig,
    SpeedChange,
)
from bolt_core.gp.workspace import Workspace
from bolt_core.runs.clocks import Clock, make_clock
from bolt_core.runs.timed_call import ObjectiveThread


@dataclass(slots=True)
class Run:
    """All that a run holds between two passes."""

    config: RunConfig
    benchmark: Benchmark
    optimizer: Optimizer
    clock: Clock
    warmup: np.random.Generator  # of the seed alone: every algorithm meets the same luck
    noise: np.random.Generator
    horizon: float
    responses: list[ResponseSample] = field(default_factory=list)  # at the device's present speed
    fixed: list[float] = field(default_factory=list)  # of each, seconds no device can shorten
    i: int = 0  # the next iteration
    objective_thread: ObjectiveThread | None = (
        None  # where the objective is called; None: right here
    )

    def state(self) -> dict[str, Any]:
        """With the records so far, enough to go on elsewhere; on the model clock bit for bit."""
        return {
            "i": self.i,
            "now": self.clock.now(),
            "warmup": generator_state(self.warmup),
            "noise": generator_state(self.noise),
            "optimizer": self.optimizer.state(),
        }

    def change_speed(self, factor: float) -> SpeedChange:
        """From the next pass on, thinking takes `factor` times as long as the config says.

        What was measured so far is made to say what it would have been. R(0) and waiting stay:
        looking at f takes its time on any device.
        """
        change = SpeedChange(self.i, self.clock.now(), factor / self.clock.factor, factor)
        self.clock.factor = factor
        self.responses = _rescaled(self.responses, self.fixed, change.ratio)
        return change

    def share_workspace(self, workspace: Workspace) -> None:
        """Think in a room that other runs of the same thread use too."""
        if isinstance(self.optimizer, GPOptimizer):
            self.optimizer.share(workspace)

    def measured(self, n: int, seconds: float, waited: float) -> None:
        """One more full pass."""
        self.responses.append(ResponseSample(n, seconds))
        self.fixed.append(self.benchmark.cost + waited)

    def header_fields(self) -> dict[str, Any]:
        """What the header of its record says of the benchmark and of the surrogate's kernels."""
        return {
            "label": self.benchmark.label,
            "dimension": self.benchmark.dimension,
            "source": self.benchmark.source,
            "noise_variance": self.benchmark.noise_variance,
            "cost": self.benchmark.cost,
            "horizon": self.horizon,
            **(self.optimizer.kernels if isinstance(self.optimizer, GPOptimizer) else {}),
        }


def prepare(config: RunConfig, *, stop: threading.Event | None = None) -> Run:
    """Look everything up and build it. Setting `stop` ends a wall clock's sleep."""
    benchmark = benchmarks.load(config.benchmark, **config.options)
    spec = algorithms.get(config.algorithm)
    if config.horizon is not None and config.horizon > benchmark.horizon:
        raise ConfigError(
            f"horizon {config.horizon:g} s is longer than {benchmark.key}'s own "
            f"{benchmark.horizon:g} s; take that or less"
        )
    params = spec.parse(config.params)
    streams = np.random.SeedSequence(config.seed).spawn(3)
    warmup, noise, own = (np.random.default_rng(s) for s in streams)
    return Run(
        config=config,
        benchmark=benchmark,
        optimizer=spec.build(benchmark.problem, own, params=params, engine=config.engine),
        clock=make_clock(config.clock, stop=stop),
        warmup=warmup,
        noise=noise,
        horizon=config.horizon or benchmark.horizon,
    )


def resume(
    config: RunConfig,
    state: Mapping[str, Any],
    records: Sequence[IterationRecord],
    speeds: Sequence[SpeedChange] = (),
) -> Run:
    """The run as it was after `records`, of which `state` is the last word."""
    run = prepare(config)
    run.i = state["i"]
    run.clock = make_clock(config.clock, start=state["now"])
    run.warmup = restore_generator(state["warmup"])
    run.noise = restore_generator(state["noise"])
    past = records[: run.i]
    gone = {i for record in past for i in record.removed}
    kept = [record.observation for record in past if record.observation.i not in gone]
    run.optimizer.restore(state["optimizer"], kept)
    changes = [change for change in speeds if change.i <= run.i]
    for record in past:
        _replay(run, [change for change in changes if change.i == record.observation.i])
        if not record.warmup:
            run.measured(record.n, record.seconds, record.waited)
    _replay(run, [change for change in changes if change.i == run.i])
    return run


def _replay(run: Run, changes: Sequence[SpeedChange]) -> None:
    for change in changes:
        run.clock.factor = change.factor
        run.responses = _rescaled(run.responses, run.fixed, change.ratio)


def _rescaled(
    samples: Sequence[ResponseSample], fixed: Sequence[float], ratio: float
) -> list[ResponseSample]:
    return [
        ResponseSample(s.n, least + ratio * max(s.seconds - least, 0.0))
        for s, least in zip(samples, fixed, strict=True)
    ]


def iterate(run: Run) -> Iterator[IterationRecord]:
    """Yield one record a pass until the horizon, or until the caller stops asking."""
    return (record for record in steps(run) if record is not None)


def steps(run: Run) -> Iterator[IterationRecord | None]:
    """As `iterate`, and None for as long as an objective that is called elsewhere is thinking."""
    optimizer, clock, config = run.optimizer, run.clock, run.config
    while (t := clock.now()) < run.horizon:  # Get current time t from C
        n, warm = len(optimizer.dataset), run.i < config.warmup
        query = _warmup_query(run) if warm else _ask(run, t, n)  # x_t = argmax alpha_D(., t)
        at = _wait(run, query, t)
        if at >= run.horizon:
            return
        value, best_x, best = yield from _look(run, query, at)
        y = _observe(run, value)  # Observe y = f(x_t, t) + epsilon
        observation = Observation(run.i, query.x, at, y)
        removal = Removal()
        with clock.computing(n):
            optimizer.tell(observation)  # D = D + {((x_t, t), y)}
            if run.i >= config.warmup - 1:
                optimizer.infer(at)  # Infer GP hyperparameters
            if not warm:
                removal = optimizer.prune(at, run.responses)  # R(n), n*, o*; D = D - {o*}
        for size in (n, *removal.side) if optimizer.infers and not warm else ():
            clock.end_pass(size)
        seconds = clock.now() - t
        if not warm:  # a random query costs no inference, so it says nothing of R(n)
            run.measured(n, seconds, at - t)
        run.i += 1
        yield IterationRecord(
            observation=observation,
            value=value,
            best=best,
            best_x=tuple(best_x.tolist()),
            n=n,
            seconds=seconds,
            waited=at - t,
            warmup=warm,
            theta=optimizer.theta,
            n_star=removal.n_star,
            removed=removal.ids,
            notes=removal.notes,
        )


def _warmup_query(run: Run) -> Query:
    return Query(tuple(run.warmup.random(run.benchmark.dimension).tolist()))


def _ask(run: Run, t: float, n: int) -> Query:
    with run.clock.computing(n):
        return run.optimizer.ask(t)


def _wait(run: Run, query: Query, t: float) -> float:
    """Let time pass until the query's own moment, if it has one; the observation's time stamp."""
    if query.at is None:
        return t
    run.clock.spend(max(min(query.at, run.horizon) - run.clock.now(), 0.0))
    return query.at


def _look(run: Run, query: Query, at: float) -> Generator[None, None, tuple[float, Array, float]]:
    """f(x_t, t), x*_t and f(x*_t, t)."""

    def look() -> tuple[float, Array, float]:
        value = float(run.benchmark.value(query.x, at))
        if not math.isfinite(value):
            raise ObjectiveError(
                f"{run.benchmark.key} gave {value} at x = {query.x}, t = {at:g} s; "
                "an objective must return a finite number"
            )
        return value, *oracle.best(run.benchmark, at)

    if run.objective_thread is None:
        return look()
    return (yield from run.objective_thread.call(look, f"at x = {query.x}, t = {at:g} s"))


def _observe(run: Run, value: float) -> float:
    run.clock.spend(run.benchmark.cost)
    noise: float = run.benchmark.noise_variance**0.5 * run.noise.standard_normal()
    return value + noise
