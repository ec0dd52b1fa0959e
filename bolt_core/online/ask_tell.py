"""Algorithm 1 turned inside out: the caller drives, observes and keeps the time.

The loop of loop.py owns objective and clock; here both are somebody else's. Places are in
[0, 1]^d, times in seconds, y is to be maximised. A pass lasts from one `ask` to the next, and
that is its response time R(n).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bolt_core import algorithms
from bolt_core.algorithms.spec import Removal, generator_state, restore_generator
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import (
    Array,
    IterationRecord,
    Observation,
    Problem,
    ResponseSample,
    RunConfig,
)


class AskTell:
    """One algorithm, its records and its response times."""

    def __init__(self, config: RunConfig, problem: Problem) -> None:
        self.config, self.problem = config, problem
        spec = algorithms.get(config.algorithm)
        params = spec.parse(config.params)
        streams = np.random.SeedSequence(config.seed).spawn(3)
        self._warmup, _, own = (np.random.default_rng(s) for s in streams)
        self.optimizer = spec.build(problem, own, params=params, engine=config.engine)
        self.responses: list[ResponseSample] = []
        self.records: list[IterationRecord] = []
        self.n_star: int | None = None
        self._asked: tuple[float, int, bool] | None = None  # t, n, warm-up of the last ask
        self._answered = False  # something was told since

    def ask(self, now: float) -> tuple[Array, float]:
        """Where to look, and when: now, or later if the algorithm chooses its time."""
        newest = max((o.t for o in self.optimizer.dataset), default=-math.inf)
        if now < (latest := max(newest, self._asked[0] if self._asked else -math.inf)):
            raise ConfigError(
                f"cannot ask for t = {now:g} s: t = {latest:g} s is known already; "
                "ask for that time or later"
            )
        self._close_pass(now)
        warming = self._warming_up
        self._asked = now, len(self.optimizer.dataset), warming
        self._answered = False
        if warming:
            return self._warmup.random(self.problem.dimension), now
        query = self.optimizer.ask(now)
        return np.array(query.x), now if query.at is None else query.at

    def tell(self, told: Sequence[tuple[Array, float, float]]) -> None:
        """Take observations (x, t, y), and learn once. A y that is not finite counts as failed."""
        self._answered = self._answered or bool(told)
        last = len(told) - 1
        for k, (x, t, y) in enumerate(told):
            self._take(x, t, y, learn=k == last)

    def _take(self, x: Array, t: float, y: float, *, learn: bool) -> None:
        i, failed = len(self.records), not math.isfinite(y)
        observation = Observation(i, tuple(x.tolist()), t, 0.0 if failed else y)
        began, n, warming = self._asked or (t, len(self.optimizer.dataset), self._warming_up)
        removal = Removal(n_star=self.n_star)
        if not failed:
            self.optimizer.tell(observation)
        if learn and self.optimizer.dataset and self._known + (not failed) >= self.config.warmup:
            removal = self._learn()
        self.n_star = removal.n_star
        self.records.append(
            IterationRecord(
                observation=observation,
                value=math.nan,  # nobody knows f(x, t) without its noise, nor the optimum
                best=math.nan,
                best_x=(math.nan,) * self.problem.dimension,
                n=n,
                seconds=0.0,  # known at the next ask
                waited=max(t - began, 0.0),
                warmup=warming,
                theta=self.optimizer.theta,
                n_star=removal.n_star,
                removed=(i, *removal.ids) if failed else removal.ids,
                notes={**removal.notes, "failed": str(y)} if failed else removal.notes,
            )
        )

    @property
    def _known(self) -> int:
        """Observations that did not fail."""
        return sum("failed" not in record.notes for record in self.records)

    @property
    def _warming_up(self) -> bool:
        return self._known < self.config.warmup

    def _learn(self) -> Removal:
        now = max(o.t for o in self.optimizer.dataset)
        self.optimizer.infer(now)
        return Removal() if self._warming_up else self.optimizer.prune(now, self.responses)

    def _close_pass(self, now: float) -> None:
        if self._asked is None or not self._answered:
            return
        then, n, warming = self._asked
        self.records[-1] = replace(self.records[-1], seconds=now - then)
        if not warming:
            self.responses.append(ResponseSample(n, now - then))

    def state(self) -> dict[str, Any]:
        """With the records, enough to go on exactly."""
        return {
            "optimizer": self.optimizer.state(),
            "kept": [o.i for o in self.optimizer.dataset],
            "warmup": generator_state(self._warmup),
            "responses": [[s.n, s.seconds] for s in self.responses],
            "asked": self._asked,
            "answered": self._answered,
            "n_star": self.n_star,
        }

    def restore(self, state: Mapping[str, Any], past: Sequence[IterationRecord]) -> None:
        self.records = list(past)
        kept = [self.records[i].observation for i in state["kept"]]
        self.optimizer.restore(state["optimizer"], kept)
        self._warmup = restore_generator(state["warmup"])
        self.responses = [ResponseSample(n, seconds) for n, seconds in state["responses"]]
        self._asked = tuple(state["asked"]) if state["asked"] else None
        self._answered = state["answered"]
        self.n_star = state["n_star"]
