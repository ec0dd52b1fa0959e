"""Files that are wrong in more than 30 ways: each is refused or read as docs/logs.md says."""

import gzip

import pytest

from bolt_core.common.errors import BoltError, ConfigError, DataError
from bolt_core.logs import text_encoding
from bolt_core.logs.guessing import Overrides
from bolt_core.logs.reading import read_log, read_log_file

HEADER = "time,feed (l/min),heat,yield (%)"
ROWS = [f"2026-01-01T00:{k:02d}:00Z,{k % 7 + 0.5},{20.25 + k % 5},{50 + k % 9}" for k in range(20)]


def csv(*changes, header=HEADER):
    """The good file with lines replaced: (line, text), line 1 is the header."""
    lines = [header, *ROWS]
    for line, text in changes:
        lines[line - 1] = text
    return "\n".join(lines) + "\n"


def cell(line, column, text):
    """One cell of the good file replaced."""
    cells = ROWS[line - 2].split(",")
    cells[column] = text
    return line, ",".join(cells)


def many(column, text):
    """The good file with one column set to a text in every row."""
    return csv(*(cell(k + 2, column, text) for k in range(20)))


NO_HEADER = "\n".join(ROWS)
GERMAN = csv().replace(",", ";").replace(".", ",")
MIXED_DATES = csv(cell(9, 0, "2026-01-01T00:07:00"))
AMBIGUOUS = "\n".join(["date,feed,yield", *(f"0{k % 9 + 1}/02/2026,{k},{k % 3}" for k in range(9))])
HALF_EMPTY = csv(*(cell(k, 3, "") for k in range(8, 20)))
TOO_WIDE = csv(*((k, f"{ROWS[k - 2]},7") for k in range(5, 12)))
QUOTED = csv(
    (4, f'{ROWS[2]},"two\nlines"'), (6, f"{cell(6, 1, 'x')[1]},b"), header=HEADER + ",note"
)
UTF16 = csv().encode("utf-16")

REFUSED = {  # file, line, a word of the reason
    "empty": (b"", None, "empty"),
    "blank": (b" \n\r\n\t", None, "empty"),
    "only a header": (HEADER, 1, "header"),
    "a spreadsheet": (b"PK\x03\x04rest", None, "spreadsheet"),
    "compressed": (gzip.compress(csv().encode()), None, "gzip"),
    "an image": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", None, "image"),
    "other bytes": (b"\x01\x02\x03\n\0\x80\x90", 2, "not a text file"),
    "a zero byte": (csv().replace("2026-01-01T00:03", "2026-01-01T\0000:03"), 5, "zero"),
    "an open quote": (csv(cell(7, 1, '"3.5')), 7, "quote"),
    "text after a quote": (csv(cell(4, 1, '"3.5"x')), 4, "quote"),
    "one column": ("yield\n1\n2\n3\n", 2, "one column"),
    "a short header": (csv(header="time,feed"), 1, "header"),
    "most rows too long": (TOO_WIDE, 5, "more cells"),
    "broken UTF-16": (UTF16[:201], 3, "UTF-16"),
    "two decimal signs": (csv(cell(6, 1, '"3,5"')), 6, "decimal"),
    "zones in part": (MIXED_DATES, 9, "zone"),
    "day or month": (AMBIGUOUS, 2, "month"),
    "units in cells": (many(3, "71 %"), 2, "number"),
    "one time only": (many(0, "2026-01-01"), 2, "same time"),
    "half of the rows unusable": (HALF_EMPTY, 8, "can be used"),
    "a cell without end": (csv(cell(5, 1, '"' + "9" * 140_000)), 5, "characters"),
    "a time without a date": (many(0, "noon"), 2, "no time"),
    "a constant outcome": (many(3, "7"), None, "every usable row"),
    "a constant outcome by its name": (many(3, "7"), None, "never changes"),
    "an outcome of texts by its name": (many(3, "good"), None, "texts"),
}
GIVEN = {  # roles, where the file leaves no guess
    "units in cells": Overrides(outcome="yield"),
    "a time without a date": Overrides(time="time"),
    "half of the rows unusable": Overrides(outcome="yield"),
    "a constant outcome": Overrides(outcome="yield"),
}

READ = {  # file, rows, a phrase of a note
    "a long row": (csv((5, f"{ROWS[3]},7")), 19, "line 5"),
    "a short row": (csv((6, "2026-01-01T00:04:00Z,3.5")), 19, "line 6"),
    "no header": (NO_HEADER, 20, "no header"),
    "two columns of one name": (csv(header="time,feed,feed,yield"), 20, "Line 1"),
    "a column without a name": (csv(header="time,feed,,yield"), 20, "Line 1"),
    "Latin-1": (csv(header="time,feed,hei\xdf,yield").encode("latin-1"), 20, "Line 1"),
    "UTF-16": (UTF16, 20, "UTF-16"),
    "UTF-16 without a mark": (csv().encode("utf-16-be"), 20, "UTF-16"),
    "a byte order mark": (csv().encode("utf-8-sig"), 20, ""),
    "decimal commas": (GERMAN, 20, ""),
    "tabs": (csv().replace(",", "\t"), 20, ""),
    "a separator line": ("sep=;\r\n" + GERMAN.replace("\n", "\r\n"), 20, ""),
    "comments": ("# plant 3\n" + csv(), 20, ""),
    "a missing value": (csv(cell(8, 1, "")), 19, "line 8"),
    "another word for missing": (csv(cell(8, 3, "N/A")), 19, "line 8"),
    "a text among numbers": (csv(cell(9, 3, "err")), 19, "line 9"),
    "a formula": (csv(cell(10, 1, "=CMD()")), 19, "=CMD()"),
    "a repeated row": (csv((11, ROWS[8])), 19, "line 11"),
    "a repeated time": (csv(cell(11, 0, "2026-01-01T00:08:00Z")), 20, "line 11"),
    "rows not in order": (csv((5, ROWS[9]), (11, ROWS[3])), 20, "lines 6 and 11"),
    "a wrong date": (csv(cell(12, 0, "2026-02-31T00:00:00Z")), 19, "line 12"),
    "an infinite value": (csv(cell(7, 3, "inf")), 19, "line 7"),
    "a huge value": (csv(cell(7, 3, "1e300")), 19, "line 7"),
    "a constant knob": (many(2, "21"), 20, ""),
    "quoted line ends": (QUOTED, 19, "line 7"),
    "blank lines": (csv().replace("\n", "\n\n"), 20, ""),
    "date and time in two columns": (
        csv(header="date,clock,feed,heat,yield").replace("T", ",").replace("Z", ""),
        20,
        "one time",
    ),
    "no time zone": (csv().replace("Z", ""), 20, "UTC"),
}


def as_bytes(file):
    return file if isinstance(file, bytes) else file.encode()


def test_there_are_more_than_30_of_them():
    assert len(REFUSED) + len(READ) > 30


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_line(name):
    file, line, word = REFUSED[name]
    with pytest.raises(DataError) as refusal:
        read_log(as_bytes(file), "log.csv", GIVEN.get(name))
    assert word in str(refusal.value)
    if line is not None:
        assert str(refusal.value).startswith(f"line {line}:")


@pytest.mark.parametrize("name", READ)
def test_read_as_documented(name):
    file, rows, phrase = READ[name]
    log = read_log(as_bytes(file), "log.csv")
    assert len(log) == len(log.lines) == rows
    assert any(phrase in note for note in log.notes) or not phrase
    good = read_log(csv().encode(), "log.csv")
    if rows == 20 and name not in ("rows not in order", "a repeated time", "a constant knob"):
        assert log.y.tolist() == good.y.tolist()
        assert log.X.tolist() == good.X.tolist()
        assert log.times.tolist() == good.times.tolist()
    assert sorted(log.times.tolist()) == log.times.tolist()


def test_a_column_of_one_value_is_no_knob():
    log = read_log(many(2, "21").encode(), "log.csv")
    assert list(log.spec.knobs) == ["feed"]
    assert any("heat" in reason and "constant" in reason for reason in log.reasons)


def test_a_log_without_times_needs_a_period():
    rows = "\n".join(["feed,yield", *(f"{k % 7},{k % 3}" for k in range(30))]).encode()
    with pytest.raises(ConfigError, match="period"):
        read_log(rows, "log.csv")
    log = read_log(rows, "log.csv", Overrides(period=30.0))
    assert (log.origin, log.spacing, log.times[-1]) == (None, 30.0, 870.0)
    with pytest.raises(ConfigError, match="period"):
        read_log(rows, "log.csv", Overrides(period=-1.0))
    with pytest.raises(ConfigError, match="period"):
        read_log(csv().encode(), "log.csv", Overrides(time="time", period=5.0))


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("bolt_core.logs.reading.MAX_BYTES", 2000)
    monkeypatch.setattr(text_encoding, "MAX_BYTES", 2000)
    path = tmp_path / "log.csv"
    path.write_text(csv() * 40)
    with pytest.raises(DataError, match="MiB"):
        read_log_file(path)


@pytest.mark.parametrize("limit", ["MAX_ROWS", "MAX_CELLS", "MAX_COLUMNS"])
def test_tables_have_limits(limit, monkeypatch):
    monkeypatch.setattr(f"bolt_core.logs.table.{limit}", 3)
    with pytest.raises(DataError, match="line"):
        read_log(csv().encode(), "log.csv")


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(BoltError, match=path.name):
            read_log_file(path)
