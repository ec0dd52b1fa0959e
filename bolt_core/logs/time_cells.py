"""Cells of a column as times: ISO and other dates, epoch numbers, spreadsheet dates, durations."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import islice

import numpy as np

from bolt_core.common.errors import DataError
from bolt_core.common.types import Array
from bolt_core.logs.cells import Numbers, is_missing
from bolt_core.logs.headings import name_and_unit

SAMPLE_CELLS = 20  # the first ones say whether a column may hold dates
TIME_SHARE = 0.5  # of the cells that are not missing: a column of times
SPREADSHEET_ORIGIN = datetime(1899, 12, 30, tzinfo=UTC)
SERIAL_DAYS = (20_000.0, 80_000.0)  # 1954 to 2119
EPOCHS = (  # (lowest, highest, per second): all of them are years 1973 to 2286
    (1e8, 1e10, 1.0, "seconds"),
    (1e11, 1e13, 1e3, "milliseconds"),
    (1e14, 1e16, 1e6, "microseconds"),
    (1e17, 1e19, 1e9, "nanoseconds"),
)
UNITS = {  # of a duration, in seconds
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), 1e-3),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86_400.0),
}
DATED = re.compile(
    r"(?P<a>\d{1,4})(?P<sign>[-./])(?P<b>\d{1,2})(?P=sign)(?P<c>\d{1,4})"
    r"(?:[ T,]+(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}(?:[.,]\d+)?))?"
    r"\s*(?P<half>[AaPp][Mm])?)?"
)


class TimeKind(StrEnum):
    """How a column tells the time."""

    ISO = "ISO dates"
    DATES = "dates"
    EPOCH = "seconds since 1970"
    SERIAL = "spreadsheet dates (days since 1899-12-30)"
    DURATION = "a duration"
    ROW = "row numbers"


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a column in seconds; since 1970 if the column has dates, NaN if not readable."""

    seconds: Array
    kind: TimeKind
    wrong: tuple[int, ...] = ()  # rows whose cell is no time
    notes: tuple[str, ...] = ()

    @property
    def dated(self) -> bool:
        """Whether seconds are counted from 1970."""
        return self.kind not in (TimeKind.DURATION, TimeKind.ROW)


def dates_of(cells: Sequence[str], lines: Sequence[int]) -> Times | None:
    """Return the times of a column of dates as text; None if most cells are none."""
    sample = list(islice((cell for cell in cells if not is_missing(cell)), SAMPLE_CELLS))
    is_iso = sum(_iso(cell) is not None for cell in sample) > TIME_SHARE * len(sample)
    is_date = sum(DATED.fullmatch(cell) is not None for cell in sample) > TIME_SHARE * len(sample)
    if not is_iso and not is_date:
        return None
    present = [k for k, cell in enumerate(cells) if not is_missing(cell)]
    if is_iso:
        return _dated(cells, present, lines, _iso, TimeKind.ISO)
    order = _date_order([cells[k] for k in present], [lines[k] for k in present])
    return _dated(cells, present, lines, lambda cell: _date(cell, order), TimeKind.DATES)


def _dated(
    cells: Sequence[str],
    present: Sequence[int],
    lines: Sequence[int],
    parse: Callable[[str], datetime | None],
    kind: TimeKind,
) -> Times | None:
    seconds = np.full(len(cells), math.nan)
    wrong: list[int] = []
    zoned: list[int] = []
    naive: list[int] = []
    for k in present:
        moment = parse(cells[k])
        if moment is None:
            wrong.append(k)
            continue
        (naive if moment.tzinfo is None else zoned).append(k)
        seconds[k] = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if len(wrong) > TIME_SHARE * len(present):
        return None
    if zoned and naive:
        a, b = lines[zoned[0]], lines[naive[0]]
        raise DataError(
            f"line {max(a, b)}: {cells[zoned[0]]!r} (line {a}) has a time zone and "
            f"{cells[naive[0]]!r} (line {b}) has none; write all times alike"
        )
    notes = ("The times have no zone: they are read as UTC.",) if naive else ()
    return Times(seconds, kind, tuple(wrong), notes)


def _iso(cell: str) -> datetime | None:
    """Return an ISO date or time; a plain number is none, though 20240131 might be."""
    if "-" not in cell[1:]:
        return None
    try:
        return datetime.fromisoformat(cell)
    except ValueError:
        return None


def _date_order(cells: Sequence[str], lines: Sequence[int]) -> str:
    """Return the order of year, month and day: ymd, dmy or mdy."""
    first: int | None = None
    for cell, line in zip(cells, lines, strict=True):
        match = DATED.fullmatch(cell)
        if match is None:
            continue
        if len(match["a"]) == 4:
            return "ymd"
        if match["sign"] == "." or int(match["a"]) > 12:
            return "dmy"
        if int(match["b"]) > 12:
            return "mdy"
        first = first or line
    raise DataError(
        f"line {first}: in dates such as {cells[0]!r} day and month cannot be told apart; write "
        "them as 2026-01-31"
    )


def _date(cell: str, order: str) -> datetime | None:
    match = DATED.fullmatch(cell)
    if match is None:
        return None
    parts = dict(zip(order, (int(match[name]) for name in "abc"), strict=True))
    year = parts["y"] + (2000 if parts["y"] < 70 else 1900) if parts["y"] < 100 else parts["y"]
    hour = int(match["hour"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "pm" else 0)
    second = float((match["second"] or "0").replace(",", "."))
    try:
        day = datetime(year, parts["m"], parts["d"], hour, int(match["minute"] or 0))
    except ValueError:
        return None
    return day + timedelta(seconds=second)


def times_of_numbers(
    heading: str, numbers: Numbers, *, dates_named: bool, period: float | None = None
) -> Times | None:
    """Return the times of a column of numbers; None if they can be none.

    With `period`, the seconds of its unit, it is a duration. Otherwise values of the size of epoch
    times are these; values of the size of spreadsheet dates are dates if the column is called so,
    or if they have no unit and rise by less than a day per row; the rest is a duration.
    """
    values = numbers.values
    known = values[np.isfinite(values)]
    wrong = tuple(sorted({*numbers.wrong, *numbers.missing}))
    if not len(known):
        return None
    if period is not None:
        note = f"{heading!r} times {period:g} s is the time."
        return Times(values * period, TimeKind.DURATION, wrong, (note,))
    low, high = float(known.min()), float(known.max())
    unit = UNITS.get(name_and_unit(heading)[1].lower())
    for least, most, per_second, name in EPOCHS:
        if least <= low and high < most and unit in (None, 1.0, 1e-3):
            note = f"{heading!r} is read as {name} since 1970."
            return Times(values / per_second, TimeKind.EPOCH, wrong, (note,))
    if unit in (None, 86_400.0) and SERIAL_DAYS[0] <= low and high < SERIAL_DAYS[1]:
        steps = np.abs(np.diff(known))
        fine = len(steps) > 0 and 0 < float(np.median(steps)) < 1.0
        if dates_named or fine:
            note = f"{heading!r} is read as spreadsheet dates, days since 1899-12-30."
            offset = SPREADSHEET_ORIGIN.timestamp()
            seconds = np.round(values * 86_400.0, 3) + offset
            return Times(seconds, TimeKind.SERIAL, wrong, (note,))
    factor = 1.0 if unit is None else unit
    notes = () if unit is not None else (f"{heading!r} has no unit: it is read as seconds.",)
    return Times(values * factor, TimeKind.DURATION, wrong, notes)


def is_row_number(numbers: Numbers) -> bool:
    """Whether a column counts the rows: 1, 2, 3 or 0, 1, 2, with gaps allowed."""
    values = numbers.values
    known = values[np.isfinite(values)]
    if len(known) < 3 or not np.all(known == np.round(known)):
        return False
    steps = np.diff(known)
    return bool(np.all(steps > 0) and float(np.median(steps)) == 1.0 and 0 <= known[0] <= 1)
