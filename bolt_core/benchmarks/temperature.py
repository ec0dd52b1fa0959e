r"""Temperature: the hottest point of the Intel Berkeley lab over one day (Appendix C).

46 sensors, kriging in space and PCHIP in time (_lab_field.py), the day's 24 hours mapped to
H = 1800 s. The package contains no recording: `path=""` is a rank-4 summary of 2004-03-06
(_lab_summary.py); `path=...` reads a local data.txt or data.txt.gz (_intel_lab.py), and `download`
fetches the published file. `Benchmark.source` always says which data is used.

The paper uses the first day, Saturday 2004-02-28, with 46 sensors and an interpolation it does not
name. Saturday 2004-03-06 has the same l_T, but it is not the paper's day.
"""

from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from bolt_core.benchmarks._download import Progress, fetch
from bolt_core.benchmarks._intel_lab import (
    DAY_SECONDS,
    PUBLISHED,
    SENSORS,
    Recording,
    RecordingFacts,
    read_day,
)
from bolt_core.benchmarks._lab_field import HORIZON, Field
from bolt_core.benchmarks._lab_summary import SUMMARY_DAY, summary
from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec, Landscape
from bolt_core.common import paths
from bolt_core.common.errors import ConfigError
from bolt_core.common.options import Option

URL = "http://db.csail.mit.edu/labdata/data.txt.gz"
SHA256 = next(sha256 for sha256, name in PUBLISHED.items() if name == "data.txt.gz")


@dataclass(frozen=True, slots=True)
class Report(RecordingFacts):
    """A summary of a recording, for display."""

    file: Path
    verdict: str  # whether its checksum is that of a published file
    day: str
    absent: tuple[int, ...]  # of the 46, too few valid readings
    rmse: float | None  # C, against the embedded summary; None for another day


def field(path: str = "", day: str = SUMMARY_DAY) -> Field:
    """Return f on the unit square, from the embedded summary or from a recording."""
    if path:
        data = read_day(Path(path).expanduser(), day)
        places = summary().places[[SENSORS.index(mote) for mote in data.sensors]]
        return Field(places, data.times, data.values, data.begin)
    if day != SUMMARY_DAY:
        raise ConfigError(
            f"the embedded summary is of {SUMMARY_DAY}; for {day} give the path of a recording"
            f" (data.txt or data.txt.gz, from {URL})"
        )
    return summary()


def source(path: str, day: str) -> str:
    """Return a description of the data, shown wherever the benchmark is."""
    if not path:
        return f"rank-4 summary of the Intel Lab day {day} (our own figures, not the recording)"
    file = Path(path).expanduser()
    published = read_day(file, day).published
    warning = "" if published else " (warning: not the published file, its checksum differs)"
    return f"Intel Lab recording, {day}, from {file.name}{warning}"


def landscape(path: str, day: str) -> Landscape:
    """Return the landscape of the summary, or of a day of a recording."""
    path, day = str(path or ""), str(day)  # options arrive as any scalar
    temperature = field(path, day)
    return Landscape(2, temperature, temperature.best, source=source(path, day))


def inspect(path: str | Path, day: str = SUMMARY_DAY) -> Report:
    """Read a local recording and return a summary of it."""
    file = Path(path).expanduser()
    data = read_day(file, day)
    name = PUBLISHED.get(data.sha256)
    facts = {fact.name: getattr(data, fact.name) for fact in fields(RecordingFacts)}
    return Report(
        **facts,
        file=file,
        verdict=f"the published {name}" if name else "not a published file: checksum differs",
        day=day,
        absent=tuple(mote for mote in SENSORS if mote not in data.sensors),
        rmse=_summary_rmse(data) if day == SUMMARY_DAY else None,
    )


def download(progress: Progress | None = None, directory: Path | None = None) -> Path:
    """Return the path of the published recording (34 MB), downloaded unless it is there."""
    return fetch(URL, SHA256, directory or paths.recordings(), progress)


def _summary_rmse(data: Recording) -> float:
    """Return the RMSE of the summary against the 10-minute medians of its day, in C."""
    columns = [SENSORS.index(mote) for mote in data.sensors]
    summarised = field().sensors(HORIZON * data.times / DAY_SECONDS)[:, columns]
    return float(np.sqrt(np.mean((summarised - data.values) ** 2)))


BENCHMARK = BenchmarkSpec(
    key="temperature",
    label="Temperature",
    dimension=2,
    row=TABLE_3["temperature"],
    landscape=landscape,
    options=(
        Option("path", "", "a local data.txt or data.txt.gz; empty: the embedded summary"),
        Option("day", SUMMARY_DAY, "day of the recording, 2004-02-28 to 2004-03-09"),
    ),
    notes=(
        "Without `path` this is a rank-4 summary of 2004-03-06 (RMSE 0.13 C), not the recording.",
        "2004-03-06 is not the paper's day, which is the first (2004-02-28).",
        "The hottest point jumps between rooms and moves along the border for part of the day.",
    ),
)
