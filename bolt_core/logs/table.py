"""A CSV file as columns of text, with the line of the file on which each row begins."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bolt_core.common.errors import DataError
from bolt_core.common.text import counted, shortened
from bolt_core.logs.cells import is_missing, looks_like_value
from bolt_core.logs.headings import unique_headings
from bolt_core.logs.line_lists import at_lines

DELIMITERS = ("\t", ";", ",")  # in this order, if several divide the rows evenly
DELIMITER_NAMES = {"\t": "tabs", ";": "semicolons", ",": "commas"}
SAMPLE_ROWS = 50
EVEN_SHARE = 0.8  # of rows with the usual number of cells
MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 500_000, 200, 4_000_000
RAGGED_SHARE = 0.2  # of rows with too many cells; with more the file is refused


@dataclass(frozen=True, slots=True)
class Table:
    """Named columns of text. `lines` are those of the file, from 1, on which the rows begin."""

    headings: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    delimiter: str
    notes: tuple[str, ...] = ()
    joined: tuple[tuple[int, ...], ...] = ()  # places in the file, if columns were joined

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The columns of the file, from 1, that each column holds: several if they were joined."""
        return self.joined or tuple((k + 1,) for k in range(len(self.headings)))

    def column(self, heading: str) -> Sequence[str]:
        """Return the cells of a column."""
        return self.columns[self.headings.index(heading)]


def read_table(text: str, notes: Sequence[str] = ()) -> Table:
    """Return the table of a CSV text; a DataError names the line."""
    found = list(notes)
    first_line, delimiter = _excel_hint(text)
    delimiter = delimiter or _delimiter(text)
    records = list(_records(text, delimiter, first_line))
    if not records:
        raise DataError("the file has no rows; give a CSV file with a header and rows")
    header, records = _header(records)
    if not records:
        raise DataError(
            f"line {header[0] if header else 1}: the file has only a header; rows are needed"
        )
    width = Counter(len(cells) for _, cells in records).most_common(1)[0][0]
    if width < 2:
        raise DataError(
            f"line {records[0][0]}: there is one column; commas, semicolons and tabs divide columns"
        )
    headings = _headings(header, width, found)
    if len(headings) > MAX_COLUMNS:
        raise DataError(
            f"line {header[0] if header else records[0][0]}: {len(headings):,} columns, at most "
            f"{MAX_COLUMNS} are read; leave some out"
        )
    kept = _squared_up(records, len(headings), found)
    lines = [line for line, _ in kept]
    columns = tuple(zip(*(cells for _, cells in kept), strict=True))
    return Table(tuple(headings), columns, lines, delimiter, tuple(found))


Record = tuple[int, list[str]]  # the line on which it begins, and its cells


def _records(text: str, delimiter: str, skipped: int) -> Iterator[Record]:
    """Yield the records, without blank ones."""
    source = io.StringIO(text, newline="")
    for _ in range(skipped):
        source.readline()
    reader = csv.reader(source, delimiter=delimiter, strict=True, skipinitialspace=True)
    line, rows, total = skipped + 1, 0, 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise DataError(f"line {line}: {_csv_problem(str(error))}") from None
        cells = [cell.strip() for cell in cells]
        if any(cells):
            rows, total = rows + 1, total + len(cells)
            if rows > MAX_ROWS + 1 or total > MAX_CELLS:
                raise DataError(
                    f"line {line}: more than {MAX_ROWS:,} rows or {MAX_CELLS:,} cells; keep every "
                    "tenth row, or the newest part"
                )
            yield line, cells
        line = skipped + reader.line_num + 1


def _csv_problem(message: str) -> str:
    if "field limit" in message:
        return "a cell of more than 131,072 characters; a quote is probably not closed"
    if "end of data" in message:
        return 'a quote (") is opened and not closed'
    if "expected after" in message:
        return 'text follows a closing quote ("); double the quotes inside of quotes'
    return shortened(message)


def _excel_hint(text: str) -> tuple[int, str | None]:
    """Return the lines to skip and the delimiter of a first line such as sep=;"""
    first = text[:16].splitlines()[0].strip() if text.strip() else ""
    if first.lower().startswith("sep=") and first[4:5] in ("", *DELIMITERS):
        return 1, first[4:5] or "\t"
    return 0, None


def _delimiter(text: str) -> str:
    """Return the delimiter that divides the first rows most evenly."""
    sample = text[:262_144].splitlines()[: 4 * SAMPLE_ROWS]
    shares: dict[str, tuple[float, int]] = {}
    for delimiter in DELIMITERS:
        rows = _sample_rows(sample, delimiter)
        widths = Counter(map(len, rows))
        width, count = widths.most_common(1)[0] if widths else (1, 0)
        shares[delimiter] = (count / max(len(rows), 1) if width > 1 else 0.0, width)
        if shares[delimiter][0] >= EVEN_SHARE:
            return delimiter
    return max(shares, key=lambda delimiter: shares[delimiter])


def _sample_rows(sample: list[str], delimiter: str) -> list[list[str]]:
    """Return the first rows, up to one that cannot be read."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for row in csv.reader(sample, delimiter=delimiter):
            if any(row):
                rows.append(row)
            if len(rows) == SAMPLE_ROWS:
                break
    return rows


def _header(records: list[Record]) -> tuple[Record | None, list[Record]]:
    """Return the header, if there is one, and the rows; lines that begin with # are comments.

    The last of them is the header if it has as many cells as the row that follows.
    """
    first = next((k for k, (_, cells) in enumerate(records) if cells[0][:1] != "#"), len(records))
    rows = [record for record in records[first:] if record[1][0][:1] != "#"]
    if not rows:
        return (records[-1] if records else None), []
    if first and len(records[first - 1][1]) == len(rows[0][1]) > 1:
        line, cells = records[first - 1]
        return (line, [cells[0].lstrip("# "), *cells[1:]]), rows
    if len(rows) == 1:
        is_header = not any(looks_like_value(cell) for cell in rows[0][1])
        return (rows[0], []) if is_header else (None, rows)
    below = [cells for _, cells in rows[1 : SAMPLE_ROWS + 1]]
    for k, cell in enumerate(rows[0][1]):
        values = [looks_like_value(cells[k]) for cells in below if k < len(cells)]
        named = not is_missing(cell) and not looks_like_value(cell)
        if named and values and sum(values) > len(values) / 2:
            return rows[0], rows[1:]
    if not any(looks_like_value(cell) for cell in rows[0][1]):
        return rows[0], rows[1:]
    return None, rows


def _headings(header: Record | None, width: int, notes: list[str]) -> list[str]:
    if header is None:
        notes.append("The file has no header: the columns are numbered.")
        return [f"column {k + 1}" for k in range(width)]
    line, names = header
    while len(names) > width and not names[-1]:
        names = names[:-1]
    if len(names) < width:
        raise DataError(
            f"line {line}: the header has {counted(len(names), 'name')}, and most rows have "
            f"{width} cells; name every column"
        )
    return unique_headings(names, line, notes)


def _squared_up(records: list[Record], width: int, notes: list[str]) -> list[Record]:
    """Return the rows with `width` cells each: short ones padded, long ones left out."""
    short: list[int] = []
    long: list[int] = []
    kept: list[Record] = []
    for line, cells in records:
        while len(cells) > width and not cells[-1]:
            cells.pop()
        if len(cells) > width:
            long.append(line)
            continue
        if len(cells) < width:
            short.append(line)
            cells = [*cells, *[""] * (width - len(cells))]
        kept.append((line, cells))
    if len(long) > RAGGED_SHARE * len(records):
        raise DataError(
            f"line {long[0]}: more cells than the {width} columns, as in "
            f"{counted(len(long), 'row')}; a comma inside of a number or text needs quotes"
        )
    if long:
        notes.append(
            f"{counted(len(long), 'row')} with more than {width} cells left out: {at_lines(long)}."
        )
    if short:
        notes.append(
            f"{counted(len(short), 'row')} with fewer than {width} cells; the rest counts as "
            f"missing: {at_lines(short)}."
        )
    return kept
