"""Optimizers for your own problem: ask for the next query, tell its result.

    opt = Bolt(bounds=[(0, 1), (-5, 5)])
    x = opt.ask()                # now, or ask(t) at your own time
    opt.tell(x, opt.at, y)       # y measured at x

Times are seconds, or datetimes (counted from the first one); without a time, real time since the
optimizer was created. R(n) is the time from one `ask` to the next and includes the measurement.
Queries are uniform until `warmup` observations have been told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.algorithms.gp_optimizer import GPOptimizer
from bolt_core.common import files, runtime
from bolt_core.common.errors import ConfigError, RecordError
from bolt_core.common.types import (
    WARMUP,
    Array,
    ClockConfig,
    EngineConfig,
    Observation,
    Problem,
    RunConfig,
    RunStatus,
    Scalar,
)
from bolt_core.gp.protocol import Surrogate
from bolt_core.online import saved_record
from bolt_core.online.ask_tell import AskTell
from bolt_core.online.bounds import Box
from bolt_core.online.caller_time import Time, Timeline
from bolt_core.runs.own_problem import in_own_units, own_y
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from bolt_core.store import records
from bolt_core.theory.response_time import ResponseTime, fit_response_time

if TYPE_CHECKING:
    import pandas as pd

BENCHMARK_KEY = "your-problem"  # in place of a benchmark in the record


class OnlineOptimizer:
    """One algorithm on your own problem. `make` builds any algorithm, `Bolt` is BOLT."""

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
        config = RunConfig(
            algorithm=algorithm,
            benchmark=BENCHMARK_KEY,
            seed=seed,
            warmup=warmup,
            clock=ClockConfig("wall"),
            engine=EngineConfig(engine, acquisition),
            params=params,
            options={"spatial_kernel": spatial_kernel, "temporal_kernel": temporal_kernel},
        )
        self._inner = AskTell(config, Problem(self.box.dimension, spatial_kernel, temporal_kernel))
        self._timeline = Timeline()
        self._at = 0.0

    def ask(self, t: Time = None) -> Array:
        """Return the next query at time t, in your units; `at` is its time."""
        x, self._at = self._inner.ask(self._timeline.seconds(t))
        return self.box.from_unit(x)

    @property
    def at(self) -> float | datetime:
        """The time at which to measure the last query; ABO may choose one later than asked."""
        return self._timeline.to_caller_time(self._at)

    def __repr__(self) -> str:
        config, d = self._inner.config, self.box.dimension
        return f"<{config.algorithm} on {self.name!r}: d = {d}, {len(self.dataset)} observations>"

    def tell(self, x: ArrayLike, t: Time, y: float) -> None:
        """Add the observation y at x and time t (None: now); a y that is not finite has failed.

        x need not have been asked for, and t may be before the start: D is kept in time order.
        """
        self.tell_all([x], [t], [y])

    def tell_all(self, xs: Sequence[ArrayLike], ts: Sequence[Time], ys: Sequence[float]) -> None:
        """Add several observations with one inference at the end, for data you have already."""
        if not len(xs) == len(ts) == len(ys):
            raise ConfigError(
                f"got {len(xs)} x, {len(ts)} t and {len(ys)} y; give the same number of each"
            )
        points = [self.box.point_to_unit(x) for x in xs]
        values = [self._sign * _number(y) for y in ys]
        times = [self._timeline.seconds(t) for t in ts]
        self._inner.tell(list(zip(points, times, values, strict=True)))

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
    def dataset(self) -> Sequence[Observation]:
        """D in time order, with x in [0, 1]^d and y to be maximised."""
        return self._inner.optimizer.dataset

    def posterior(self, x: ArrayLike, t: Time = None) -> tuple[Array, Array]:
        """Return mean and standard deviation of f at one or several x, in your units.

        Without t, the time is now if real time is used, else that of the newest observation.
        """
        now = self._timeline.peek(t, self._newest)
        points = np.atleast_2d(self.box.to_unit(x))
        mean, sd = self._surrogate(now).posterior(points, now)
        return self._sign * mean, sd

    def scores(self, t: Time = None) -> pd.Series[float]:
        """Return W_2 of each observation in D by id: the change of the surrogate without it."""
        import pandas as pd

        now = self._timeline.peek(t, self._newest)
        ids = [o.i for o in self.dataset]
        return pd.Series(self._surrogate(now).removal_scores(now), index=ids, name="W2")

    def snapshot(self) -> RunSnapshot:
        """Return the run so far in the form that the dashboard uses."""
        history = RunHistory(self.box.dimension)
        for record in self._inner.records:
            history.append(record)
        config, header = self._inner.config, self._header()
        return RunSnapshot(config, RunStatus.RUNNING, history.view(), header=header)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per observation, with x and y in your units."""
        snapshot = self.snapshot()
        frame = snapshot.to_frame()
        names = [f"x_{k + 1}" for k in range(self.box.dimension)]
        frame[names] = in_own_units(snapshot, frame[names].to_numpy())
        frame["y"] = own_y(snapshot)
        unknown = ["value", "best", "regret", *(f"best_{name}" for name in names)]
        return frame.drop(columns=unknown)

    def save(self, path: str | Path) -> None:
        """Save everything as a record, which `load` continues exactly and the Runs page imports."""
        target = Path(path)
        if target.is_dir():
            raise RecordError(f"cannot save to {target}: it is a folder; give the name of a file")
        part = target
        try:
            with files.atomic_path(target) as part:
                self._write_record(part)
        except (OSError, RecordError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem).replace(part.name, "it")
            raise RecordError(
                f"cannot save to {target}: {reason}; free some space or choose another folder"
            ) from None

    def _write_record(self, path: Path) -> None:
        with records.RecordWriter(path, self._inner.config, header=self._header()) as writer:
            for record in self._inner.records:
                writer.append(record)
            timeline = self._timeline.state()
            writer.event("saved", at=self._at, timeline=timeline, **self._inner.state())
            writer.close(RunStatus.INTERRUPTED)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the optimizer that `save` wrote; RecordError if the file is damaged."""
        with saved_record.damage_reported(path):
            snapshot, state = saved_record.read(Path(path))
            return cls._resumed(snapshot, state, path)

    @classmethod
    def _resumed(cls, snapshot: RunSnapshot, state: Mapping[str, Any], path: str | Path) -> Self:
        config, header = snapshot.config, snapshot.header or {}
        if cls is Bolt and not config.algorithm.startswith("bolt"):
            raise saved_record.OtherAlgorithmError(
                f"{path} is of {config.algorithm}; load it with bolt_core.OnlineOptimizer.load"
            )
        opt = cls(
            [(low, high) for low, high in header["bounds"]],
            algorithm=config.algorithm,
            minimize=header["minimize"],
            seed=config.seed,
            warmup=config.warmup,
            engine=config.engine.name,
            acquisition=config.engine.acquisition,
            name=header["label"],
            **{**config.options, **config.params},  # type: ignore[arg-type]
        )
        saved_record.rehearse(opt._inner.config, opt._inner.problem, state, snapshot.records)
        opt._inner.resume(state, snapshot.records)
        opt._timeline.restore(state["timeline"])
        opt._at = state["at"]
        return opt

    @property
    def _newest(self) -> float:
        return max((o.t for o in self.dataset), default=self._at)

    @property
    def _sign(self) -> float:
        return -1.0 if self.minimize else 1.0

    def _surrogate(self, now: float) -> Surrogate:
        optimizer = self._inner.optimizer
        surrogate = optimizer.surrogate(now) if isinstance(optimizer, GPOptimizer) else None
        if surrogate is None:
            raise ConfigError(
                f"nothing is learned yet: {len(self.dataset)} observations known, "
                f"{self._inner.config.warmup} are needed (and an algorithm with a surrogate)"
            )
        return surrogate

    def _header(self) -> dict[str, Any]:
        """Return the fields about the problem for the header of the record."""
        return {
            "label": self.name,
            "dimension": self.box.dimension,
            "source": "a problem of your own",
            "bounds": self.box.pairs,
            "minimize": self.minimize,
            **self._inner.kernels,
        }


class Bolt(OnlineOptimizer):
    """BOLT on your own problem.

    bounds           (low, high) of each coordinate, in your units
    minimize         find the smallest value instead of the largest
    warmup           uniform queries before the first that BOLT chooses
    seed             of all random numbers
    engine           "exact" (fast) or "botorch"; acquisition: "ucb", "ei", "logei" or "pi"
    spatial_kernel, temporal_kernel   "matern12", "matern32", "matern52", "rbf" or "rq"
    name             of your problem in the record
    """


def make(algorithm: str, bounds: Sequence[tuple[float, float]], **options: Any) -> OnlineOptimizer:  # noqa: ANN401
    """Return an optimizer for any algorithm by its key; options and parameters as for `Bolt`."""
    return OnlineOptimizer(bounds, algorithm=algorithm, **options)


def _number(y: object) -> float:
    try:
        return float(y)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ConfigError(f"y must be a number, got {y!r}") from None
