"""One pass of Algorithm 1, without the objective and the clock.

`runs/loop` drives it with a benchmark and a clock of its own; `online/ask_tell` leaves both to the
caller. Seeding, warm-up, inference, removal and records are therefore the same in both.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from bolt_core import algorithms
from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.algorithms.spec import Optimizer, Query, Removal, generator_state, restore_generator
from bolt_core.common.domain import Region, project, uniform_in
from bolt_core.common.types import (
    Array,
    IterationRecord,
    Observation,
    Problem,
    ResponseSample,
    RunConfig,
)


class PassStart(NamedTuple):
    """What a pass began with."""

    t: float  # seconds
    n: int  # size of D
    warmup: bool  # its query is random


class Measurement(NamedTuple):
    """The noiseless value of a query and the optimum at its time; NaN where nothing knows them."""

    value: float
    best: float
    best_x: tuple[float, ...]


class Algorithm1:
    """An optimizer with its warm-up queries and its response times.

    The seed gives three random streams. Those of the warm-up queries and of the noise do not depend
    on the algorithm, so that all algorithms get the same random numbers.
    """

    def __init__(self, config: RunConfig, problem: Problem) -> None:
        self.config, self.problem = config, problem
        spec = algorithms.get(config.algorithm)
        params = spec.parse(config.params)
        streams = np.random.SeedSequence(config.seed).spawn(3)
        self.warmup_rng, self.noise_rng, own = (np.random.default_rng(s) for s in streams)
        self.optimizer: Optimizer = spec.build(problem, own, params=params, engine=config.engine)
        self.responses: list[ResponseSample] = []  # of full passes

    @property
    def kernels(self) -> Mapping[str, Any]:
        """The kernels of the surrogate, for the header of a record; empty without a surrogate."""
        return self.optimizer.kernels if isinstance(self.optimizer, GPOptimizer) else {}

    def begin(self, t: float, observed: int) -> PassStart:
        """Begin a pass at time t, after `observed` successful observations."""
        return PassStart(t, len(self.optimizer.dataset), observed < self.config.warmup)

    def query(
        self,
        start: PassStart,
        *,
        region: Region | None = None,
        pending: Sequence[tuple[Array, float]] = (),
    ) -> Query:
        """Return x_t = argmax alpha_D(., t) over the region; a uniform point during the warm-up.

        `pending` are queries (x, t) without an observation; a surrogate takes them into account.
        """
        if start.warmup:
            u = self.warmup_rng.random(self.problem.dimension)
            return Query(tuple(uniform_in(u, self.problem.domain, region).tolist()))
        if region is None and not pending and self.problem.domain is None:
            return self.optimizer.ask(start.t)
        if isinstance(self.optimizer, GPOptimizer):
            return self.optimizer.ask(start.t, region=region, pending=pending)
        query = self.optimizer.ask(start.t)
        x = project(np.array(query.x), self.problem.domain, region)
        return replace(query, x=tuple(x.tolist()))

    def learn(self, now: float, observed_before: int, observed_after: int) -> Removal:
        """Infer the hyperparameters, then remove stale observations.

        Inference begins with the last warm-up query, because the query after it needs a surrogate;
        removal begins one pass later.
        """
        if observed_after < self.config.warmup:
            return Removal()
        self.optimizer.infer(now)
        if observed_before < self.config.warmup:
            return Removal()
        return self.optimizer.prune(now, self.responses)

    def add_response(self, start: PassStart, seconds: float) -> None:
        """Add R(n) of a pass; a warm-up query costs no inference and says nothing about R(n)."""
        if not start.warmup:
            self.responses.append(ResponseSample(start.n, seconds))

    def record(
        self,
        start: PassStart,
        observation: Observation,
        removal: Removal,
        *,
        seconds: float,
        measurement: Measurement | None = None,
    ) -> IterationRecord:
        """Return the record of a pass that took `seconds`."""
        nowhere = (math.nan,) * self.problem.dimension
        value, best, best_x = measurement or Measurement(math.nan, math.nan, nowhere)
        return IterationRecord(
            observation=observation,
            value=value,
            best=best,
            best_x=best_x,
            n=start.n,
            seconds=seconds,
            waited=max(observation.t - start.t, 0.0),
            warmup=start.warmup,
            theta=self.optimizer.theta,
            n_star=removal.n_star,
            removed=removal.ids,
            notes=removal.notes,
        )

    def state(self) -> dict[str, Any]:
        """Return the state as JSON; with the dataset, enough to continue bit for bit."""
        return {"warmup": generator_state(self.warmup_rng), "optimizer": self.optimizer.state()}

    def restore(self, state: Mapping[str, Any], dataset: Sequence[Observation]) -> None:
        """Continue from what `state` returned and the dataset at that time."""
        self.warmup_rng = restore_generator(state["warmup"])
        self.optimizer.restore(state["optimizer"], dataset)
