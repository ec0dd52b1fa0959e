"""Read a log: the bytes of a CSV file to times, settings and outcomes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bolt_core.common.errors import ConfigError, DataError
from bolt_core.common.knobs import Real
from bolt_core.common.limits import MAX_VALUE
from bolt_core.common.text import counted, shortened
from bolt_core.common.types import Array
from bolt_core.logs.cells import is_missing
from bolt_core.logs.columns import Column, chosen_column, columns_of
from bolt_core.logs.date_and_time import with_joined_dates
from bolt_core.logs.equal_columns import equal_column_notes
from bolt_core.logs.guessing import DATE_WORDS, Overrides, guess_roles
from bolt_core.logs.headings import name_and_unit
from bolt_core.logs.knob_columns import Mask, coordinates, has_value, knob_of
from bolt_core.logs.line_lists import at_lines
from bolt_core.logs.log import Log, Roles
from bolt_core.logs.table import Table, read_table
from bolt_core.logs.text_encoding import MAX_BYTES, decode
from bolt_core.logs.time_cells import TimeKind, Times, times_of_numbers
from bolt_core.online.problem_spec import COLUMNS, ProblemSpec

USABLE_SHARE = 0.5  # of the rows; with fewer the file is refused
MIN_ROWS = 2


def read_log(data: bytes, name: str, given: Overrides | None = None) -> Log:
    """Return the log of a CSV file; roles that are not given are guessed.

    DataError if the file cannot be read, with the line; ConfigError if a role cannot be guessed.
    """
    text, notes = decode(data)
    table = with_joined_dates(read_table(text, notes))
    return log_of(table, name, hashlib.sha256(data).hexdigest(), given)


def read_log_file(path: Path, given: Overrides | None = None) -> Log:
    """Return the log of a file."""
    if path.is_dir():
        raise ConfigError(f"{path} is a folder; give a CSV file")
    if not path.is_file():
        raise ConfigError(f"there is no file {path}; give a CSV file")
    with path.open("rb") as file:
        return read_log(file.read(MAX_BYTES + 1), path.name, given)


def log_of(table: Table, name: str, sha256: str, given: Overrides | None = None) -> Log:
    """Return the log of a table."""
    columns = columns_of(table)
    roles, reasons = guess_roles(columns, given)
    notes = list(table.notes)
    outcome, knobs = chosen(columns, roles.outcome), [chosen(columns, k) for k in roles.knobs]
    times = _times(columns, roles, table)
    notes += times.notes
    usable = _usable(table, times, roles, [*knobs, outcome], notes)
    spec = _spec(knobs, outcome, usable, roles, name, notes)
    X = np.column_stack(
        [
            coordinates(knob_name, knob, column, usable)
            for (knob_name, knob), column in zip(spec.knobs.items(), knobs, strict=True)
        ]
    )
    if outcome.numbers is None:
        raise _not_numeric(outcome, table)
    y = outcome.numbers.values[usable]
    if float(np.ptp(y)) == 0:
        raise DataError(f"{outcome.heading!r} is {y[0]:g} in every usable row; nothing can be said")
    notes += equal_column_notes(knobs, y, usable, outcome.heading)
    lines = np.array(table.lines)[usable]
    kept = _in_order(times.seconds[usable], X, y, lines, notes)
    seconds = times.seconds[usable][kept]
    origin = datetime.fromtimestamp(float(seconds[0]), UTC) if times.dated else None
    return Log(
        name=shortened(name, 100),
        sha256=sha256,
        times=seconds - seconds[0],
        origin=origin,
        spec=spec,
        X=X[kept],
        y=y[kept],
        roles=roles,
        reasons=tuple(reasons),
        notes=tuple(notes),
        lines=tuple(lines[kept].tolist()),
    )


def chosen(columns: Sequence[Column], heading: str) -> Column:
    """Return the column with this whole heading."""
    return next(column for column in columns if column.heading == heading)


def _times(columns: Sequence[Column], roles: Roles, table: Table) -> Times:
    """Return the times of all rows; a DataError names a line that is none."""
    if roles.period is not None and not 0 < roles.period <= MAX_VALUE:
        raise ConfigError(f"the period must be a positive number of seconds, got {roles.period:g}")
    if roles.time is None:
        return Times(np.arange(float(len(table))) * float(roles.period or 1.0), TimeKind.ROW)
    column = chosen_column(columns, roles.time)
    if column.dates is not None:
        if roles.period is not None:
            raise ConfigError(
                f"{column.heading!r} holds dates, so a period is not needed; leave out --period, "
                "or give another column as the time"
            )
        return column.dates
    if column.numbers is not None:
        named = bool(column.words & DATE_WORDS)
        times = times_of_numbers(
            column.heading, column.numbers, dates_named=named, period=roles.period
        )
        if times is not None:
            return times
    row = next((k for k, cell in enumerate(column.cells) if not is_missing(cell)), 0)
    raise DataError(
        f"line {table.lines[row]}: {shortened(repr(column.cells[row]), 40)} in "
        f"{column.heading!r} is no time; write 2026-01-31 14:05:00 or seconds"
    )


def _usable(
    table: Table, times: Times, roles: Roles, columns: Sequence[Column], notes: list[str]
) -> Mask:
    """Return the rows with a time, every knob and the outcome; note the others."""
    usable = np.isfinite(times.seconds)
    if not usable.all() and roles.time is not None:
        cells = table.column(roles.time)
        _note_left_out(table, roles.time, cells, ~usable, "no time", notes)
    for column in columns:
        has = has_value(column)
        if not has.all():
            kind = "no number" if column.numbers is not None else "no value"
            _note_left_out(table, column.heading, column.cells, ~has & usable, kind, notes)
        usable &= has
    count = int(usable.sum())
    if count < max(MIN_ROWS, USABLE_SHARE * len(table)):
        first = table.lines[int(np.argmin(usable))] if not usable.all() else table.lines[0]
        raise DataError(
            f"line {first}: {count:,} of {counted(len(table), 'row')} can be used, the others lack "
            "a time, a knob or the outcome; complete them, or choose other columns"
        )
    return usable


def _note_left_out(
    table: Table, heading: str, cells: Sequence[str], which: Mask, kind: str, notes: list[str]
) -> None:
    rows = np.flatnonzero(which).tolist()
    if not rows:
        return
    texts = [row for row in rows if not is_missing(cells[row])]
    example = ""
    if texts:
        cell = shortened(repr(cells[texts[0]]), 40)
        example = f"; line {table.lines[texts[0]]} has {cell}"
    lines = [table.lines[row] for row in rows]
    notes.append(
        f"{counted(len(rows), 'row')} left out, {kind} in {heading!r}: {at_lines(lines)}{example}."
    )


def _spec(
    knobs: Sequence[Column],
    outcome: Column,
    usable: Mask,
    roles: Roles,
    name: str,
    notes: list[str],
) -> ProblemSpec:
    """Return the problem of the columns; short names where they differ."""
    headings = [*(c.heading for c in knobs), outcome.heading]
    short = [name_and_unit(heading)[0] for heading in headings]
    names = [s if short.count(s) == 1 else h for s, h in zip(short, headings, strict=True)]
    for k, taken in enumerate(names):
        if taken in COLUMNS:
            names[k] = f"{taken}_"
            notes.append(f"{taken!r} is called {names[k]!r}: the name is taken by a log's column.")
    declared = {
        knob_name: knob_of(column, usable)
        for knob_name, column in zip(names[:-1], knobs, strict=True)
    }
    notes.extend(
        f"{knob_name!r} has a logarithmic scale: its values reach from {knob.low:g} to "
        f"{knob.high:g}, and nine of ten of them span two decades or more."
        for knob_name, knob in declared.items()
        if isinstance(knob, Real) and knob.scale == "log"
    )
    title = Path(name).stem or "log"
    title = "".join(c if c.isprintable() else " " for c in shortened(title, 100)).strip() or "log"
    return ProblemSpec(declared, names[-1], roles.maximize, outcome.unit, title)


def _in_order(t: Array, X: Array, y: Array, lines: Array, notes: list[str]) -> Array:
    """Return the rows to keep, in time order, without repeated rows; note what was done."""
    backwards = np.flatnonzero(np.diff(t) < 0)
    order = np.argsort(t, kind="stable")
    if len(backwards):
        at = at_lines([int(lines[k + 1]) for k in backwards])
        notes.append(f"Rows are not in time order and were sorted; time goes back at {at}.")
    t, Z = t[order], np.column_stack([X, y])[order]
    same_time = np.flatnonzero(np.diff(t) == 0) + 1
    repeated = {k for k in same_time.tolist() if np.array_equal(Z[k], Z[k - 1])}
    if repeated:
        at = at_lines(sorted(int(lines[order[k]]) for k in repeated))
        notes.append(f"{counted(len(repeated), 'repeated row')} left out: {at}.")
    shared = [k for k in same_time.tolist() if k not in repeated]
    if shared:
        at = at_lines(sorted(int(lines[order[k]]) for k in shared))
        notes.append(f"{counted(len(shared), 'row')} at the time of another row, kept: {at}.")
    kept = np.array([row for k, row in enumerate(order.tolist()) if k not in repeated])
    if len(kept) < MIN_ROWS or t[-1] == t[0]:
        raise DataError(f"line {int(lines[0])}: all rows have the same time; check the time column")
    return kept


def _not_numeric(outcome: Column, table: Table) -> DataError:
    row = next((k for k, cell in enumerate(outcome.cells) if not is_missing(cell)), 0)
    cell = shortened(repr(outcome.cells[row]), 40)
    return DataError(
        f"line {table.lines[row]}: the outcome {outcome.heading!r} has {cell}, which is no number; "
        "write numbers without units"
    )
