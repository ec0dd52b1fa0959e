"""The state of a run as columns: one type for live runs, record files and campaigns.

One thread appends to a `RunHistory`, which only grows: arrays are filled ahead of a published
length, and replaced (never resized in place) when they are full. A `RunSnapshot` is therefore a
reference and a length; taking one copies nothing and needs no lock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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
from bolt_core.runs.data_frame import frame_of
from bolt_core.runs.lengthscale_column import LengthscaleColumn
from bolt_core.runs.record_fields import (
    COLUMNS,
    OBSERVATION,
    POINTS,
    SCALARS,
    THETA,
    UNKNOWN_THETA,
    read_pass,
    read_points,
    read_theta_cells,
)

if TYPE_CHECKING:
    import pandas as pd

FIRST_CAPACITY = 256  # passes
ROUNDING_SECONDS = 1e-9  # a pass that ends with the moment counts, whatever its last digits are
TABLE_ROWS = {name: row for row, name in enumerate((*SCALARS, "size"))}
SCALE_ROW = TABLE_ROWS["lengthscale_space"]
Rows = NDArray[np.intp]


class RunHistory:
    """The append-only columns of one run. One writer, any number of readers."""

    def __init__(self, dimension: int) -> None:
        self._table = np.empty((len(TABLE_ROWS), FIRST_CAPACITY))
        self._points = np.empty((len(POINTS), FIRST_CAPACITY, dimension))
        self._scales = LengthscaleColumn()
        self._removed: list[tuple[int, ...]] = []
        self._notes: list[Mapping[str, Any]] = []
        self._length = 0

    @classmethod
    def of(cls, columns: Columns) -> RunHistory:
        """Return a history that continues after these columns."""
        history = cls(columns.points.shape[2])
        while history._table.shape[1] <= columns.length:
            history._length = history._table.shape[1]
            history._grow()
        at = history._length = columns.length
        history._table[:, :at], history._points[:, :at] = columns.table, columns.points
        history._scales = LengthscaleColumn(columns.scales)
        history._removed = list(columns.removed[:at])
        history._notes = list(columns.notes[:at])
        return history

    @property
    def length(self) -> int:
        """Passes so far."""
        return self._length

    def append(self, record: IterationRecord) -> None:
        """Add one pass; called once per pass of every live run, so it must be fast."""
        at = self._length
        if at == self._table.shape[1]:
            self._grow()
        theta = UNKNOWN_THETA if record.theta is None else read_theta_cells(record.theta)
        size = (self._table[-1, at - 1] if at else 0.0) + 1.0 - len(record.removed)
        self._table[:, at] = (*read_pass(record), *theta, size)  # None becomes NaN
        self._points[:, at] = read_points(record)
        self._scales.append(record.theta, self._table[SCALE_ROW, :at], self._points.shape[2])
        self._removed.append(record.removed)
        self._notes.append(record.notes)
        self._length = at + 1  # published last, so that a reader never sees a half-written row

    def _grow(self) -> None:
        """Double the capacity; the new arrays are filled before readers can see them."""
        full = self._length
        table = np.empty((len(TABLE_ROWS), 2 * full))
        places = np.empty((len(POINTS), 2 * full, self._points.shape[2]))
        table[:, :full], places[:, :full] = self._table, self._points
        self._table, self._points = table, places

    def view(self) -> Columns:
        """Return the present rows, read-only; rows appended later are not part of it."""
        length = self._length  # read before the arrays, which hold at least this many rows
        table, places = self._table[:, :length], self._points[:, :length]
        table.flags.writeable = places.flags.writeable = False
        scales = self._scales.view(length)
        return Columns(length, table, places, self._removed, self._notes, scales)


@dataclass(frozen=True)
class Columns:
    """The first `length` rows of a history, as read-only views."""

    length: int
    table: Array  # (len(TABLE_ROWS), length)
    points: Array  # (len(POINTS), length, d)
    removed: Sequence[tuple[int, ...]]  # may be longer than `length`
    notes: Sequence[Mapping[str, Any]]
    scales: Array | None = None  # (length, d): l_S per knob, of which the column has the mean

    def __getitem__(self, name: str) -> Array:
        """Return one column: a name of SCALARS or POINTS, `regret`, or `size`: |D| after a pass."""
        column: Array
        if name == "regret":
            column = self["best"] - self["value"]
        elif name in POINTS:
            column = self.points[POINTS.index(name)]
        else:
            column = self.table[TABLE_ROWS[name]]
        return column

    def ends(self) -> Array:
        """Return the end of each pass in seconds on the run's clock; not before its query.

        A pass of unknown length ends with its query.
        """
        return self._ends

    @cached_property
    def _ends(self) -> Array:  # computed once per view, because several charts need it
        return np.fmax(self["t"] - self["waited"] + self["seconds"], self["t"])

    def completed_passes(self, t: float) -> int:
        """Return how many passes had ended at time t, counting up to the first that had not."""
        ends = np.maximum.accumulate(self.ends())
        return int(np.searchsorted(ends, t, side="right"))

    def removals(self, upto: int | None = None) -> tuple[Rows, Rows]:
        """Return the ids removed in the first `upto` passes, and the row of each removal."""
        ids, rows = self._removals
        cut = len(ids) if upto is None else int(np.searchsorted(rows, upto))
        return ids[:cut], rows[:cut]

    @cached_property
    def _removals(self) -> tuple[Rows, Rows]:
        counts = self.removed_counts()
        flat = chain.from_iterable(self.removed[: self.length])
        ids = np.fromiter(flat, dtype=np.intp, count=int(counts.sum()))
        return ids, np.repeat(np.arange(self.length), counts)

    def removed_counts(self) -> Rows:
        """Return how many observations each pass removed."""
        return 1 - np.diff(self["size"], prepend=0.0).astype(np.intp)

    def upto(self, length: int) -> Columns:
        """Return the first `length` rows, without copying."""
        table, places = self.table[:, :length], self.points[:, :length]
        scales = None if self.scales is None else self.scales[:length]
        return Columns(min(length, self.length), table, places, self.removed, self.notes, scales)

    def record(self, row: int) -> IterationRecord:
        """Return one pass as a record."""
        cells = self.table[: len(COLUMNS), row].tolist()
        values: dict[str, Any] = {c.name: c.parse(x) for c, x in zip(COLUMNS, cells, strict=True)}
        values |= zip(POINTS, map(tuple, self.points[:, row].tolist()), strict=True)
        theta = {name: values.pop(name) for name in THETA}
        if self.scales is not None:
            theta["lengthscale_space"] = tuple(self.scales[row].tolist())
        return IterationRecord(
            observation=Observation(**{name: values.pop(name) for name in OBSERVATION}),
            theta=None if theta["signal_variance"] is None else Hyperparameters(**theta),
            removed=self.removed[row],
            notes=self.notes[row],
            **values,
        )


class Records(Sequence[IterationRecord]):
    """The rows of a snapshot as a sequence of records, each built on access."""

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
    """An immutable view of a run up to now; a later one has to be taken to see later passes."""

    config: RunConfig
    status: RunStatus
    columns: Columns
    error: str | None = None
    run_id: str = ""
    header: Mapping[str, Any] | None = None  # of its record: benchmark, machine, versions
    speeds: tuple[SpeedChange, ...] = ()  # changes of the device's speed, in order
    moment: float | None = None  # seconds on its clock up to which it is shown; None: all of it
    race: str = ""  # the name of its race among races that are compared
    contention: float | None = None  # cpu clock: real seconds per CPU second; None: not noted

    def __len__(self) -> int:
        return self.columns.length

    def upto(self, length: int) -> RunSnapshot:
        """Return the run as it was after `length` passes: running, unless these are all passes."""
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
        """Return the run as it was at time t of its clock, with the passes ended by then."""
        return self.upto(self.columns.completed_passes(t))

    def shown_until(self, t: float) -> RunSnapshot:
        """Return the run as a chart of all lanes shows it at time t, with the status that it has.

        The last pass of a run that has finished may end after its horizon and is shown all the
        same. A run that fails later than t has not failed yet.
        """
        horizon = (self.header or {}).get("horizon") or 0.0
        whole = self.status == RunStatus.FINISHED and t >= horizon
        then = self if whole else self.at(t + ROUNDING_SECONDS)
        fails_later = self.status == RunStatus.FAILED and len(then) < len(self)
        status = RunStatus.RUNNING if fails_later else self.status
        return replace(then, status=status, error=then.error, moment=t)

    def seconds_now(self) -> Array:
        """Return R(n) of each pass in seconds, scaled to the present speed of the device.

        R(0) and waiting do not depend on the device; the rest is scaled at each speed change.
        """
        seconds = self.columns["seconds"]
        if not self.speeds:
            return seconds
        fixed = float((self.header or {}).get("cost", 0.0)) + self.columns["waited"]
        computing = np.maximum(seconds - fixed, 0.0)
        for change in self.speeds:
            computing[: change.i] *= change.ratio
        scaled: Array = fixed + computing
        return scaled

    @property
    def records(self) -> Records:
        """The passes as records."""
        return Records(self.columns)

    @property
    def end(self) -> float:
        """The end of the last pass, in seconds on the run's clock; 0 before the first."""
        return float(self.columns.ends()[-1]) if len(self) else 0.0

    def sizes(self) -> Array:
        """Return the dataset size |D| after each pass: observations made minus those removed."""
        return self.columns["size"]

    def members(self, upto: int | None = None) -> list[int]:
        """Return the ids in D after iteration `upto` (default: the last), in order."""
        last = len(self) if upto is None else min(upto + 1, len(self))
        ids = self.columns["i"][:last].astype(int)
        kept: list[int] = ids[~np.isin(ids, self.columns.removals(last)[0])].tolist()
        return kept

    def to_frame(self) -> pd.DataFrame:
        """Return the passes as a data frame: see `runs/data_frame`."""
        return frame_of(self.columns)
