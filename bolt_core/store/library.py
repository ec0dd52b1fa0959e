"""The runs on disk: listed without reading them whole, found by race, taken in from elsewhere.

A **race** here is all records that carry one race id; a record without one (of `bolt run` or of
`opt.save`) is a race of its own. What a row shows comes from the first line of a file and from its
last lines, where the writer left a summary (run_summary.py); both are kept in memory until the file
changes. Names and tags of races stand in one small file beside the records.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bolt_core.common import files
from bolt_core.common.errors import BoltError, RecordError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot, race_status
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.records import SUFFIX, read, read_header

TAIL = 1 << 16  # bytes first looked at from the end of a file
LONGEST_NAME, MOST_TAGS = 80, 8
NAMES = "names.json"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One record, as far as a list needs it."""

    path: Path
    run_id: str
    race_id: str
    place: int  # among the runs of its race
    config: RunConfig
    status: RunStatus
    header: Mapping[str, Any]
    summary: Mapping[str, Any]  # may be empty: a file without a state or closing line yet
    size: int  # bytes
    changed: float  # seconds since the epoch


@dataclass(frozen=True, slots=True)
class StoredRace:
    """The records of one race, in their order."""

    race_id: str
    runs: tuple[StoredRun, ...]
    name: str = ""
    tags: tuple[str, ...] = ()

    @property
    def status(self) -> RunStatus:
        return race_status({run.status for run in self.runs})

    @property
    def size(self) -> int:
        return sum(run.size for run in self.runs)

    @property
    def changed(self) -> float:
        return max(run.changed for run in self.runs)


class Library:
    """A folder of records. Every method may be called from any thread."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._known: dict[Path, tuple[tuple[float, int], StoredRun | None]] = {}

    def races(self) -> list[StoredRace]:
        """All of them, the newest first; files that are no records are passed over."""
        found: dict[str, list[StoredRun]] = {}
        for filed in self._filed():
            found.setdefault(filed.race_id, []).append(filed)
        about = self._names()
        races = [_race(race_id, runs, about) for race_id, runs in found.items()]
        return sorted(races, key=lambda race: race.changed, reverse=True)

    def find(self, race_id: str) -> StoredRace | None:
        runs = [filed for filed in self._filed() if filed.race_id == race_id]
        return _race(race_id, runs, self._names()) if runs else None

    def open(self, race_id: str) -> RaceSnapshot | None:
        """The race as its files tell it, or None if there are none."""
        runs = tuple(self.runs(race_id).values())
        return race_from_runs(race_id, runs) if runs else None

    def runs(self, race_id: str) -> dict[Path, RunSnapshot]:
        """Its readable runs by file, in their order."""
        found = self.find(race_id)
        runs = {}
        for filed in found.runs if found else ():
            with suppress(RecordError):  # torn in its middle
                runs[filed.path] = read(filed.path)
        return runs

    def rename(self, race_id: str, name: str, tags: Iterable[str] = ()) -> None:
        """What the list calls a race; an empty name takes it back to what it raced."""
        kept = tuple(dict.fromkeys(tag.strip() for tag in tags if tag.strip()))
        if len(name) > LONGEST_NAME or any(len(tag) > LONGEST_NAME for tag in kept):
            raise BoltError(f"a name or tag has at most {LONGEST_NAME} characters; shorten it")
        if len(kept) > MOST_TAGS:
            raise BoltError(f"a race has at most {MOST_TAGS} tags, got {len(kept)}; drop some")
        about = dict(self._names())
        about[race_id] = {"name": name.strip(), "tags": list(kept)}
        self._write_names({key: value for key, value in about.items() if any(value.values())})

    def size(self) -> int:
        """Bytes of all records."""
        return sum(filed.size for filed in self._filed())

    def _filed(self) -> list[StoredRun]:
        seen: dict[Path, tuple[tuple[float, int], StoredRun | None]] = {}
        try:
            entries = sorted(os.scandir(self.directory), key=lambda entry: entry.name)
        except FileNotFoundError:
            entries = []
        for entry in entries:
            if not entry.name.endswith(SUFFIX) or entry.name.startswith("."):
                continue
            stat, path = entry.stat(), Path(entry.path)
            stamp = (stat.st_mtime, stat.st_size)
            old = self._known.get(path)
            seen[path] = old if old and old[0] == stamp else (stamp, _filed(path, *stamp))
        self._known = seen
        return [filed for _, filed in seen.values() if filed is not None]

    def _names(self) -> Mapping[str, Mapping[str, Any]]:
        try:
            found = json.loads((self.directory / NAMES).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write_names(self, about: Mapping[str, Any]) -> None:
        target = self.directory / NAMES
        try:
            files.write_atomically(target, json.dumps(about, indent=1).encode())
        except OSError as problem:
            raise RecordError(f"cannot write {target}: {problem.strerror}") from None


def race_from_runs(race_id: str, runs: Sequence[RunSnapshot]) -> RaceSnapshot:
    """Runs from their files, as one race."""
    horizon = (runs[0].header or {}).get("horizon")
    speed = next((run.speeds[-1].factor for run in runs if run.speeds), 1.0)
    status = race_status({run.status for run in runs})
    return RaceSnapshot(race_id, status, tuple(runs), _now(runs, horizon), horizon, speed=speed)


def _race(
    race_id: str, runs: list[StoredRun], about: Mapping[str, Mapping[str, Any]]
) -> StoredRace:
    told = about.get(race_id, {})
    ordered = tuple(sorted(runs, key=lambda run: (run.place, run.config.seed, run.run_id)))
    tags = tuple(str(tag) for tag in told.get("tags", ()))
    return StoredRace(race_id, ordered, str(told.get("name", "")), tags)


def _now(runs: Sequence[RunSnapshot], horizon: float | None) -> float:
    """Where the slowest clock stands; a failed run holds nobody back."""
    sound = [run for run in runs if len(run) and run.status != RunStatus.FAILED]
    ends = [_reached(run) for run in sound]
    return min([*ends, horizon or math.inf]) if ends else 0.0


def _reached(run: RunSnapshot) -> float:
    """Where its clock stands; who has finished is at the horizon, however early it last looked."""
    horizon = (run.header or {}).get("horizon")
    if run.status == RunStatus.FINISHED and horizon is not None:
        return float(horizon)
    return float(run.columns.ends()[-1])


def _filed(path: Path, changed: float, size: int) -> StoredRun | None:
    """None for a file that is no record, or not one of ours."""
    try:
        about = read_header(path)
        run_id = str(about.get("run_id") or path.stem)
        end = last_state_or_end(path, size)
        return StoredRun(
            path=path,
            run_id=run_id,
            race_id=str(about.get("race_id") or run_id),
            place=int(about.get("place", about.get("lane", 0))),
            config=RunConfig.from_json(about["config"]),
            status=RunStatus(end.get("status", RunStatus.INTERRUPTED)),
            header=about,
            summary=_summary(end.get("summary")),
            size=size,
            changed=changed,
        )
    except (BoltError, OSError, KeyError, TypeError, ValueError, OverflowError):
        return None


def _summary(told: object) -> Mapping[str, Any]:
    """What the writer left, if it is of the kind that RunSummary writes."""
    if not isinstance(told, dict) or not isinstance(told.get("iterations"), int):
        return {}
    number, spark = (int, float, type(None)), told.get("spark", [])
    sound = all(isinstance(told.get(name), number) for name in ("n", "n_star", "regret"))
    return told if sound and isinstance(spark, list) else {}


def last_state_or_end(path: Path, size: int) -> dict[str, Any]:
    """The closing line; of a file without one, the newest state line."""
    look = TAIL
    while True:
        with path.open("rb") as file:
            file.seek(max(size - look, 0))
            lines = file.read().split(b"\n")
        whole = lines if look >= size else lines[1:]  # the first one may be cut
        for text in reversed(whole):
            line = _object(text)
            if line.get("kind") in ("end", "state"):
                return line
        if look >= size:
            return {}
        look *= 8


def _object(text: bytes) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return line if isinstance(line, dict) else {}
