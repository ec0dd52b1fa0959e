"""Optimizers for your own problem: ask for the next setting, tell its result.

    opt = Bolt({"feed": Real(0, 8, unit="l/min"), "stages": Integer(1, 6)}, maximize="yield")
    setting = opt.ask()               # {"feed": 3.2, "stages": 4}; now, or ask(t) at your own time
    opt.tell(setting, None, 71.3)     # None: now, or the time of the ask if you give times

    opt = Bolt(bounds=[(0, 1), (-5, 5)])    # arrays instead of names
    x = opt.ask()
    opt.tell(x, opt.at, y)

Times are seconds, or datetimes (counted from the first one); without a time, real time since the
optimizer was created. R(n) is the time from one `ask` to the next and includes the measurement.
Settings are random until `warmup` observations have been told.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from bolt_core.common import runtime
from bolt_core.common.errors import ConfigError, StateError
from bolt_core.common.types import ClockConfig, EngineConfig, Problem, RunConfig, Scalar
from bolt_core.online import saving
from bolt_core.online.answers import Answers
from bolt_core.online.ask_tell import AskTell
from bolt_core.online.asking import next_setting
from bolt_core.online.caller_time import Time, Timeline
from bolt_core.online.correction import correct
from bolt_core.online.declaration import Bounds, declared
from bolt_core.online.journal import LOCK_WAIT_SECONDS, Journal
from bolt_core.online.pending import PendingAsks
from bolt_core.online.problem_change import change_problem
from bolt_core.online.problem_spec import ProblemSpec
from bolt_core.online.range_change import changed_knob
from bolt_core.online.saved_record import UNDO_DEPTH
from bolt_core.online.telling import tell_rows
from bolt_core.online.thinking_time import ThinkingTime
from bolt_core.online.views import Views

BENCHMARK_KEY = "your-problem"  # in place of a benchmark in the record


class OnlineOptimizer(Views):
    """One algorithm on your own problem. `make` builds any algorithm, `Bolt` is BOLT."""

    def __init__(
        self,
        bounds: Bounds,
        *,
        algorithm: str | None = None,
        maximize: str | None = None,
        minimize: str | bool = False,
        unit: str | None = None,
        seed: int | None = None,
        warmup: int | None = None,
        engine: str = "exact",
        acquisition: str = "ucb",
        ard: bool = False,
        spatial_kernel: str = "matern52",
        temporal_kernel: str = "matern32",
        name: str | None = None,
        think_within: float | None = None,
        journal: str | Path | None = None,
        clock: Callable[[], float] = time.perf_counter,
        **params: Scalar,
    ) -> None:
        runtime.configure()
        options: dict[str, Any] = {"algorithm": algorithm, "seed": seed, "warmup": warmup}
        options |= {"name": name, "unit": unit, "think_within": think_within}
        self.spec, self.space, chosen = declared(bounds, maximize, minimize, options)
        self.name, self.minimize = chosen["name"], chosen["minimize"]
        self.think_within: float | None = chosen["think_within"]
        self.max_think_seconds: float | None = None  # a server limits what a problem may ask for
        self._check_algorithm(chosen["algorithm"])
        config = RunConfig(
            algorithm=chosen["algorithm"],
            benchmark=BENCHMARK_KEY,
            seed=chosen["seed"],
            warmup=chosen["warmup"],
            clock=ClockConfig("wall"),
            engine=EngineConfig(engine, acquisition, ard),
            params=params,
            options={"spatial_kernel": spatial_kernel, "temporal_kernel": temporal_kernel},
        )
        bounded = (self.spec, self.think_within, journal) != (None, None, None)
        self._inner = AskTell(config, self._problem(config), bounded=bounded)
        self._timeline = Timeline()
        self._at = 0.0
        self._pending, self._answers = PendingAsks(), Answers()
        self._tells = 0
        self._undo: deque[Mapping[str, Any]] = deque(maxlen=UNDO_DEPTH)
        self._clock, self._thinking, self._thought = clock, ThinkingTime(), 0.0
        self._journal: Journal | None = None
        if journal is not None:
            saving.begin_journal(self, Path(journal))

    def ask(self, t: Time = None) -> Any:  # noqa: ANN401 - a dict of knobs, or an array for bounds
        """Return the next setting at time t, in your units; `at` is its time, `last_id` its number.

        A setting without a result yet is pending: it counts as observed at its mean. Each knob with
        a max_step stays within it of `last_setting`.
        """
        return next_setting(self, t)

    def tell(
        self,
        x: Any,  # noqa: ANN401
        t: Time,
        y: float,
        *,
        id: int | str | None = None,  # noqa: A002
        key: str | None = None,
    ) -> None:
        """Add the observation y at x and time t; a y that is not finite has failed.

        With t = None the time is now if you give no times at all. If you give seconds or datetimes,
        it is the time of the ask that is answered, and a result that was not asked for needs t.
        x need not have been asked for, and t may be before the start: D is kept in time order. With
        `id`, the number of an ask, x may be None for the setting of that ask. A tell with an `id`
        that was told already is ignored, so that it may be repeated after a crash; instead of a
        number, `id` may be a text of your own, and beside a number `key` may be one.
        """
        tell_rows(self, [(x, t, y, id, key)])

    def tell_all(
        self,
        xs: Sequence[Any],
        ts: Sequence[Time],
        ys: Sequence[float],
        *,
        ids: Sequence[int | str | None] | None = None,
    ) -> None:
        """Add several observations with one inference at the end, for data you have already.

        If there are more than thinking time allows, the newest and an even selection of the others
        are learned from; all of them are in the log.
        """
        ids = [None] * len(xs) if ids is None else ids
        if not len(xs) == len(ts) == len(ys) == len(ids):
            raise ConfigError(
                f"got {len(xs)} x, {len(ts)} t and {len(ys)} y; give the same number of each"
            )
        keys = [None] * len(xs)
        tell_rows(self, list(zip(xs, ts, ys, ids, keys, strict=True)))

    def was_told(self, id: int | str, y: float) -> bool:  # noqa: A002
        """Whether the ask or key was told this y; a ConflictError if it was told another value."""
        return self._answers.has(id, self._sign * y, self._sign)

    def withdraw(self, id: int | None = None) -> None:  # noqa: A002
        """Forget a pending ask that will have no result: by its number, or the newest."""
        ask = self._pending.newest if id is None else self._pending.get(id)
        if ask is None:
            raise ConfigError("no ask is pending" if id is None else f"ask {id} is not pending")
        self._pending.remove(ask.id)
        saving.after_ask(self, None)

    def undo(self) -> None:
        """Take back the last tell, and asks after it; the ask that it answered is pending again.

        Up to 20 tells can be taken back, one after another, but none from before a `change`.
        """
        if not self._undo:
            raise StateError("there is no tell to take back (20 are kept, none before a change)")
        saving.take_back(self, self._undo.pop())

    def correct(self, row: int, y: float) -> None:
        """Correct the value of row `row` of the log; a y that is not finite has failed.

        It is learned from anew; what was chosen meanwhile stays as it was.
        """
        correct(self, row, y)

    def change(self, knob: str, **changes: Any) -> None:  # noqa: ANN401 - checked by the knob
        """Change the range, unit or max_step of a knob while running, such as high=6.

        Observations outside the new range stay in the dataset, and are still learned from.
        """
        if self.spec is None:
            raise ConfigError("plain bounds cannot change; declare knobs with names instead")
        new = changed_knob(knob, self.spec.knobs, changes)
        change_problem(self, replace(self.spec, knobs={**self.spec.knobs, knob: new}))

    def save(self, path: str | Path) -> None:
        """Save everything as a record, which `load` continues exactly and the Runs page imports."""
        saving.save(self, Path(path))

    @property
    def can_undo(self) -> bool:
        """Whether there is a tell to take back."""
        return bool(self._undo)

    @property
    def dropped_bytes(self) -> int:
        """The bytes after the last complete state of the journal, cut when it was opened."""
        return 0 if self._journal is None else self._journal.dropped_bytes

    def close(self) -> None:
        """Sync and release the journal, if there is one."""
        if self._journal is not None:
            self._journal.close()

    def abandon(self) -> None:
        """Release the journal as it is on disk, without what could not be written."""
        if self._journal is not None:
            self._journal.abandon()

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the optimizer that `save` or a journal wrote; RecordError if it is damaged."""
        return saving.load(cls, Path(path))

    @classmethod
    def open(cls, path: str | Path, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> Self:
        """Continue a journal, or a file of `save`, and go on writing to it.

        In real time, the time that has passed meanwhile counts: the plant went on. A RecordError if
        another process still uses the file after `wait_seconds`.
        """
        return saving.open_journal(cls, Path(path), wait_seconds)

    @classmethod
    def from_toml(cls, path: str | Path, **options: Any) -> Self:  # noqa: ANN401 - as in __init__
        """Return an optimizer for the problem of a TOML file."""
        return cls(ProblemSpec.from_toml(path), **options)

    @classmethod
    def from_vocs(cls, source: Any, **options: Any) -> Self:  # noqa: ANN401
        """Return an optimizer for a VOCS: gest-api's object, a dict, or the path of a file."""
        return cls(ProblemSpec.from_vocs(source), **options)

    def _problem(self, config: RunConfig) -> Problem:
        domain = None if self.spec is None else self.spec.domain
        spatial, temporal = (str(config.options[f"{k}_kernel"]) for k in ("spatial", "temporal"))
        return Problem(self.space.dimension, spatial, temporal, domain)

    @classmethod
    def _check_algorithm(cls, algorithm: str) -> None:
        """Refuse an algorithm that this class does not stand for."""

    def _header(self) -> dict[str, Any]:
        """Return the fields about the problem for the header of the record."""
        return saving.header_of(self)


class Bolt(OnlineOptimizer):
    """BOLT on your own problem.

    bounds           knobs by name, a ProblemSpec, or (low, high) of each coordinate
    maximize, minimize   the name of the outcome; minimize=True for plain bounds
    unit             of the outcome
    warmup           random settings before the first that BOLT chooses
    seed             of all random numbers
    engine           "exact" (fast) or "botorch"; acquisition: "ucb", "ei", "logei" or "pi"
    ard              one lengthscale per knob instead of one for all
    spatial_kernel, temporal_kernel   "matern12", "matern32", "matern52", "rbf" or "rq"
    name             of your problem in the record
    think_within     seconds that a tell and an ask may take together, 99 times in 100; see `status`
    journal          a file that holds everything at all times; it is continued if it exists
    clock            of thinking time, in seconds
    """

    @classmethod
    def _check_algorithm(cls, algorithm: str) -> None:
        if not algorithm.startswith("bolt"):
            raise ConfigError(
                f"Bolt is not {algorithm}; use bolt_core.OnlineOptimizer for other algorithms"
            )


def make(algorithm: str, bounds: Bounds, **options: Any) -> OnlineOptimizer:  # noqa: ANN401
    """Return an optimizer for any algorithm by its key; options and parameters as for `Bolt`."""
    return OnlineOptimizer(bounds, algorithm=algorithm, **options)
