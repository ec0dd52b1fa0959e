"""A run so far, as columns. A live thread, a file and a campaign all give this one type.

`RunHistory` is written by one thread and only ever grows: arrays are filled ahead of a published
length, and replaced (never resized in place) when they are full. So a `RunSnapshot` is one
reference and one number, costs the reader nothing and needs no lock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.types import (
    Array,
    Hyperparameters,
    IterationRecord,
    Observation,
    RunConfig,
    RunStatus,
    SpeedChange,
)

if TYPE_CHECKING:
    import pandas as pd

THETA = ("signal_variance", "lengthscale_space", "lengthscale_time", "noise_variance")
PASS = ("i", "t", "y", "value", "best", "n", "seconds", "waited", "warmup", "n_star")
SCALARS = (*PASS, *THETA)
POINTS = ("x", "best_x")
FIRST_CAPACITY = 256

Rows = NDArray[np.intp]


class RunHistory:
    """The append-only columns of one run. One writer, any number of readers."""

    def __init__(self, dimension: int) -> None:
        self._table = np.empty((len(SCALARS), FIRST_CAPACITY))
        self._points = np.empty((len(POINTS), FIRST_CAPACITY, dimension))
        self._removed: list[tuple[int, ...]] = []
        self._notes: list[Mapping[str, Any]] = []
        self._length = 0

    @classmethod
    def of(cls, columns: Columns) -> RunHistory:
        """A history that goes on from these columns."""
        history = cls(columns.points.shape[2])
        while history._table.shape[1] <= columns.length:
            history._length = history._table.shape[1]
            history._grow()
        at = history._length = columns.length
        history._table[:, :at], history._points[:, :at] = columns.table, columns.points
        history._removed = list(columns.removed[:at])
        history._notes = list(columns.notes[:at])
        return history

    @property
    def length(self) -> int:
        return self._length

    def append(self, record: IterationRecord) -> None:
        at = self._length
        if at == self._table.shape[1]:
            self._grow()
        o, theta = record.observation, record.theta
        learned = [_number(getattr(theta, name, None)) for name in THETA]
        self._table[:, at] = [
            o.i, o.t, o.y, record.value, record.best, record.n, record.seconds, record.waited,
            record.warmup, _number(record.n_star), *learned,
        ]  # fmt: skip
        self._points[0, at], self._points[1, at] = o.x, record.best_x
        self._removed.append(record.removed)
        self._notes.append(record.notes)
        self._length = at + 1  # published last: a reader never sees a half-written row

    def _grow(self) -> None:
        """Twice the room. Filled before it is published: a reader may look at any moment."""
        full = self._length
        table = np.empty((len(SCALARS), 2 * full))
        places = np.empty((len(POINTS), 2 * full, self._points.shape[2]))
        table[:, :full], places[:, :full] = self._table, self._points
        self._table, self._points = table, places

    def view(self) -> Columns:
        """What is there now; later rows do not show in it."""
        length = self._length  # read before the arrays: they hold at least this much
        table, places = self._table[:, :length], self._points[:, :length]
        table.flags.writeable = places.flags.writeable = False
        return Columns(length, table, places, self._removed, self._notes)


@dataclass(frozen=True, slots=True)
class Columns:
    """Read-only views of a history, up to a length."""

    length: int
    table: Array  # (len(SCALARS), length)
    points: Array  # (2, length, d)
    removed: Sequence[tuple[int, ...]]  # may be longer: look no further than `length`
    notes: Sequence[Mapping[str, Any]]
    _left: list[tuple[Rows, Rows]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def __getitem__(self, name: str) -> Array:
        """One column: a name of SCALARS, `x`, `best_x` or `regret`."""
        column: Array
        if name == "regret":
            column = self["best"] - self["value"]
        elif name in POINTS:
            column = self.points[POINTS.index(name)]
        else:
            column = self.table[SCALARS.index(name)]
        return column

    def ends(self) -> Array:
        """When each pass was over, on the run's own clock: never before its observation."""
        ends: Array = np.maximum(self["t"] - self["waited"] + self["seconds"], self["t"])
        return ends

    def completed_passes(self, t: float) -> int:
        """How many passes were over at time t; one told out of order waits for those before it."""
        over = np.maximum.accumulate(self.ends())
        return int(np.searchsorted(over, t, side="right"))

    def removals(self, upto: int | None = None) -> tuple[Rows, Rows]:
        """Who left D in the first `upto` passes, in order: their ids, and in which row each did."""
        if not self._left:  # counted once: several charts ask
            told = self.removed[: self.length]
            counts = np.fromiter(map(len, told), dtype=np.intp, count=len(told))
            flat = chain.from_iterable(told)
            ids = np.fromiter(flat, dtype=np.intp, count=int(counts.sum()))
            self._left.append((ids, np.repeat(np.arange(len(told)), counts)))
        ids, rows = self._left[0]
        cut = len(ids) if upto is None else int(np.searchsorted(rows, upto))
        return ids[:cut], rows[:cut]

    def upto(self, length: int) -> Columns:
        """The first `length` rows: views, no copies."""
        table, places = self.table[:, :length], self.points[:, :length]
        return Columns(min(length, self.length), table, places, self.removed, self.notes)

    def record(self, row: int) -> IterationRecord:
        cell = dict(zip(SCALARS, self.table[:, row].tolist(), strict=True))
        learned = {name: _optional(cell[name]) for name in THETA}
        n_star = _optional(cell["n_star"])
        return IterationRecord(
            observation=Observation(
                int(cell["i"]), tuple(self.points[0, row].tolist()), cell["t"], cell["y"]
            ),
            value=cell["value"],
            best=cell["best"],
            best_x=tuple(self.points[1, row].tolist()),
            n=int(cell["n"]),
            seconds=cell["seconds"],
            warmup=bool(cell["warmup"]),
            waited=cell["waited"],
            theta=Hyperparameters(**learned) if learned[THETA[0]] is not None else None,  # type: ignore[arg-type]
            n_star=None if n_star is None else int(n_star),
            removed=self.removed[row],
            notes=self.notes[row],
        )


class Records(Sequence[IterationRecord]):
    """The rows of a snapshot as records, made when looked at."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns

    def __len__(self) -> int:
        return self._columns.length

    @overload
    def __getitem__(self, row: int) -> IterationRecord: ...
    @overload
    def __getitem__(self, row: slice) -> list[IterationRecord]: ...
    def __getitem__(self, row: int | slice) -> IterationRecord | list[IterationRecord]:
        rows = range(len(self))[row]
        if isinstance(rows, int):
            return self._columns.record(rows)
        return [self._columns.record(i) for i in rows]

    def __iter__(self) -> Iterator[IterationRecord]:
        return (self._columns.record(i) for i in range(len(self)))


@dataclass(frozen=True, slots=True)
class RunSnapshot:
    """A run so far. Nothing in it changes; take another to see more."""

    config: RunConfig
    status: RunStatus
    columns: Columns
    error: str | None = None
    run_id: str = ""
    header: Mapping[str, Any] | None = None  # where and by what it was made
    speeds: tuple[SpeedChange, ...] = ()  # of the device, in order

    def __len__(self) -> int:
        return self.columns.length

    def upto(self, length: int) -> RunSnapshot:
        """As it was after its first `length` passes: under way, unless that is all of it."""
        if length >= len(self):
            return self
        length = max(length, 0)
        return replace(
            self,
            status=RunStatus.RUNNING,
            columns=self.columns.upto(length),
            error=None,
            speeds=tuple(change for change in self.speeds if change.i <= length),
        )

    def at(self, t: float) -> RunSnapshot:
        """As it was when its own clock read t: the passes that were over by then."""
        return self.upto(self.columns.completed_passes(t))

    def seconds_now(self) -> Array:
        """R(n) of each pass as the device would take it at its present speed.

        R(0) and waiting are what they are on any device; the rest is scaled at each change.
        """
        seconds = self.columns["seconds"]
        if not self.speeds:
            return seconds
        least = float((self.header or {}).get("cost", 0.0)) + self.columns["waited"]
        thinking = np.maximum(seconds - least, 0.0)
        for change in self.speeds:
            thinking[: change.i] *= change.ratio
        scaled: Array = least + thinking
        return scaled

    @property
    def records(self) -> Records:
        return Records(self.columns)

    def sizes(self) -> Array:
        """Return the dataset size |D| after each pass: observations made minus those removed."""
        removed = np.bincount(self.columns.removals()[1], minlength=len(self))
        sizes: Array = np.arange(1.0, len(self) + 1) - np.cumsum(removed, dtype=float)
        return sizes

    def members(self, upto: int | None = None) -> list[int]:
        """The ids in D after iteration `upto`, replayed from additions and removals."""
        last = len(self) if upto is None else min(upto + 1, len(self))
        ids = self.columns["i"][:last].astype(int)
        kept: list[int] = ids[~np.isin(ids, self.columns.removals(last)[0])].tolist()
        return kept

    def to_frame(self) -> pd.DataFrame:
        """One row an iteration: scalars, x_1 .. x_d, x*_1 .. x*_d, regret, |D| after, removed."""
        import pandas as pd

        columns: dict[str, Any] = {name: self.columns[name] for name in SCALARS}
        columns["i"], columns["n"] = columns["i"].astype(int), columns["n"].astype(int)
        columns["warmup"] = columns["warmup"].astype(bool)
        columns |= {"regret": self.columns["regret"], "size": self.sizes().astype(int)}
        for name in POINTS:
            columns |= {f"{name}_{k + 1}": c for k, c in enumerate(self.columns[name].T)}
        columns["removed"] = list(self.columns.removed[: len(self)])
        return pd.DataFrame(columns)


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)


def _optional(value: float) -> float | None:
    return None if np.isnan(value) else value
