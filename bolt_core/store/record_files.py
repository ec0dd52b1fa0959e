"""Record files as a list shows them: header and summary, or why a file cannot be read."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bolt_core.common.errors import RecordError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.store import race_file, record_checks
from bolt_core.store.ids import is_valid_id
from bolt_core.store.record_twins import without_twin
from bolt_core.store.records import SUFFIX, read_header

TAIL_BYTES = 1 << 16  # read first from the end of a file
MAX_TAIL_BYTES = 1 << 26  # read at most, to find the last state


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
    exists: bool = True  # False: the run was announced and has no record
    problem: str | None = None  # why its summary is not shown


@dataclass(frozen=True, slots=True)
class BrokenFile:
    """A file in the folder of records that cannot be read."""

    path: Path
    race_id: str  # of its header if that is readable, else made from its name
    reason: str
    size: int  # bytes
    changed: float  # seconds since the epoch


def read_record_file(path: Path, changed: float, size: int) -> RecordFile | BrokenFile:
    """Read the header and the end of a record; never raises."""
    race_id = _id_of_name(path)
    try:
        header = read_header(path)
        run_id = header.get("run_id") or path.stem
        valid_ids = [str(i) for i in (header.get("race_id"), run_id) if is_valid_id(i)]
        race_id = valid_ids[0] if valid_ids else race_id
        if reason := record_checks.header_error({**header, "run_id": run_id}):
            return BrokenFile(path, race_id, reason, size, changed)
        end = last_state_or_end(path, size)
        summary = end.get("summary") or {}
        problem = record_checks.summary_error(summary)
        return RecordFile(
            path=path,
            run_id=run_id,
            race_id=race_id,
            order=header.get("place") or header.get("lane") or 0,
            config=RunConfig.from_json(header["config"]),
            status=RunStatus(end.get("status", RunStatus.INTERRUPTED)),
            header=without_twin(header),
            summary={} if problem else summary,
            size=size,
            changed=changed,
            problem=problem,
        )
    except Exception as problem:  # noqa: BLE001 - one file must not hide the others
        reason = str(problem).replace(str(path), path.name) or type(problem).__name__
        return BrokenFile(path, race_id, reason, size, changed)


def read_race_file(path: Path, changed: float, size: int) -> race_file.RaceFile | BrokenFile:
    """Read the file of an announced race; never raises."""
    try:
        return race_file.read(path)
    except RecordError as problem:
        return BrokenFile(path, _id_of_name(path), str(problem), size, changed)


def planned_record_files(race: race_file.RaceFile, directory: Path) -> list[RecordFile]:
    """Return the runs of an announced race as record files that do not exist."""
    announced = race.announced.isoformat(timespec="seconds")
    return [
        RecordFile(
            path=directory / f"{run.run_id}{SUFFIX}",
            run_id=run.run_id,
            race_id=race.race_id,
            order=run.place,
            config=run.config,
            status=RunStatus.INTERRUPTED,
            header={
                "run_id": run.run_id,
                "race_id": race.race_id,
                "lane": run.lane,
                "place": run.place,
                "started": announced,
            },
            summary={},
            size=0,
            changed=race.announced.timestamp(),
            exists=False,
        )
        for run in race.runs
    ]


def last_state_or_end(path: Path, size: int) -> dict[str, Any]:
    """Return the closing line of a record; without one, its last state line; {} without either."""
    tail = TAIL_BYTES
    while True:
        with path.open("rb") as file:
            file.seek(max(size - tail, 0))
            lines = file.read(tail).split(b"\n")
        whole = lines if tail >= size else lines[1:]  # the first may be incomplete
        for text in reversed(whole):
            line = _object(text)
            if line.get("kind") in ("end", "state"):
                return line
        if tail >= min(size, MAX_TAIL_BYTES):
            return {}
        tail *= 8


def _object(text: bytes) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return line if isinstance(line, dict) else {}


def _id_of_name(path: Path) -> str:
    """Return an id made from the name of a file; the same id at every listing."""
    stem = path.name.removesuffix(SUFFIX).removesuffix(race_file.SUFFIX)
    return stem if is_valid_id(stem) else "file-" + hashlib.sha256(stem.encode()).hexdigest()[:16]
