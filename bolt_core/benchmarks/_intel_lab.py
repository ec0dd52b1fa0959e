"""The Intel Lab recording: from raw rows (_intel_rows.py) to a clean table of one day.

Rows are sorted by mote, epochs are not times, ids above 54 are invalid, some times have no
fraction, and a weak battery gives readings such as 122.153 C. The cleaning rules, in this order:

    1. the day, one of the 46 sensors, temperature present    (light and humidity may be missing)
    2. 10 < T < 40 C and voltage > 2.3 V
    3. the median of each 10-minute bin, at the centre of the bin
    4. a bin more than 3 C off the running median over 7 bins is dropped
    5. gaps are filled by PCHIP interpolation in time, the ends by the nearest value

The table begins with the first bin that 90 % of the sensors have: 2004-02-28 starts about 01:00.
Data by Peter Bodik, Wei Hong, Carlos Guestrin, Sam Madden, Mark Paskin and Romain Thibaux, Intel
Berkeley; no row of it is part of this package. No source lists the 46 sensors of the literature;
used here are those with the best coverage over 2004-03-01..05.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import PchipInterpolator

from bolt_core.benchmarks._download import checksum
from bolt_core.benchmarks._intel_rows import DATE, read_rows
from bolt_core.common.errors import ConfigError, DataError
from bolt_core.common.types import Array

if TYPE_CHECKING:
    import pandas as pd

PUBLISHED = {  # SHA-256 of the files at db.csail.mit.edu/labdata
    "d99288c8f406ca6604d359ceaa0d8adfffa79e7095061a1e27dc4399f48c7225": "data.txt.gz",
    "21d156880db48eb140390beffc18b017282777cdc41e30e665072544ecf0913e": "data.txt",
}
FIRST_DAY, LAST_DAY = "2004-02-28", "2004-03-09"  # batteries and network fail after that
_DROPPED = {5, 13, 14, 15, 18, 28, 49, 54}
SENSORS = tuple(mote for mote in range(1, 55) if mote not in _DROPPED)
BIN_SECONDS, BINS_PER_DAY = 600.0, 144
DAY_SECONDS = BIN_SECONDS * BINS_PER_DAY
MIN_CELSIUS, MAX_CELSIUS, MIN_VOLTS = 10.0, 40.0, 2.3
SPIKE_CELSIUS, SPIKE_WINDOW_BINS = 3.0, 7
MIN_SENSORS = math.ceil(0.9 * len(SENSORS))  # that a bin, and a day, must have
MIN_COVERAGE = 0.5  # share of bins that a sensor must have to be used


@dataclass(frozen=True, slots=True)
class RecordingFacts:
    """What a recording contains, with counts of what was cleaned."""

    sensors: tuple[int, ...]  # used
    begin: float  # seconds since midnight at which the day becomes usable: t = 0
    gaps: int  # empty 10-minute bins that were filled
    spikes: int  # of those, bins dropped by rule 4
    rows: int  # in the file
    days: tuple[str, ...]  # in the file
    sha256: str


@dataclass(frozen=True, slots=True)
class Recording(RecordingFacts):
    """One cleaned day."""

    times: Array  # (bins,) bin centres, seconds since midnight
    values: Array  # (bins, sensors) C

    @property
    def published(self) -> bool:
        """Whether the file is identical to one of the published files."""
        return self.sha256 in PUBLISHED


def read_day(path: Path, day: str) -> Recording:
    """Return the clean table of `day`; cached until the file changes."""
    if not FIRST_DAY <= day <= LAST_DAY or not DATE.fullmatch(day):
        raise ConfigError(
            f"day {day!r} is not a usable day of the recording (batteries and the network fail"
            f" later); choose one from {FIRST_DAY} to {LAST_DAY}"
        )
    try:
        stat = path.stat()
    except OSError as error:
        raise DataError(f"no recording at {path} ({error.strerror}); check the path") from error
    return _read_day(path, day, (stat.st_mtime_ns, stat.st_size))


@lru_cache(maxsize=4)
def _read_day(path: Path, day: str, _version: tuple[int, int]) -> Recording:
    rows, count, days = read_rows(path, day)
    table, spikes = _medians(rows)
    try:
        first, used = _usable(table)
    except DataError as error:
        raise DataError(f"{day} in {path}: {error}") from None
    table = table[first:, used]
    return Recording(
        sensors=tuple(np.array(SENSORS)[used].tolist()),
        times=np.asarray(BIN_SECONDS * (np.arange(first, BINS_PER_DAY) + 0.5)),
        values=np.column_stack([_filled(column) for column in table.T]),
        begin=BIN_SECONDS * first,
        gaps=int(np.isnan(table).sum()),
        spikes=int(spikes[first:, used].sum()),
        rows=count,
        days=days,
        sha256=checksum(path),
    )


def _medians(rows: pd.DataFrame) -> tuple[Array, Array]:
    """Apply rules 1 to 4: return medians (bins, sensors), NaN if none, and which were spikes."""
    import pandas as pd

    stamps = pd.to_datetime(rows["date"] + " " + rows["time"], format="ISO8601", errors="coerce")
    numbers = rows[["mote", "temperature", "voltage"]].apply(pd.to_numeric, errors="coerce")
    valid = (
        stamps.notna()
        & rows["rest"].isna()
        & numbers["mote"].isin(SENSORS)
        & numbers["temperature"].between(MIN_CELSIUS, MAX_CELSIUS, inclusive="neither")
        & (numbers["voltage"] > MIN_VOLTS)
    )
    seconds = (stamps - stamps.dt.normalize()).dt.total_seconds()
    keys = [(seconds[valid] // BIN_SECONDS).astype(int), numbers["mote"][valid].astype(int)]
    medians = numbers["temperature"][valid].groupby(keys).median().unstack()
    table = medians.reindex(index=range(BINS_PER_DAY), columns=SENSORS)
    running = table.rolling(SPIKE_WINDOW_BINS, center=True, min_periods=1).median()
    spikes = (table - running).abs() > SPIKE_CELSIUS
    return table.mask(spikes).to_numpy(dtype=float), spikes.to_numpy()


def _usable(table: Array) -> tuple[int, Array]:
    """Return the first bin with enough sensors, and the sensors with enough bins after it."""
    present = ~np.isnan(table)
    counts = present.sum(axis=1)
    first = int(np.argmax(counts >= MIN_SENSORS))
    used = present[first:].mean(axis=0) >= MIN_COVERAGE
    if counts[first] < MIN_SENSORS or used.sum() < MIN_SENSORS:
        usable = min(int(counts.max()), int(used.sum()))
        raise DataError(
            f"only {usable} of the {len(SENSORS)} sensors have valid readings together and for half"
            f" of the day, {MIN_SENSORS} are needed; choose another day, or the whole recording"
        )
    return first, np.asarray(used)


def _filled(column: Array) -> Array:
    """Apply rule 5 to one sensor."""
    present = np.flatnonzero(~np.isnan(column))
    bins = np.clip(np.arange(len(column)), present[0], present[-1])
    return np.asarray(PchipInterpolator(present, column[present])(bins))
