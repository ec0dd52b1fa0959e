"""Algorithm 1 on a benchmark and a clock: prepare a run, iterate over its passes, resume it."""

import math
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from bolt_core import algorithms, benchmarks
from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.algorithms.spec import Query, generator_state, restore_generator
from bolt_core.benchmarks import oracle
from bolt_core.benchmarks.spec import Benchmark, check_horizon
from bolt_core.common.errors import ObjectiveError, PluginError
from bolt_core.common.text import counted, shortened
from bolt_core.common.types import (
    IterationRecord,
    Observation,
    ResponseSample,
    RunConfig,
    SpeedChange,
)
from bolt_core.gp.workspace import Workspace
from bolt_core.runs.algorithm1 import Algorithm1, Measurement, PassStart
from bolt_core.runs.clocks import make_clock
from bolt_core.runs.timed_call import ObjectiveThread


class Run(Algorithm1):
    """The state of a run between two passes."""

    def __init__(
        self, config: RunConfig, benchmark: Benchmark, stop: threading.Event | None = None
    ) -> None:
        super().__init__(config, benchmark.problem)
        self.benchmark = benchmark
        self.clock = make_clock(config.clock, stop=stop)
        self.horizon = config.horizon or benchmark.horizon
        self.i = 0  # the next iteration
        self.objective_thread: ObjectiveThread | None = None  # None: call the objective directly
        self._fixed: list[float] = []  # seconds of each response that no device can shorten

    def state(self) -> dict[str, Any]:
        """Return what, with the records so far, continues the run; bit for bit on a model clock."""
        return {
            "i": self.i,
            "now": self.clock.now(),
            "noise": generator_state(self.noise_rng),
            **super().state(),
        }

    def change_speed(self, factor: float) -> SpeedChange:
        """From the next pass on, let computing take `factor` times as long as the config says.

        Response times measured so far are rescaled to the new speed, except for R(0) and waiting,
        which do not depend on the device.
        """
        change = SpeedChange(self.i, self.clock.now(), factor / self.clock.factor, factor)
        self._apply(change)
        return change

    def share_workspace(self, workspace: Workspace) -> None:
        """Compute in buffers that other runs of the same thread use, too."""
        if isinstance(self.optimizer, GPOptimizer):
            self.optimizer.share(workspace)

    def header_fields(self) -> dict[str, Any]:
        """Return the fields about benchmark and kernels for the header of the run's record."""
        twin = self.benchmark.landscape.twin
        return {
            "label": self.benchmark.label,
            "dimension": self.benchmark.dimension,
            "source": self.benchmark.source,
            "noise_variance": self.benchmark.noise_variance,
            "cost": self.benchmark.cost,
            "horizon": self.horizon,
            **({} if twin is None else {"twin": twin}),
            **self.kernels,
        }

    def _apply(self, change: SpeedChange) -> None:
        self.clock.factor = change.factor
        self.responses = [
            ResponseSample(s.n, fixed + change.ratio * max(s.seconds - fixed, 0.0))
            for s, fixed in zip(self.responses, self._fixed, strict=True)
        ]

    def _end_pass(self, start: PassStart, seconds: float, waited: float) -> None:
        self.add_response(start, seconds)
        if not start.warmup:
            self._fixed.append(self.benchmark.cost + waited)

    def _replay(self, records: Sequence[IterationRecord], speeds: Sequence[SpeedChange]) -> None:
        """Repeat the speed changes and response times of the passes so far."""
        for i in range(len(records) + 1):
            for change in speeds:
                if change.i == i:
                    self._apply(change)
            if i < len(records):
                record = records[i]
                start = PassStart(record.observation.t, record.n, record.warmup)
                self._end_pass(start, record.seconds, record.waited)


def prepare(config: RunConfig, *, stop: threading.Event | None = None) -> Run:
    """Return a run that is ready to start; setting `stop` interrupts the sleep of a wall clock."""
    benchmark = benchmarks.load(config.benchmark, **config.options)
    check_horizon(config.horizon, benchmark.key, benchmark.horizon)
    return Run(config, benchmark, stop)


def resume(
    config: RunConfig,
    state: Mapping[str, Any],
    records: Sequence[IterationRecord],
    speeds: Sequence[SpeedChange] = (),
) -> Run:
    """Return the run as it was when `state` was saved, given the records of its passes."""
    run = prepare(config)
    run.i = state["i"]
    run.clock = make_clock(config.clock, start=state["now"])
    run.noise_rng = restore_generator(state["noise"])
    past = list(records[: run.i])
    removed = {i for record in past for i in record.removed}
    observations = [record.observation for record in past]
    run.restore(state, [o for o in observations if o.i not in removed])
    run._replay(past, speeds)
    return run


def iterate(run: Run) -> Iterator[IterationRecord]:
    """Yield one record per pass until the horizon, or until the caller stops."""
    return (record for record in steps(run) if record is not None)


def steps(run: Run) -> Iterator[IterationRecord | None]:
    """Yield as `iterate`, and None while an objective in another thread has not answered."""
    optimizer, clock = run.optimizer, run.clock
    check = run.config.algorithm not in algorithms.built_in()
    while (t := clock.now()) < run.horizon:  # Get current time t from C
        start = run.begin(t, run.i)
        with nullcontext() if start.warmup else clock.computing(start.n):
            query = run.query(start)  # x_t = argmax alpha_D(., t)
        if check:
            _check_query(run, query)
        at = _wait(run, query, t)
        if at >= run.horizon:
            return
        measurement = yield from _measure(run, query, at)
        y = _observe(run, measurement.value)  # Observe y = f(x_t, t) + epsilon
        observation = Observation(run.i, query.x, at, y)
        with clock.computing(start.n):
            optimizer.tell(observation)  # D = D + {((x_t, t), y)}
            removal = run.learn(at, run.i, run.i + 1)  # theta; R(n), n*, o*; D = D - {o*}
        for size in (start.n, *removal.side) if optimizer.infers and not start.warmup else ():
            clock.end_pass(size)
        seconds = clock.now() - t
        run._end_pass(start, seconds, at - t)
        run.i += 1
        yield run.record(start, observation, removal, seconds=seconds, measurement=measurement)


def _wait(run: Run, query: Query, t: float) -> float:
    """Return the time of the observation; wait for it if the query chose a later one."""
    if query.at is None:
        return t
    run.clock.spend(max(min(query.at, run.horizon) - run.clock.now(), 0.0))
    return query.at


def _measure(run: Run, query: Query, at: float) -> Generator[None, None, Measurement]:
    """Return f(x_t, t), f(x*_t, t) and x*_t."""

    def measure() -> Measurement:
        value = _real_number(run.benchmark.value(query.x, at), run.benchmark.key)
        if not math.isfinite(value):
            raise ObjectiveError(
                f"{run.benchmark.key} gave {value} at x = {query.x}, t = {at:g} s; "
                "an objective must return a finite number"
            )
        best_x, best = oracle.best(run.benchmark, at)
        return Measurement(value, best, tuple(best_x.tolist()))

    if run.objective_thread is None:
        return measure()
    return (yield from run.objective_thread.call(measure, f"at x = {query.x}, t = {at:g} s"))


def _real_number(value: object, key: str) -> float:
    """Return the value of an objective as a float; raise an ObjectiveError if it is not one."""
    array = np.asarray(value)
    if array.size != 1 or array.dtype.kind not in "fiub":
        raise ObjectiveError(
            f"{key} gave {shortened(repr(value), 60)} ({type(value).__name__} of shape "
            f"{array.shape}); an objective must return one real number"
        )
    return float(array.item())


def _check_query(run: Run, query: object) -> None:
    """Raise a PluginError if the algorithm of a plug-in asks for no point of the unit cube."""
    dimension = run.problem.dimension
    x = np.asarray(query.x) if isinstance(query, Query) else np.empty(0)
    if x.shape != (dimension,) or x.dtype.kind not in "fiub" or not ((x >= 0) & (x <= 1)).all():
        raise PluginError(
            f"the algorithm {run.config.algorithm} asked for {shortened(repr(query), 80)}; a query "
            f"has {counted(dimension, 'coordinate')} from 0 to 1"
        )


def _observe(run: Run, value: float) -> float:
    """Return a noisy observation of `value`; it takes R(0) seconds."""
    run.clock.spend(run.benchmark.cost)
    noise: float = run.benchmark.noise_variance**0.5 * run.noise_rng.standard_normal()
    return value + noise
