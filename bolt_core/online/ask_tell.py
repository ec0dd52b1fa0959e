"""Algorithm 1 with the caller in charge of the objective and of time.

Points are in [0, 1]^d, times in seconds, and y is maximised. A pass lasts from one `ask` to the
next, and that is its response time R(n).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bolt_core.algorithms.spec import Removal
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import (
    Array,
    IterationRecord,
    Observation,
    Problem,
    ResponseSample,
    RunConfig,
)
from bolt_core.runs.algorithm1 import Algorithm1, PassStart


class AskTell(Algorithm1):
    """One algorithm with its records."""

    def __init__(self, config: RunConfig, problem: Problem) -> None:
        super().__init__(config, problem)
        self.records: list[IterationRecord] = []
        self.n_star: int | None = None
        self._start: PassStart | None = None  # of the pass that the last `ask` began
        self._has_observation = False  # in the present pass

    def ask(self, now: float) -> tuple[Array, float]:
        """Return the next query and its time: now, or later if the algorithm chooses its time."""
        newest = max((o.t for o in self.optimizer.dataset), default=-math.inf)
        if now < (latest := max(newest, self._start.t if self._start else -math.inf)):
            raise ConfigError(
                f"cannot ask for t = {now:g} s: t = {latest:g} s is known already; "
                "ask for that time or later"
            )
        self._end_pass(now)
        self._start = self.begin(now, self._successes)
        self._has_observation = False
        query = self.query(self._start)
        return np.array(query.x), now if query.at is None else query.at

    @property
    def begun_at(self) -> float | None:
        """The time of the last `ask`; None before the first."""
        return None if self._start is None else self._start.t

    def tell(self, observations: Sequence[tuple[Array, float, float]]) -> None:
        """Add observations (x, t, y), then learn once; a y that is not finite counts as failed."""
        self._has_observation = self._has_observation or bool(observations)
        last = len(observations) - 1
        for k, (x, t, y) in enumerate(observations):
            self._add(x, t, y, learn=k == last)

    def _add(self, x: Array, t: float, y: float, *, learn: bool) -> None:
        i, failed, before = len(self.records), not math.isfinite(y), self._successes
        observation = Observation(i, tuple(x.tolist()), t, 0.0 if failed else y)
        start = self._start or self.begin(t, before)
        removal = Removal(n_star=self.n_star)
        if not failed:
            self.optimizer.tell(observation)
        if learn and self.optimizer.dataset:
            now = max(o.t for o in self.optimizer.dataset)
            removal = self.learn(now, before, before + (not failed))
        self.n_star = removal.n_star
        if failed:
            notes = {**removal.notes, "failed": str(y)}
            removal = replace(removal, ids=(i, *removal.ids), notes=notes)
        self.records.append(self.record(start, observation, removal, seconds=0.0))

    @property
    def _successes(self) -> int:
        """The number of observations that did not fail."""
        return sum("failed" not in record.notes for record in self.records)

    def _end_pass(self, now: float) -> None:
        """Set the response time of the pass that `now` ends, if it has an observation."""
        if self._start is None or not self._has_observation:
            return
        seconds = now - self._start.t
        self.records[-1] = replace(self.records[-1], seconds=seconds)
        self.add_response(self._start, seconds)

    def state(self) -> dict[str, Any]:
        """Return what, with the records, is enough to continue exactly."""
        return {
            **super().state(),
            "kept": [o.i for o in self.optimizer.dataset],
            "responses": [[s.n, s.seconds] for s in self.responses],
            "asked": self._start,
            "answered": self._has_observation,
            "n_star": self.n_star,
        }

    def resume(self, state: Mapping[str, Any], past: Sequence[IterationRecord]) -> None:
        """Continue from what `state` returned and the records of that time."""
        self.records = list(past)
        self.restore(state, [self.records[i].observation for i in state["kept"]])
        self.responses = [ResponseSample(n, seconds) for n, seconds in state["responses"]]
        self._start = PassStart(*state["asked"]) if state["asked"] else None
        self._has_observation = state["answered"]
        self.n_star = state["n_star"]
