r"""Temperature: the hottest place of the Intel Berkeley lab over one day (Appendix C).

46 sensors, kriging in space and PCHIP in time (_lab_field.py), the day's 24 hours mapped to
H = 1800 s. The package holds no recording: `path=""` is our own rank-4 summary of 2004-03-06
(_lab_summary.py); `path=...` reads a local data.txt or data.txt.gz (_intel_lab.py), and `download`
fetches the published one. `Benchmark.source` always says which it is.

The paper's day is the first, Saturday 2004-02-28, with 46 sensors and an interpolation it does
not name. Saturday 2004-03-06 has its l_T; a run on it is never "the paper's day".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bolt_core.benchmarks._download import Progress, fetch
from bolt_core.benchmarks._intel_lab import DAY, PUBLISHED, SENSORS, read_day
from bolt_core.benchmarks._lab_field import Field
from bolt_core.benchmarks._lab_summary import SUMMARY_DAY, summary
from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow
from bolt_core.common import paths
from bolt_core.common.errors import ConfigError
from bolt_core.common.options import Option

HORIZON = 1800.0  # s
URL = "http://db.csail.mit.edu/labdata/data.txt.gz"
SHA256 = next(sha256 for sha256, name in PUBLISHED.items() if name == "data.txt.gz")


@dataclass(frozen=True, slots=True)
class Report:
    """What a recording turned out to be, for people."""

    file: Path
    sha256: str
    verdict: str  # whether that is the published checksum
    rows: int
    days: tuple[str, ...]
    day: str
    sensors: tuple[int, ...]  # used
    absent: tuple[int, ...]  # of the 46, too few sound readings
    begin: float  # seconds after midnight that t = 0 stands for
    gaps: int  # 10-minute bins that were empty, or dropped as spikes, and filled
    spikes: int
    rmse: float | None  # C, against the embedded summary; None for another day


def field(path: str = "", day: str = SUMMARY_DAY) -> Field:
    """f as a function on the unit square, of the embedded summary or of a recording."""
    plan = summary()
    if path:
        data = read_day(Path(path).expanduser(), day)
        places = plan.places[[SENSORS.index(mote) for mote in data.sensors]]
        return Field(places, data.times, data.values, data.begin, DAY, HORIZON)
    if day != SUMMARY_DAY:
        raise ConfigError(
            f"the embedded summary is of {SUMMARY_DAY}; for {day} give the path of a recording"
            f" (data.txt or data.txt.gz, from {URL})"
        )
    return Field(plan.places, plan.times, plan.values, 0.0, DAY, HORIZON)


def source(path: str, day: str) -> str:
    """Which data it is, in words: shown wherever the benchmark is."""
    if not path:
        return f"rank-4 summary of the Intel Lab day {day} (our own figures, not the recording)"
    file = Path(path).expanduser()
    known = read_day(file, day).published
    doubt = "" if known else " (warning: not the published file, its checksum differs)"
    return f"Intel Lab recording, {day}, from {file.name}{doubt}"


def landscape(path: str, day: str) -> Landscape:
    path, day = str(path or ""), str(day)  # options arrive as any scalar
    made = field(path, day)
    return Landscape(2, made, made.best, source=source(path, day))


def inspect(path: str | Path, day: str = SUMMARY_DAY) -> Report:
    """Parse a local recording and say what is in it."""
    file = Path(path).expanduser()
    data = read_day(file, day)
    name = PUBLISHED.get(data.sha256)
    return Report(
        file=file,
        sha256=data.sha256,
        verdict=f"the published {name}" if name else "not a published file: checksum differs",
        rows=data.rows,
        days=data.days,
        day=day,
        sensors=data.sensors,
        absent=tuple(mote for mote in SENSORS if mote not in data.sensors),
        begin=data.begin,
        gaps=data.gaps,
        spikes=data.spikes,
        rmse=_distance(str(file)) if day == SUMMARY_DAY else None,
    )


def download(progress: Progress | None = None, directory: Path | None = None) -> Path:
    """The published recording (34 MB) in the data directory, fetched unless it is there."""
    return fetch(URL, SHA256, directory or paths.recordings(), progress)


def _distance(path: str) -> float:
    """RMSE of the summary against the 10-minute medians of the same day, C."""
    data = read_day(Path(path), SUMMARY_DAY)
    columns = [SENSORS.index(mote) for mote in data.sensors]
    ours = field().sensors(HORIZON * data.times / DAY)[:, columns]
    return float(np.sqrt(np.mean((ours - data.values) ** 2)))


BENCHMARK = BenchmarkSpec(
    key="temperature",
    label="Temperature",
    dimension=2,
    row=TableRow(
        noise_variance=0.16,
        cost=0.01,
        horizon=HORIZON,
        lengthscale_time=396.0,
        quasi_static=True,
        near_constant=False,
    ),
    landscape=landscape,
    options=(
        Option("path", "", "a local data.txt or data.txt.gz; empty: the embedded summary"),
        Option("day", SUMMARY_DAY, "day of the recording, 2004-02-28 to 2004-03-09"),
    ),
    notes=(
        "Without `path` this is a rank-4 summary of 2004-03-06 (RMSE 0.13 C), not the recording.",
        "2004-03-06 is not the paper's day (2004-02-28, the first); it has the paper's l_T.",
        "The hottest place jumps between rooms and runs along the border for part of the day.",
    ),
)
