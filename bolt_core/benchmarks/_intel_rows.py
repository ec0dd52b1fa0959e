"""The rows of the Intel Lab recording, as text: `data.txt` or `data.txt.gz`.

A row is `date time epoch mote temperature humidity light voltage`, separated by ONE space: a
missing value is an empty field, so two spaces in a row (mote 28 has no light sensor). Splitting
at any white space would silently shift the columns of such a row.
"""

from __future__ import annotations

import re
import warnings
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from bolt_core.common.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("date", "time", "epoch", "mote", "temperature", "humidity", "light", "voltage", "rest")
FORMAT = f"`{' '.join(COLUMNS[:8])}`, separated by single spaces"
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
CHUNK_ROWS = 500_000  # parsed at a time; the whole file has 2.3 million


def read_rows(path: Path, day: str) -> tuple[pd.DataFrame, int, tuple[str, ...]]:
    """Return the rows of `day`, the number of rows in the file, and the days in it.

    One extra field goes to `rest`, which the cleaning checks; longer rows are skipped.
    """
    from pandas.errors import ParserError, ParserWarning

    try:
        rows, count, days = _scan(path, day)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} cannot be read ({error}); is it a file, and complete?") from error
    except (ParserError, ParserWarning, UnicodeDecodeError) as error:
        raise DataError(f"{path} is not in the format {FORMAT} ({error})") from error
    if not days:
        raise DataError(f"{path} is not in the format {FORMAT}: no row begins with a date")
    if day not in days:
        raise DataError(f"{path} has no {day}; it has {', '.join(days)}")
    return rows, count, days


def _scan(path: Path, day: str) -> tuple[pd.DataFrame, int, tuple[str, ...]]:
    import pandas as pd
    from pandas.errors import EmptyDataError, ParserWarning

    with path.open("rb") as file:
        gzipped = file.read(2) == b"\x1f\x8b"  # the suffix is not reliable
    count, days, kept = 0, set[str](), [pd.DataFrame(columns=COLUMNS, dtype=str)]
    try:
        reader = pd.read_csv(
            path,
            sep=" ",
            names=COLUMNS,
            index_col=False,  # otherwise a long first row shifts every column
            on_bad_lines="skip",
            dtype=str,
            quoting=3,
            chunksize=CHUNK_ROWS,
            compression="gzip" if gzipped else None,
        )
    except EmptyDataError:
        return kept[0], 0, ()
    with reader, warnings.catch_warnings():
        warnings.simplefilter("ignore", ParserWarning)  # another format is refused below
        for chunk in reader:
            count += len(chunk)
            days |= {str(date) for date in chunk["date"].unique()}
            kept.append(chunk[chunk["date"] == day])
    return pd.concat(kept), count, tuple(sorted(filter(DATE.fullmatch, days)))
