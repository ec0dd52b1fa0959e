"""Optimizers for a problem of your own: ask where to look, tell what you saw.

    opt = Bolt(bounds=[(0, 1), (-5, 5)])
    x = opt.ask()                # now; or ask(t) with a time of yours
    opt.tell(x, opt.at, y)       # y measured at x

Times are seconds, or datetimes (then from the first one on); without one, real time since the
optimizer was made. R(n) is the time from one `ask` to the next, so whatever happens in between,
measuring included, is part of it. The first queries, until `warmup` observations are known, are
uniform.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bolt_core import algorithms, records, runtime
from bolt_core.box import Box
from bolt_core.errors import ConfigError, RecordError
from bolt_core.gp_optimizer import GPOptimizer
from bolt_core.optimizer import Removal, generator_state, restore_generator
from bolt_core.response_time import ResponseTime, fit_response_time
from bolt_core.snapshot import RunHistory, RunSnapshot
from bolt_core.types import (
    WARMUP,
    Array,
    ClockConfig,
    EngineConfig,
    IterationRecord,
    Observation,
    Problem,
    ResponseSample,
    RunConfig,
    RunStatus,
    Scalar,
)

if TYPE_CHECKING:
    import pandas as pd

Time: TypeAlias = float | datetime | None
NOWHERE = "your-problem"  # stands for a benchmark in the record


class OnlineOptimizer:
    """One algorithm on one problem of yours. `make` builds any, `Bolt` is BOLT."""

    def __init__(
        self,
        bounds: Sequence[tuple[float, float]],
        *,
        algorithm: str = "bolt",
        minimize: bool = False,
        seed: int = 0,
        warmup: int = WARMUP,
        engine: str = "exact",
        acquisition: str = "ucb",
        spatial_kernel: str = "matern52",
        temporal_kernel: str = "matern32",
        name: str = "your problem",
        **params: Scalar,
    ) -> None:
        runtime.configure()
        self.box = Box.of(bounds)
        self.name, self.minimize = name, minimize
        self.config = RunConfig(
            algorithm=algorithm,
            benchmark=NOWHERE,
            seed=seed,
            warmup=warmup,
            clock=ClockConfig("wall"),
            engine=EngineConfig(engine, acquisition),
            params=params,
            options={"spatial_kernel": spatial_kernel, "temporal_kernel": temporal_kernel},
        )
        spec = algorithms.get(algorithm)
        streams = np.random.SeedSequence(seed).spawn(3)
        self._warmup, _, own = (np.random.default_rng(s) for s in streams)
        problem = Problem(self.box.dimension, spatial_kernel, temporal_kernel)
        parsed = spec.parse(params)
        self._optimizer = spec.build(problem, own, params=parsed, engine=self.config.engine)
        self._responses: list[ResponseSample] = []
        self._records: list[IterationRecord] = []
        self._removal = Removal()
        self._asked: tuple[float, int, bool] | None = None  # t, n and warm-up of the last ask
        self._at = 0.0
        self._origin: datetime | None = None
        self._began = time.monotonic()

    def ask(self, t: Time = None) -> Array:
        """Where to look at time t, in your units. See `at` for when."""
        now = self._seconds(t)
        newest = max((o.t for o in self._optimizer.dataset), default=-math.inf)
        if now < max(newest, self._asked[0] if self._asked else -math.inf):
            raise ConfigError(
                f"cannot ask for t = {now:g} s: something newer is known already "
                f"(t = {newest:g} s); ask for that time or later"
            )
        self._close_pass(now)
        warming = self._warming_up
        n = len(self._optimizer.dataset)
        self._at = now
        if warming:
            x = tuple(self._warmup.random(self.box.dimension).tolist())
        else:
            query = self._optimizer.ask(now)
            x, self._at = query.x, now if query.at is None else query.at
        self._asked = now, n, warming
        return self.box.outside(np.array(x))

    @property
    def at(self) -> float:
        """When to measure what was last asked for, seconds: then, or later if ABO says so."""
        return self._at

    def tell(self, x: ArrayLike, t: Time, y: float) -> None:
        """What was seen: y at x, at time t (None: now). A y that is not finite counts as failed."""
        place, seconds = self.box.inside(x), self._seconds(t)
        value = float(y)
        i = len(self._records)
        failed = not math.isfinite(value)
        observation = Observation(i, tuple(place.tolist()), seconds, self._sign * value)
        _, n, warming = self._asked or (seconds, len(self._optimizer.dataset), self._warming_up)
        if not failed:
            self._learn(observation)
        self._records.append(
            IterationRecord(
                observation=replace(observation, y=0.0) if failed else observation,
                value=math.nan,
                best=math.nan,
                best_x=(math.nan,) * self.box.dimension,
                n=n,
                seconds=0.0,
                warmup=warming,
                theta=self._optimizer.theta,
                n_star=self._removal.n_star,
                removed=(i,) if failed else self._removal.ids,
                notes={"failed": str(value)} if failed else self._removal.notes,
            )
        )

    @property
    def n_star(self) -> int | None:
        """The recommended dataset size; None: no limit (yet), or an algorithm without one."""
        return self._removal.n_star

    @property
    def response_time(self) -> ResponseTime | None:
        """R(n) as measured so far; None before two full passes."""
        return fit_response_time(self._responses) if self._responses else None

    @property
    def dataset(self) -> Sequence[Observation]:
        """D in time order; x in [0, 1]^d and y to be maximised."""
        return self._optimizer.dataset

    def posterior(self, x: ArrayLike, t: Time = None) -> tuple[Array, Array]:
        """Mean and standard deviation of f at x (one place or several), in your units."""
        now = self._seconds(t)
        places = np.atleast_2d(self.box.inside(x))
        mean, sd = self._surrogate(now).posterior(places, now)
        return self._sign * mean, sd

    def scores(self, t: Time = None) -> pd.Series[float]:
        """W_2 of each kept observation by id: how much the surrogate would change without it."""
        import pandas as pd

        now = self._seconds(t)
        ids = [o.i for o in self._optimizer.dataset]
        return pd.Series(self._surrogate(now).removal_scores(now), index=ids, name="W2")

    def snapshot(self) -> RunSnapshot:
        """The run so far, as the dashboard sees it."""
        history = RunHistory(self.box.dimension)
        for record in self._records:
            history.append(record)
        return RunSnapshot(self.config, RunStatus.RUNNING, history.view(), header=self._about())

    def to_frame(self) -> pd.DataFrame:
        """One row an observation, x and y in your units."""
        frame = self.snapshot().to_frame()
        names = [f"x_{k + 1}" for k in range(self.box.dimension)]
        frame[names] = self.box.outside(frame[names].to_numpy())
        frame["y"] = self._sign * frame["y"]
        frame.loc[["failed" in r.notes for r in self._records], "y"] = math.nan
        unknown = ["value", "best", "regret", *(f"best_{name}" for name in names)]
        return frame.drop(columns=unknown)

    def save(self, path: str | Path) -> None:
        """Everything, as a record: `load` goes on from it exactly, and the dashboard opens it."""
        target = Path(path)
        part = target.with_name(f".{target.name}.part")
        part.unlink(missing_ok=True)
        with records.RecordWriter(part, self.config, about=self._about()) as writer:
            for record in self._records:
                writer.append(record, dict)
            writer.event("saved", **self._state())
            writer.close(RunStatus.INTERRUPTED)
        os.replace(part, target)  # noqa: PTH105 - one step: the old file or the new one

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The optimizer that `save` wrote there."""
        snapshot = records.read(Path(path))
        state = records.last_event(Path(path), "saved")
        if state is None or snapshot.header is None:
            raise RecordError(f"{path} was not written by save(); open it in the dashboard instead")
        config, header = snapshot.config, snapshot.header
        opt = cls.__new__(cls)
        OnlineOptimizer.__init__(
            opt,
            [tuple(pair) for pair in header["bounds"]],
            algorithm=config.algorithm,
            minimize=header["minimize"],
            seed=config.seed,
            warmup=config.warmup,
            engine=config.engine.name,
            acquisition=config.engine.acquisition,
            name=header["label"],
            **{**config.options, **config.params},  # type: ignore[arg-type]
        )
        opt._restore(state, list(snapshot.records))
        return opt

    @property
    def _sign(self) -> float:
        return -1.0 if self.minimize else 1.0

    @property
    def _warming_up(self) -> bool:
        known = sum("failed" not in record.notes for record in self._records)
        return known < self.config.warmup

    def _learn(self, observation: Observation) -> None:
        self._optimizer.tell(observation)
        self._removal = Removal()
        if len(self._records) + 1 >= self.config.warmup:
            now = max(o.t for o in self._optimizer.dataset)
            self._optimizer.infer(now)
            if not self._warming_up:
                self._removal = self._optimizer.prune(now, self._responses)

    def _close_pass(self, now: float) -> None:
        """The pass that began with the last ask ends here: its duration is R(n)."""
        if self._asked is None or not self._records:
            return
        then, n, warming = self._asked
        self._records[-1] = replace(self._records[-1], seconds=now - then)
        if not warming:
            self._responses.append(ResponseSample(n, now - then))

    def _seconds(self, t: Time) -> float:
        if t is None:
            return time.monotonic() - self._began
        if isinstance(t, datetime):
            self._origin = self._origin or t
            return (t - self._origin).total_seconds()
        if not math.isfinite(t):
            raise ConfigError(f"a time must be finite seconds or a datetime, got {t}")
        return float(t)

    def _surrogate(self, now: float) -> Any:  # noqa: ANN401 - a Surrogate
        surrogate = (
            self._optimizer.surrogate(now) if isinstance(self._optimizer, GPOptimizer) else None
        )
        if surrogate is None:
            known = len(self._optimizer.dataset)
            raise ConfigError(
                f"nothing is learned yet: {known} observations known, "
                f"{self.config.warmup} are needed (and an algorithm with a surrogate)"
            )
        return surrogate

    def _about(self) -> dict[str, Any]:
        return {
            "label": self.name,
            "dimension": self.box.dimension,
            "source": "a problem of your own",
            "bounds": self.box.pairs,
            "minimize": self.minimize,
        }

    def _state(self) -> dict[str, Any]:
        removal = self._removal
        return {
            "optimizer": self._optimizer.state(),
            "kept": [o.i for o in self._optimizer.dataset],
            "warmup": generator_state(self._warmup),
            "responses": [[s.n, s.seconds] for s in self._responses],
            "asked": self._asked,
            "at": self._at,
            "now": time.monotonic() - self._began,
            "origin": self._origin.isoformat() if self._origin else None,
            "removal": [removal.ids, removal.n_star, dict(removal.notes)],
        }

    def _restore(self, state: Mapping[str, Any], past: list[IterationRecord]) -> None:
        self._records = past
        kept = [past[i].observation for i in state["kept"]]
        self._optimizer.restore(state["optimizer"], kept)
        self._warmup = restore_generator(state["warmup"])
        self._responses = [ResponseSample(n, seconds) for n, seconds in state["responses"]]
        self._asked = tuple(state["asked"]) if state["asked"] else None
        self._at = state["at"]
        self._began = time.monotonic() - state["now"]
        self._origin = datetime.fromisoformat(state["origin"]) if state["origin"] else None
        ids, n_star, notes = state["removal"]
        self._removal = Removal(tuple(ids), n_star, notes)


class Bolt(OnlineOptimizer):
    """BOLT on a problem of yours."""


def make(algorithm: str, bounds: Sequence[tuple[float, float]], **options: Any) -> OnlineOptimizer:  # noqa: ANN401
    """Any algorithm by its key; options and parameters as for `Bolt`."""
    return OnlineOptimizer(bounds, algorithm=algorithm, **options)
