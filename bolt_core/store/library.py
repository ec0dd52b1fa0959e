"""The library of records in a folder: listed by race, opened and named.

A **race** here is all records with one race id, and the runs of its race file that have no record;
a record without a race id (of `bolt run` or `opt.save`) is a race of its own. Listing reads only
the first line of a file and its last lines, which hold a summary (`run_summary`); both are cached
until the file changes. A file that cannot be read is part of the list, with the reason.
"""

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.common.errors import RecordError
from bolt_core.common.text import counted
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot, disturbance, race_status
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from bolt_core.store import race_file
from bolt_core.store.race_file import RaceFile
from bolt_core.store.race_names import RaceNames
from bolt_core.store.record_files import (
    BrokenFile,
    RecordFile,
    planned_record_files,
    read_race_file,
    read_record_file,
)
from bolt_core.store.records import SUFFIX, read

ListedFile = RecordFile | BrokenFile | RaceFile


@dataclass(frozen=True, slots=True)
class StoredRace:
    """The files of one race; its runs in order, also those that left no record."""

    race_id: str
    runs: tuple[RecordFile, ...]  # empty if no file of the race can be read
    name: str = ""
    tags: tuple[str, ...] = ()
    broken: tuple[BrokenFile, ...] = ()
    plan: RaceFile | None = None  # as it was announced; None for a race from elsewhere

    @property
    def status(self) -> RunStatus:
        """The status of the race, from those of its runs; failed if none can be read."""
        return race_status({run.status for run in self.runs})

    @property
    def problem(self) -> str | None:
        """What is missing or cannot be read, and the remedy; None for a sound race."""
        missing = sum(not run.exists for run in self.runs)
        problems = [f"{file.path.name} cannot be read: {file.reason}." for file in self.broken]
        problems += [run.problem for run in self.runs if run.problem]
        if missing and missing == len(self.runs):
            problems.append("It had not started: continuing the race starts it.")
        elif missing:
            runs = counted(missing, "run")
            problems.append(f"{runs} had not started: continuing the race runs what is missing.")
        return " ".join(problems) or None

    @property
    def records(self) -> list[Path]:
        """The record files that exist."""
        return [run.path for run in self.runs if run.exists]

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self._listed)

    @property
    def changed(self) -> float:
        """The time of the last write, in seconds since the epoch."""
        return max(file.changed for file in self._listed)

    @property
    def _listed(self) -> list[RecordFile | BrokenFile]:
        return [*self.runs, *self.broken]


class Library:
    """A folder of records. Every method can be called from any thread."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._names = RaceNames(directory)
        self._cache: dict[Path, tuple[tuple[float, int], ListedFile]] = {}

    def races(self) -> list[StoredRace]:
        """Return all races, the most recently written first; files of other kinds are ignored."""
        files_by_race: dict[str, list[ListedFile]] = {}
        for file in self._files():
            files_by_race.setdefault(file.race_id, []).append(file)
        names = self._names.read()
        races = [
            self._race(race_id, files, *names.get(race_id, ("", ())))
            for race_id, files in files_by_race.items()
        ]
        return sorted(races, key=lambda race: race.changed, reverse=True)

    def find(self, race_id: str) -> StoredRace | None:
        """Return one race, or None if it has no files here."""
        files = [file for file in self._files() if file.race_id == race_id]
        names = self._names.read()
        return self._race(race_id, files, *names.get(race_id, ("", ()))) if files else None

    def open(self, race_id: str) -> RaceSnapshot | None:
        """Read the records of a race; None if there are none. A warning says what is missing."""
        stored = self.find(race_id)
        runs = tuple(self.runs(stored).values()) if stored else ()
        if stored is None or not runs:
            return None
        return replace(race_from_runs(race_id, runs), warning=stored.problem)

    def runs(self, race: StoredRace) -> dict[Path, RunSnapshot]:
        """Read the runs of a race, by file.

        A file damaged in its middle is a failed run with that reason; a run without a record has
        no passes; it is stopped if its race was, and interrupted otherwise.
        """
        dimensions = (file.header.get("dimension") for file in race.runs)
        dimension = next((d for d in dimensions if d is not None), 0)
        runs = {}
        for file in race.runs:
            status, error = file.status, None
            try:
                if file.exists:
                    runs[file.path] = read(file.path)
                    continue
            except RecordError as problem:
                status, error = RunStatus.FAILED, str(problem)
            columns = RunHistory(dimension).view()
            runs[file.path] = RunSnapshot(
                file.config, status, columns, error, file.run_id, file.header
            )
        return runs

    def files(self, race: StoredRace) -> list[Path]:
        """Return all files of a race that exist: records, broken files and its race file."""
        paths = [*race.records, *(file.path for file in race.broken)]
        plan = race_file.path_of(self.directory, race.race_id)
        return [*paths, plan] if plan.exists() and plan not in paths else paths

    def rename(self, race_id: str, name: str, tags: Iterable[str] = ()) -> None:
        """Set the name and the tags of a race; an empty name removes it."""
        self._names.write(race_id, name, tags)

    def size(self) -> int:
        """Return the bytes of all records."""
        return sum(file.size for file in self._files() if not isinstance(file, RaceFile))

    def _race(
        self, race_id: str, files: Sequence[ListedFile], name: str, tags: tuple[str, ...]
    ) -> StoredRace:
        """Return a race from its files, with the announced runs that have none."""
        plan = next((file for file in files if isinstance(file, RaceFile)), None)
        broken = tuple(file for file in files if isinstance(file, BrokenFile))
        runs = [file for file in files if isinstance(file, RecordFile)]
        present = {file.path for file in runs} | {file.path for file in broken}
        if plan is not None:
            planned = planned_record_files(plan, self.directory)
            stopped = any(run.status == RunStatus.STOPPED for run in runs)
            status = RunStatus.STOPPED if stopped else RunStatus.INTERRUPTED
            runs += [replace(run, status=status) for run in planned if run.path not in present]
        ordered = sorted(runs, key=lambda run: (run.order, run.config.seed, run.run_id))
        return StoredRace(race_id, tuple(ordered), name, tags, broken, plan)

    def _files(self) -> list[ListedFile]:
        """Return the files of the folder, reading only those that changed."""
        cache: dict[Path, tuple[tuple[float, int], ListedFile]] = {}
        try:
            entries = sorted(os.scandir(self.directory), key=lambda entry: entry.name)
        except OSError:
            entries = []
        for entry in entries:
            if entry.name.startswith(".") or not entry.name.endswith((SUFFIX, race_file.SUFFIX)):
                continue
            path = Path(entry.path)
            stamp = _stamp(entry)
            if stamp is None:
                continue
            cached = self._cache.get(path)
            if cached is None or cached[0] != stamp:
                reader = read_record_file if path.name.endswith(SUFFIX) else read_race_file
                cached = stamp, reader(path, *stamp)
                if isinstance(cached[1], BrokenFile) and not os.path.lexists(path):
                    continue  # deleted while it was read
            cache[path] = cached
        self._cache = cache
        return [file for _, file in cache.values()]


def _stamp(entry: os.DirEntry[str]) -> tuple[float, int] | None:
    """Return (mtime, size) of a file; None if it was deleted after the folder was read."""
    for follow in (True, False):  # a link to nowhere is listed, too
        try:
            stat = entry.stat(follow_symlinks=follow)
        except OSError:
            continue
        return stat.st_mtime, stat.st_size
    return None


def race_from_runs(race_id: str, runs: Sequence[RunSnapshot]) -> RaceSnapshot:
    """Return runs read from files as one race."""
    horizons = ((run.header or {}).get("horizon") for run in runs)
    horizon = next((horizon for horizon in horizons if horizon is not None), None)
    speed = next((run.speeds[-1].factor for run in runs if run.speeds), 1.0)
    status = race_status({run.status for run in runs})
    now, disturbed = _now(runs, horizon), disturbance(runs)
    return RaceSnapshot(
        race_id, status, tuple(runs), now, horizon, speed=speed, disturbed=disturbed
    )


def _now(runs: Sequence[RunSnapshot], horizon: float | None) -> float:
    """Return the time of the slowest clock; runs that failed count only if all failed."""
    times = [RunOutcome(run).time_reached for run in runs if run.status != RunStatus.FAILED]
    reached = [time for time in times if time is not None] or [max(run.end for run in runs)]
    return min([*reached, horizon or math.inf])
