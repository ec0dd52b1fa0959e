"""The library of records in a folder: listed by race, opened and named.

A **race** here is all records with one race id; a record without one (of `bolt run` or `opt.save`)
is a race of its own. Listing reads only the first line of a file and its last lines, which hold a
summary (`run_summary`); both are cached until the file changes. Names and tags of races are in one
small file beside the records.
"""

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.common import files
from bolt_core.common.errors import BoltError, RecordError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot, race_status
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.records import SUFFIX, read, read_header

TAIL_BYTES = 1 << 16  # read first from the end of a file
MAX_NAME_LENGTH, MAX_TAGS = 80, 8
NAMES_FILE = "names.json"


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One record file: its header and the summary at its end."""

    path: Path
    run_id: str
    race_id: str
    order: int  # among the runs of its race
    config: RunConfig
    status: RunStatus
    header: Mapping[str, Any]
    summary: Mapping[str, Any]  # empty for a file without a state line or closing line
    size: int  # bytes
    changed: float  # time of the last write, seconds since the epoch


@dataclass(frozen=True, slots=True)
class StoredRace:
    """The record files of one race, in the order of its runs."""

    race_id: str
    runs: tuple[RecordFile, ...]
    name: str = ""
    tags: tuple[str, ...] = ()

    @property
    def status(self) -> RunStatus:
        """The status of the race, from those of its runs."""
        return race_status({run.status for run in self.runs})

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(run.size for run in self.runs)

    @property
    def changed(self) -> float:
        """The time of the last write, in seconds since the epoch."""
        return max(run.changed for run in self.runs)


class Library:
    """A folder of records. Every method can be called from any thread."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._cache: dict[Path, tuple[tuple[float, int], RecordFile | None]] = {}

    def races(self) -> list[StoredRace]:
        """Return all races, the most recently written first; other files are ignored."""
        files_by_race: dict[str, list[RecordFile]] = {}
        for file in self._record_files():
            files_by_race.setdefault(file.race_id, []).append(file)
        names = self._names()
        races = [_race(race_id, runs, names) for race_id, runs in files_by_race.items()]
        return sorted(races, key=lambda race: race.changed, reverse=True)

    def find(self, race_id: str) -> StoredRace | None:
        """Return one race, or None if it has no records here."""
        runs = [file for file in self._record_files() if file.race_id == race_id]
        return _race(race_id, runs, self._names()) if runs else None

    def open(self, race_id: str) -> RaceSnapshot | None:
        """Read the records of a race; None if there are none."""
        runs = tuple(self.runs(race_id).values())
        return race_from_runs(race_id, runs) if runs else None

    def runs(self, race_id: str) -> dict[Path, RunSnapshot]:
        """Read the runs of a race, by file; a file damaged in its middle is left out."""
        race = self.find(race_id)
        runs = {}
        for file in race.runs if race else ():
            with suppress(RecordError):
                runs[file.path] = read(file.path)
        return runs

    def rename(self, race_id: str, name: str, tags: Iterable[str] = ()) -> None:
        """Set the name and the tags of a race; an empty name removes it."""
        kept = tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
        if len(name) > MAX_NAME_LENGTH or any(len(tag) > MAX_NAME_LENGTH for tag in kept):
            raise BoltError(f"a name or tag has at most {MAX_NAME_LENGTH} characters; shorten it")
        if len(kept) > MAX_TAGS:
            raise BoltError(f"a race has at most {MAX_TAGS} tags, got {len(kept)}; drop some")
        names = dict(self._names())
        names[race_id] = {"name": name.strip(), "tags": list(kept)}
        self._write_names({key: value for key, value in names.items() if any(value.values())})

    def size(self) -> int:
        """Return the bytes of all records."""
        return sum(file.size for file in self._record_files())

    def _record_files(self) -> list[RecordFile]:
        """Return the record files of the folder, reading only those that changed."""
        cache: dict[Path, tuple[tuple[float, int], RecordFile | None]] = {}
        try:
            entries = sorted(os.scandir(self.directory), key=lambda entry: entry.name)
        except FileNotFoundError:
            entries = []
        for entry in entries:
            if not entry.name.endswith(SUFFIX) or entry.name.startswith("."):
                continue
            stat, path = entry.stat(), Path(entry.path)
            stamp = (stat.st_mtime, stat.st_size)
            cached = self._cache.get(path)
            if cached is None or cached[0] != stamp:
                cached = stamp, _record_file(path, *stamp)
            cache[path] = cached
        self._cache = cache
        return [file for _, file in cache.values() if file is not None]

    def _names(self) -> Mapping[str, Mapping[str, Any]]:
        try:
            names = json.loads((self.directory / NAMES_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return names if isinstance(names, dict) else {}

    def _write_names(self, names: Mapping[str, Any]) -> None:
        target = self.directory / NAMES_FILE
        try:
            files.write_atomically(target, json.dumps(names, indent=1).encode())
        except OSError as problem:
            raise RecordError(f"cannot write {target}: {problem.strerror}") from None


def race_from_runs(race_id: str, runs: Sequence[RunSnapshot]) -> RaceSnapshot:
    """Return runs read from files as one race."""
    horizon = (runs[0].header or {}).get("horizon")
    speed = next((run.speeds[-1].factor for run in runs if run.speeds), 1.0)
    status = race_status({run.status for run in runs})
    return RaceSnapshot(race_id, status, tuple(runs), _now(runs, horizon), horizon, speed=speed)


def _race(
    race_id: str, runs: list[RecordFile], names: Mapping[str, Mapping[str, Any]]
) -> StoredRace:
    given = names.get(race_id, {})
    ordered = tuple(sorted(runs, key=lambda run: (run.order, run.config.seed, run.run_id)))
    tags = tuple(str(tag) for tag in given.get("tags", ()))
    return StoredRace(race_id, ordered, str(given.get("name", "")), tags)


def _now(runs: Sequence[RunSnapshot], horizon: float | None) -> float:
    """Return the time of the slowest clock; runs that failed do not count."""
    times = [RunOutcome(run).time_reached for run in runs if run.status != RunStatus.FAILED]
    reached = [time for time in times if time is not None]
    return min([*reached, horizon or math.inf]) if reached else 0.0


def _record_file(path: Path, changed: float, size: int) -> RecordFile | None:
    """Read the header and the end of a file; None if it is not a record."""
    try:
        header = read_header(path)
        run_id = str(header.get("run_id") or path.stem)
        end = last_state_or_end(path, size)
        return RecordFile(
            path=path,
            run_id=run_id,
            race_id=str(header.get("race_id") or run_id),
            order=int(header.get("place", header.get("lane", 0))),
            config=RunConfig.from_json(header["config"]),
            status=RunStatus(end.get("status", RunStatus.INTERRUPTED)),
            header=header,
            summary=_summary(end.get("summary")),
            size=size,
            changed=changed,
        )
    except (BoltError, OSError, KeyError, TypeError, ValueError, OverflowError):
        return None


def _summary(line: object) -> Mapping[str, Any]:
    """Return a summary read from a file, or {} if it is not one that RunSummary writes."""
    if not isinstance(line, dict) or not isinstance(line.get("iterations"), int):
        return {}
    number, spark = (int, float, type(None)), line.get("spark", [])
    valid = all(isinstance(line.get(name), number) for name in ("n", "n_star", "regret"))
    return line if valid and isinstance(spark, list) else {}


def last_state_or_end(path: Path, size: int) -> dict[str, Any]:
    """Return the closing line of a record; without one, its last state line; {} without either."""
    tail = TAIL_BYTES
    while True:
        with path.open("rb") as file:
            file.seek(max(size - tail, 0))
            lines = file.read().split(b"\n")
        whole = lines if tail >= size else lines[1:]  # the first may be incomplete
        for text in reversed(whole):
            line = _object(text)
            if line.get("kind") in ("end", "state"):
                return line
        if tail >= size:
            return {}
        tail *= 8


def _object(text: bytes) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return line if isinstance(line, dict) else {}
