"""Algorithm 1 with the caller in charge of the objective and of time.

Points are in [0, 1]^d, times in seconds, and y is maximised. A pass lasts from one `ask` to the
next, and that is its response time R(n). A pause, as at night, says nothing about R(n): the pass
then counts as long as the usual one.

An optimizer that may run for months is `bounded`: it keeps the notes of the newest passes only, and
the newest response times; both are then a function of the records, so that a state is small.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.algorithms.spec import Removal
from bolt_core.common.domain import Region
from bolt_core.common.errors import ConfigError
from bolt_core.common.types import (
    Array,
    IterationRecord,
    Observation,
    Problem,
    ResponseSample,
    RunConfig,
)
from bolt_core.online.answers import FIRST_VALUE
from bolt_core.online.thinking_time import thinned
from bolt_core.runs.algorithm1 import Algorithm1, PassStart
from bolt_core.runs.history_edits import end_pass, forget_notes
from bolt_core.runs.snapshot import Records, RunHistory

MAX_RESPONSES = 4096  # response times that a bounded optimizer keeps; then the newest half
NOTED_PASSES = 2000  # newest passes with all of their notes
KEPT_NOTES = ("failed", "ask", "key", FIRST_VALUE)  # of older passes
PAUSE_FACTOR = 5.0  # times the usual time between observations: what is longer is a pause
USUAL_PASSES = 20  # the newest, of whose distances in time the median is the usual one
MIN_DISTANCES = 5  # with fewer, nothing is usual yet
TOO_LARGE = 2  # times the limit: rows told at once are thinned before they are learned from


class Told(NamedTuple):
    """One observation that the caller has made."""

    x: Array
    t: float
    y: float
    start: PassStart | None = None  # of the ask that it answers; None: of the last ask
    notes: Mapping[str, Any] = {}


class AskTell(Algorithm1):
    """One algorithm with its records."""

    def __init__(self, config: RunConfig, problem: Problem, *, bounded: bool = False) -> None:
        super().__init__(config, problem)
        self.history = RunHistory(problem.dimension)
        self.n_star: int | None = None
        self.size_limit: int | None = (
            None  # of D, set by the caller; None: none but the algorithm's
        )
        self.bounded = bounded
        self.ended_seconds: float | None = None  # R(n) of the pass that the last `ask` ended
        self._start: PassStart | None = None  # of the pass that the last `ask` began
        self.explores = False  # whether the last `ask` did
        self._has_observation = False  # in the present pass
        self.successes = 0  # observations that did not fail

    @property
    def records(self) -> Records:
        """One record per observation."""
        return Records(self.history.view())

    def ask(
        self,
        now: float,
        *,
        region: Region | None = None,
        pending: Sequence[tuple[Array, float]] = (),
    ) -> tuple[Array, float]:
        """Return the next query and its time: now, or later if the algorithm chooses its time."""
        if now < (latest := self.latest):
            raise ConfigError(
                f"cannot ask for t = {now:g} s: t = {latest:g} s is known already; "
                "ask for that time or later"
            )
        self.ended_seconds = self._end_pass(now)
        self._start = self.begin(now, self.successes)
        self._has_observation = False
        query = self.query(self._start, region=region, pending=pending)
        self.explores = query.explores
        return np.array(query.x), now if query.at is None else query.at

    @property
    def latest(self) -> float:
        """The latest time in D or of an ask, before which nothing can be asked for."""
        newest = max((o.t for o in self.optimizer.dataset), default=-math.inf)
        return max(newest, self._start.t if self._start else -math.inf)

    @property
    def start(self) -> PassStart | None:
        """What the pass of the last `ask` began with; None before the first."""
        return self._start

    def tell(self, observations: Sequence[Told]) -> None:
        """Add observations, then learn once; a y that is not finite counts as failed."""
        self._has_observation = self._has_observation or bool(observations)
        last = len(observations) - 1
        for k, told in enumerate(observations):
            self._add(told, learn=k == last, several=last > 0)

    def _add(self, told: Told, *, learn: bool, several: bool) -> None:
        i, failed, before = self.history.length, not math.isfinite(told.y), self.successes
        x = tuple(told.x.tolist())
        observation = Observation(i, x, told.t, 0.0 if failed else told.y)
        start = told.start or self._start or self.begin(told.t, before)
        removal = Removal(n_star=self.n_star)
        self.successes += not failed
        if not failed:
            self.optimizer.tell(observation)
        if learn and self.optimizer.dataset:
            removal = self._learn(before, thin=several)
        self.n_star = removal.n_star
        notes = {**removal.notes, **told.notes}
        if failed:
            notes["failed"] = str(told.y)
            removal = replace(removal, ids=(i, *removal.ids))
        removal = replace(removal, notes=notes)
        self.history.append(self.record(start, observation, removal, seconds=0.0))
        if self.bounded and i >= NOTED_PASSES:
            forget_notes(self.history, i - NOTED_PASSES, KEPT_NOTES)

    def _learn(self, before: int, *, thin: bool) -> Removal:
        """Infer and remove; then keep D within the limit on its size, if there is one."""
        optimizer, limit = self.optimizer, self.size_limit
        now = max(o.t for o in optimizer.dataset)
        if limit is None or not isinstance(optimizer, GPOptimizer):
            return self.learn(now, before, self.successes)
        forgotten: tuple[int, ...] = ()
        if thin and len(optimizer.dataset) > TOO_LARGE * limit:
            ids = [o.i for o in optimizer.dataset]
            kept = set(thinned([o.t for o in optimizer.dataset], limit))
            forgotten = tuple(i for row, i in enumerate(ids) if row not in kept)
            optimizer.forget(forgotten)
        removal = self.learn(now, before, self.successes)
        further = optimizer.shrink(now, limit)
        notes = {**removal.notes, **further.notes}
        ids_removed = (*forgotten, *removal.ids, *further.ids)
        return replace(removal, ids=ids_removed, notes=notes)

    def learn_anew(self) -> None:
        """Infer from D again, after a value in it was corrected; nothing is removed."""
        if self.optimizer.dataset and self.successes >= self.config.warmup:
            self.optimizer.infer(max(o.t for o in self.optimizer.dataset))

    def _end_pass(self, now: float) -> float | None:
        """Set and return R(n) of the pass that `now` ends, if it has an observation."""
        if self._start is None or not self._has_observation:
            return None
        seconds = self._without_pause(now - self._start.t)
        end_pass(self.history, seconds)
        if not self.bounded:
            self.add_response(self._start, seconds)
        elif seconds > 0:
            last = self.records[-1]
            self.add_response(PassStart(self._start.t, last.n, last.warmup), seconds)
            if len(self.responses) > MAX_RESPONSES:
                self.responses = self.responses[-MAX_RESPONSES // 2 :]
        return seconds

    def _without_pause(self, seconds: float) -> float:
        """Return the length of a pass; if it is far longer than the newest ones, their median."""
        distances = np.diff(np.sort(self.history.view()["t"][-USUAL_PASSES - 1 :]))
        distances = distances[distances > 0]
        if len(distances) < MIN_DISTANCES:
            return seconds
        usual = float(np.median(distances))
        return usual if seconds > PAUSE_FACTOR * usual else seconds

    def state(self) -> dict[str, Any]:
        """Return what, with the records, is enough to continue exactly."""
        responses = {} if self.bounded else {"responses": self.responses_upto(len(self.responses))}
        return {**self.short_state(), **responses}

    def responses_upto(self, count: int) -> list[tuple[int, float]]:
        """Return the first response times, JSON-ready."""
        return [(s.n, s.seconds) for s in self.responses[:count]]

    def short_state(self) -> dict[str, Any]:
        """Return the state with the number of response times in place of their list."""
        return {
            **super().state(),
            "kept": [o.i for o in self.optimizer.dataset],
            "response_count": len(self.responses),
            "asked": self._start,
            "answered": self._has_observation,
            "n_star": self.n_star,
        }

    def resume(self, state: Mapping[str, Any], past: Sequence[IterationRecord]) -> None:
        """Continue from what `state` returned and the records of that time."""
        self.history = RunHistory(self.problem.dimension)
        for record in past:
            self.history.append(record)
        self.successes = sum("failed" not in notes for notes in self.history.view().notes)
        self.restore(state, [past[i].observation for i in state["kept"]])
        self.responses = (
            self._recorded_responses(state["response_count"])
            if self.bounded
            else [ResponseSample(n, seconds) for n, seconds in state["responses"]]
        )
        self._start = PassStart(*state["asked"]) if state["asked"] else None
        self._has_observation = state["answered"]
        self.n_star = state["n_star"]

    def _recorded_responses(self, count: int) -> list[ResponseSample]:
        """Return the newest `count` response times of the records."""
        columns = self.history.view()
        rows = np.flatnonzero((columns["warmup"] == 0) & (columns["seconds"] > 0))
        rows = rows[max(len(rows) - count, 0) :]
        pairs = zip(columns["n"][rows].tolist(), columns["seconds"][rows].tolist(), strict=True)
        return [ResponseSample(int(n), seconds) for n, seconds in pairs]
