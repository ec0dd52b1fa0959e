"""Dates and times of day in two columns, as many loggers write them, joined to one."""

from __future__ import annotations

import re
from dataclasses import replace

from bolt_core.logs.table import Table

SAMPLE_ROWS = 20
ONLY_DATE = re.compile(r"\d{1,4}([-./])\d{1,2}\1\d{1,4}")
TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?(\s*[AaPp][Mm])?")


def with_joined_dates(table: Table) -> Table:
    """Return the table with a column of dates and one of times of day joined, if it has both."""
    dates = [k for k in range(len(table.headings)) if _all_match(table, k, ONLY_DATE)]
    times = [k for k in range(len(table.headings)) if _all_match(table, k, TIME_OF_DAY)]
    if len(dates) != 1 or len(times) != 1:
        return table
    date, time = dates[0], times[0]
    heading = f"{table.headings[date]} {table.headings[time]}"
    cells = tuple(
        f"{day} {clock}".strip()
        for day, clock in zip(table.columns[date], table.columns[time], strict=True)
    )
    others = [k for k in range(len(table.headings)) if k not in (date, time)]
    note = f"{table.headings[date]!r} and {table.headings[time]!r} are read as one time."
    return replace(
        table,
        headings=(heading, *(table.headings[k] for k in others)),
        columns=(cells, *(table.columns[k] for k in others)),
        notes=(*table.notes, note),
        joined=((date + 1, time + 1), *((k + 1,) for k in others)),
    )


def _all_match(table: Table, k: int, pattern: re.Pattern[str]) -> bool:
    sample = [cell for cell in table.columns[k][:SAMPLE_ROWS] if cell]
    return bool(sample) and all(pattern.fullmatch(cell) for cell in sample)
