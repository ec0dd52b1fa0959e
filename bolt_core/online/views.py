"""What an optimizer knows, without changing it: the surrogate, the log, the state in words."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.algorithms.size_limit import SIZE_LIMIT
from bolt_core.common.errors import StateError
from bolt_core.common.types import Array, Observation, RunStatus
from bolt_core.gp.protocol import Surrogate
from bolt_core.online.ask_tell import AskTell
from bolt_core.online.bounds import Box
from bolt_core.online.caller_time import Time, Timeline
from bolt_core.online.knob_space import KnobSpace
from bolt_core.online.log_frame import log_frame
from bolt_core.online.pending import PendingAsks
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.online.results import Ask, Best
from bolt_core.online.status import Status
from bolt_core.online.thinking_time import ThinkingTime, default_seconds
from bolt_core.runs.own_problem import own_values, own_y
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.theory.kernels import WIENER, age_at
from bolt_core.theory.response_time import ResponseTime, fit_response_time

if TYPE_CHECKING:
    import pandas as pd

RECENT_PASSES = 20  # in which a limit must have removed something, to be the one that holds
FRESH = 0.95  # temporal correlation down to which a suggestion is worth using


class Views(ABC):
    """The questions that `OnlineOptimizer` answers."""

    space: Box | KnobSpace
    spec: ProblemSpec | None  # None: plain bounds
    name: str
    minimize: bool
    think_within: float | None
    max_think_seconds: float | None
    _inner: AskTell
    _timeline: Timeline
    _pending: PendingAsks
    _thinking: ThinkingTime
    _at: float

    @abstractmethod
    def _header(self) -> dict[str, Any]:
        """Return the fields about the problem for the header of the record."""

    @property
    def at(self) -> float | datetime:
        """The time at which to measure the last query; ABO may choose one later than asked."""
        return self._timeline.to_caller_time(self._at)

    @property
    def last_id(self) -> int:
        """The number of the last ask; 0 before the first."""
        return self._pending.count

    def __repr__(self) -> str:
        config, d = self._inner.config, self.space.dimension
        return f"<{config.algorithm} on {self.name!r}: d = {d}, {len(self.dataset)} observations>"

    @property
    def latest(self) -> float | datetime | None:
        """The latest time that is known, before which nothing can be asked for; None: no time."""
        latest = self._inner.latest
        return self._timeline.to_caller_time(latest) if math.isfinite(latest) else None

    @property
    def lengthscale_time(self) -> float | None:
        """l_T in seconds: how fast the problem drifts; None while unknown, or without one."""
        theta = self._inner.optimizer.theta
        return None if theta is None else theta.lengthscale_time

    @property
    def n_star(self) -> int | None:
        """The recommended dataset size; None: no limit (yet), or an algorithm without one."""
        return self._inner.n_star

    @property
    def response_time(self) -> ResponseTime | None:
        """R(n) fitted to the response times so far; None before the first full pass has ended."""
        samples = self._inner.responses
        return fit_response_time(samples) if samples else None

    @property
    def told(self) -> int:
        """The number of observations told, failed ones included."""
        return self._inner.history.length

    @property
    def dataset(self) -> Sequence[Observation]:
        """D in time order, with x in [0, 1]^d and y to be maximised."""
        return self._inner.optimizer.dataset

    @property
    def pending(self) -> list[Ask]:
        """The settings that were asked for and have no result yet, oldest first."""
        return [
            Ask(
                ask.id,
                self.space.from_unit(np.array(ask.x)),
                self._timeline.to_caller_time(ask.at),
                ask.explores,
            )
            for ask in self._pending
        ]

    @property
    def last_setting(self) -> Any:  # noqa: ANN401 - a dict of knobs, or an array for bounds
        """The setting that was applied last, as far as is known: the newest in time; None at first.

        It is that of the newest pending ask, or of an observation that was made later.
        """
        point = self._last_point()
        return None if point is None else self.space.from_unit(point)

    def _last_point(self) -> Array | None:
        columns, newest = self._inner.history.view(), self._pending.newest
        if not columns.length:
            return None if newest is None else np.array(newest.x)
        times = columns["t"]
        row = len(times) - 1 - int(np.argmax(times[::-1]))  # of equal times the one told last
        if newest is not None and newest.at >= times[row]:
            return np.array(newest.x)
        return np.array(columns["x"][row])

    def posterior(self, x: Any, t: Time = None) -> tuple[Array, Array]:  # noqa: ANN401
        """Return mean and standard deviation of f at one or several settings, in your units.

        Without t, the time is now if real time is used, else the newest that was told or asked for.
        """
        now = self._timeline.peek(t, self._newest)
        points = np.atleast_2d(self.space.to_unit(x))
        mean, sd = self._surrogate(now).posterior(points, now)
        return self._sign * mean, sd

    def scores(self, t: Time = None) -> pd.Series[float]:
        """Return W_2 of each observation in D by id: the change of the surrogate without it."""
        import pandas as pd

        now = self._timeline.peek(t, self._newest)
        ids = [o.i for o in self.dataset]
        return pd.Series(self._surrogate(now).removal_scores(now), index=ids, name="W2")

    def best(self, t: Time = None) -> Best:
        """Return the setting with the best posterior mean at time t, its mean and deviation.

        All settings are compared, whatever max_step allows now. A ConfigError before anything is
        learned; the time as for `posterior`.
        """
        now = self._timeline.peek(t, self._newest)
        surrogate = self._surrogate(now)
        x, _ = surrogate.maximise_ucb(now, np.random.default_rng(0), beta=0.0)
        mean, sd = surrogate.posterior(x[None], now)
        setting = self.space.from_unit(x)
        caller_time = self._timeline.to_caller_time(now)
        return Best(setting, float(self._sign * mean[0]), float(sd[0]), caller_time)

    @property
    def fresh_for(self) -> float | None:
        """Seconds for which a suggestion is worth using: until k_T with now falls below 0.95.

        None while that is unknown: nothing is learned yet, or the model is not a function of age.
        Infinity if the model does not depend on time.
        """
        optimizer = self._inner.optimizer
        theta = optimizer.theta
        if theta is None or not isinstance(optimizer, GPOptimizer):
            return None
        kernel = optimizer.kernels["temporal_kernel"]
        if theta.lengthscale_time is None:
            return math.inf
        return None if kernel == WIENER.name else theta.lengthscale_time * age_at(kernel, FRESH)

    def snapshot(self) -> RunSnapshot:
        """Return the run so far in the form that the dashboard uses."""
        config, header = self._inner.config, self._header()
        return RunSnapshot(config, RunStatus.RUNNING, self._inner.history.view(), header=header)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per observation, with x and y in your units; x_1 is the first knob.

        It has what the algorithm did as well; `log` has what you did, with the names of knobs.
        """
        snapshot = self.snapshot()
        frame = snapshot.to_frame()
        names = [f"x_{k + 1}" for k in range(self.space.dimension)]
        for name, values in zip(names, own_values(snapshot, snapshot.columns["x"]), strict=True):
            frame[name] = values
        frame["y"] = own_y(snapshot)
        unknown = ["value", "best", "regret", *(f"best_{name}" for name in names)]
        return frame.drop(columns=unknown)

    def log(self) -> pd.DataFrame:
        """Return what was told, and what is pending, with one column per knob and the outcome.

        `time` is in your kind of time, `failed` marks measurements that failed, `pending` settings
        that have no result yet, and `ask` is the number of the ask that a row answers.
        """
        to_time, asks = self._timeline.to_caller_time, list(self._pending)
        return log_frame(self.snapshot(), asks, to_time, self._names, self._outcome)

    def status(self) -> Status:
        """Return which limit holds and what the optimizer does for you; print it for words."""
        reference = self._thinking.reference() if self._thinking.typical is not None else None
        columns = self._inner.history.view()
        recent = columns.notes[max(columns.length - RECENT_PASSES, 0) : columns.length]
        return Status(
            algorithm=self._inner.config.algorithm,
            told=self._inner.history.length,
            failed=self._inner.history.length - self._inner.successes,
            kept=len(self.dataset),
            warmup=self._inner.config.warmup,
            n_star=self.n_star,
            response=self.response_time,
            size_limit=self._size_limit(),
            think_within=self._seconds_allowed(),
            thinking=reference,
            limited=any(SIZE_LIMIT in notes for notes in recent),
            fresh_for=self.fresh_for,
        )

    def _seconds_allowed(self) -> float | None:
        """Return how long a pass may think; None: no limit."""
        seconds = self.think_within
        if seconds is None and self.spec is not None:
            times = self._inner.history.view()["t"][-200:].tolist()
            seconds = default_seconds(times, self._thinking.typical)
        limits = [s for s in (seconds, self.max_think_seconds) if s is not None]
        return min(limits, default=None)

    def _size_limit(self) -> int | None:
        """Return the dataset size that thinking time allows; None: no limit."""
        seconds = self._seconds_allowed()
        return None if seconds is None else self._thinking.limit(seconds)

    @property
    def _names(self) -> list[str]:
        d = self.space.dimension
        return [f"x_{k + 1}" for k in range(d)] if self.spec is None else list(self.spec.knobs)

    @property
    def _outcome(self) -> str:
        return "y" if self.spec is None else self.spec.outcome

    @property
    def _newest(self) -> float:
        """The newest time that is known, that of the last ask included."""
        latest = self._inner.latest
        return latest if math.isfinite(latest) else self._at

    @property
    def _sign(self) -> float:
        return -1.0 if self.minimize else 1.0

    def _surrogate(self, now: float) -> Surrogate:
        optimizer = self._inner.optimizer
        surrogate = optimizer.surrogate(now) if isinstance(optimizer, GPOptimizer) else None
        if surrogate is None:
            raise StateError(
                f"nothing is learned yet: {len(self.dataset)} observations known, "
                f"{self._inner.config.warmup} are needed (and an algorithm with a surrogate)"
            )
        return surrogate
