"""What each column of a table holds: times, numbers, or texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.logs.cells import Numbers, is_missing, numbers_of
from bolt_core.logs.headings import name_and_unit
from bolt_core.logs.table import Table
from bolt_core.logs.time_cells import Times, dates_of

MAX_CHOICES = 20  # different texts of a knob
MISSING_SHARE = 0.5  # a column that is empty in more rows is left out


@dataclass(frozen=True)
class Column:
    """One column, and what can be read from it."""

    heading: str
    cells: Sequence[str]
    dates: Times | None
    numbers: Numbers | None
    places: tuple[int, ...]  # in the file, from 1; two if a date and a time of day were joined

    @property
    def name(self) -> str:
        """The heading without the unit."""
        return name_and_unit(self.heading)[0]

    @property
    def unit(self) -> str:
        """The unit in the heading, or nothing."""
        return name_and_unit(self.heading)[1]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the heading, in lower case."""
        spaced = "".join(c if c.isalnum() else " " for c in self.heading.lower())
        return frozenset(spaced.split())

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The different texts, sorted; without missing ones."""
        return tuple(sorted({cell for cell in self.cells if not is_missing(cell)}))

    @cached_property
    def present(self) -> int:
        """The number of cells that are not missing."""
        if self.numbers is not None:
            return int(np.isfinite(self.numbers.values).sum())
        return sum(not is_missing(cell) for cell in self.cells)

    @property
    def constant(self) -> bool:
        """Whether all values are the same."""
        if self.numbers is None:
            return len(self.texts) < 2
        values = self.numbers.values
        known = values[np.isfinite(values)]
        return not len(known) or bool(np.all(known == known[0]))

    @property
    def mostly_missing(self) -> bool:
        """Whether more than half of the cells are missing."""
        return self.present < (1.0 - MISSING_SHARE) * len(self.cells)

    @property
    def can_be_choice(self) -> bool:
        """Whether it has texts, few enough for a knob."""
        return self.numbers is None and self.dates is None and 2 <= len(self.texts) <= MAX_CHOICES


def columns_of(table: Table) -> list[Column]:
    """Return the columns of a table; a DataError names lines that disagree."""
    found = []
    for heading, cells, places in zip(table.headings, table.columns, table.places, strict=True):
        dates = dates_of(cells, table.lines)
        commas = table.delimiter == ","
        numbers = None
        if dates is None:
            numbers = numbers_of(cells, table.lines, quoted_commas=commas)
        found.append(Column(heading, cells, dates, numbers, places))
    return found


def chosen_column(columns: Sequence[Column], wanted: str) -> Column:
    """Return the column of a heading, of a name without the unit, or of its number in the file.

    `columns` are all columns of the file: numbers count from 1, whatever roles the others have.
    """
    word = wanted.strip()
    for match in (
        lambda c: c.heading == word,
        lambda c: c.name == word,
        lambda c: word.lower() in (c.heading.lower(), c.name.lower()),
    ):
        matching = [column for column in columns if match(column)]
        if len(matching) == 1:
            return matching[0]
        if matching:
            names = ", ".join(repr(c.heading) for c in matching)
            raise ConfigError(f"{word!r} may be {names}; write the whole heading, or its number")
    if word.isdecimal():
        numbered = {place: column for column in columns for place in column.places}
        if int(word) in numbered:
            return numbered[int(word)]
        choices = ", ".join(f"{k} ({numbered[k].heading})" for k in sorted(numbered))
        raise ConfigError(f"there is no column {word}; choose one of {choices}")
    raise UnknownNameError("column", word, [column.heading for column in columns])
