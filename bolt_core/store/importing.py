"""Import record files from elsewhere, after checking every line.

A file holds one or more records as `bolt run`, the dashboard or `opt.save` write them, each
beginning with its header line; the dashboard's export of a race is such a file. The twin of a log
that a run was on is stored, too, if it is not there yet. The file is read line by
line, so that a large file needs little memory, up to the first error or limit. Nothing in it is
executed, nothing is stored before everything has been checked, and the bytes are kept unchanged.
"""

import filecmp
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, NamedTuple

from bolt_core.benchmarks.twin import TwinDefinition
from bolt_core.common import files
from bolt_core.common.errors import RecordError
from bolt_core.store import race_file, record_checks, record_twins, records
from bolt_core.store.library import Library
from bolt_core.store.record_format import parse_line
from bolt_core.store.record_schema import KIND_OF_FILE, SCHEMAS

MAX_FILE_BYTES = 100 * 1024 * 1024
MAX_LINE_BYTES = 8 * 1024 * 1024
MAX_RUNS = 200  # per file
MAX_PASSES = 200_000  # per file
MAX_LINES = 2 * MAX_PASSES  # per file
MAX_NOTE_VALUES = 4_000_000  # per file; the notes of all passes are in memory when a race is shown
LOCK = ".records.lock"  # held by the import that is moving its records into the folder
HEADER = b'{"kind": "header"'
DRAFT_PREFIX, DRAFT_SUFFIX = ".import-", ".part"


@dataclass(slots=True)
class Draft:
    """A record that has been copied into the folder under a temporary name and checked."""

    path: Path
    header: Mapping[str, Any]
    passes: int = 0
    lines: int = 1
    torn: bool = False  # its last line is incomplete

    @property
    def run_id(self) -> str:
        """The id of the run."""
        return str(self.header["run_id"])

    @property
    def race_id(self) -> str:
        """The id of the race; a record without one is a race of its own."""
        return str(self.header.get("race_id") or self.run_id)

    @property
    def benchmark(self) -> str:
        """The key of its benchmark."""
        return str(self.header["config"]["benchmark"])


@dataclass(slots=True)
class Totals:
    """What has been read of a file so far."""

    name: str
    size: int = 0  # bytes
    lines: int = 0
    passes: int = 0
    note_values: float = 0
    drafts: list[Draft] = field(default_factory=list)
    twins: dict[str, TwinDefinition] = field(default_factory=dict)  # of logs, by key


class Imported(NamedTuple):
    """What an import did: the ids of the races in the file, and how many records are new."""

    race_ids: list[str]
    new_records: int


def import_records(
    data: bytes | IO[bytes], directory: Path, *, name: str = "this file"
) -> list[str]:
    """Store the records of a file as `store_records` does; return the ids of its races."""
    return store_records(data, directory, name=name).race_ids


def store_records(data: bytes | IO[bytes], directory: Path, *, name: str = "this file") -> Imported:
    """Store the records of a file in `directory`.

    A record that exists already with the same bytes is left alone. RecordError is raised for
    another record of an existing id, because one of the two would be lost, for a race that is being
    run, and for a record that joins a race on another benchmark.
    """
    totals = Totals(name)
    lines = _lines(io.BytesIO(data) if isinstance(data, bytes) else data, totals)
    try:
        _copy(lines, directory, totals)
        if not totals.passes and "bounds" in totals.drafts[0].header:
            raise _refused(totals, "it has no measurement yet; save it again after the first tell")
        with files.locked(directory / LOCK, wait_seconds=math.inf):
            new_records = _store(totals, directory)
    except OSError as problem:
        raise RecordError(f"cannot store {name}: {problem.strerror}") from None
    finally:
        for draft in totals.drafts:
            with suppress(OSError):
                draft.path.unlink(missing_ok=True)
    return Imported(list(dict.fromkeys(draft.race_id for draft in totals.drafts)), new_records)


def _lines(source: IO[bytes], totals: Totals) -> Iterator[bytes]:
    """Yield the lines of a file up to the limits of its size."""
    while text := source.readline(MAX_LINE_BYTES + 1):
        totals.size += len(text)
        totals.lines += 1
        if totals.lines > MAX_LINES:
            raise _refused(totals, f"it has more than {MAX_LINES:,} lines")
        if totals.size > MAX_FILE_BYTES:
            raise RecordError(
                f"{totals.name} is too large: "
                f"at most {MAX_FILE_BYTES / 1e6:,.0f} MB can be imported"
            )
        if totals.lines == 1 and not text.startswith(HEADER):
            raise RecordError(
                f"{totals.name} is not a BOLT record: give a .jsonl file that the dashboard, "
                "`bolt run` or opt.save wrote"
            )
        if len(text) > MAX_LINE_BYTES:
            raise _refused(totals, f"it has a line of over {MAX_LINE_BYTES / 1e6:.0f} MB")
        yield text
    if not totals.size:
        raise RecordError(f"{totals.name} is not a BOLT record: it is empty")


def _copy(lines: Iterator[bytes], directory: Path, totals: Totals) -> None:
    """Check all lines, and copy each record into a draft of its own."""
    file: IO[bytes] | None = None
    try:
        for text in lines:
            if text.startswith(HEADER):
                if file is not None:
                    file.close()
                draft = _begin(text, directory, totals)
                file = draft.path.open("xb")
            else:
                draft = totals.drafts[-1]
                _check_line(text, draft, totals)
            assert file is not None  # the first line is a header
            file.write(text)
    finally:
        if file is not None:
            file.close()


def _begin(text: bytes, directory: Path, totals: Totals) -> Draft:
    """Check a header line and add a draft for its record."""
    if len(totals.drafts) >= MAX_RUNS:
        raise RecordError(f"{totals.name} holds more than {MAX_RUNS} runs; split it")
    try:
        header = parse_line(text if text.endswith(b"\n") else b"")  # as it is read later
    except ValueError:
        raise _refused(totals, "a header is torn or not JSON") from None
    if header.get("schema") not in SCHEMAS:
        raise _refused(totals, f"it is not {KIND_OF_FILE}")
    if reason := record_checks.header_error(header):
        raise _refused(totals, reason)
    _note_twin(header, totals)
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{DRAFT_PREFIX}{token_hex(8)}{DRAFT_SUFFIX}"
    draft = Draft(path, record_twins.without_twin(header))
    totals.drafts.append(draft)
    return draft


def _note_twin(header: Mapping[str, Any], totals: Totals) -> None:
    """Check the twin of a header and keep it, once per key."""
    try:
        definition = record_twins.twin_in(header)
    except RecordError as problem:
        raise _refused(totals, str(problem)) from None
    if definition is not None:
        totals.twins.setdefault(definition.key, definition)
    if len(totals.twins) > record_twins.MAX_TWINS_PER_FILE:
        raise _refused(totals, f"it has more than {record_twins.MAX_TWINS_PER_FILE} twins of logs")


def _check_line(text: bytes, draft: Draft, totals: Totals) -> None:
    """Check a line after a header; only the last line of a record may be torn."""
    if draft.torn and text.strip():
        raise _refused(totals, f"line {draft.lines} of a record is torn or not JSON")
    draft.lines += not draft.torn
    try:
        line = parse_line(text)
    except ValueError:
        draft.torn = True
        return
    if reason := record_checks.line_error(line, draft.passes, draft.header["dimension"]):
        raise _refused(totals, f"line {draft.lines} of a record: {reason}")
    if line["kind"] == "iteration":
        draft.passes += 1
        totals.passes += 1
        totals.note_values += record_checks.count_values(line.get("notes", {}))
        if totals.passes > MAX_PASSES:
            raise _refused(totals, f"it has more than {MAX_PASSES:,} passes")
        if totals.note_values > MAX_NOTE_VALUES:
            reason = f"more than {MAX_NOTE_VALUES:,} values in notes, or deeply nested ones"
            raise _refused(totals, f"line {draft.lines} of a record: {reason}")


def _refused(totals: Totals, reason: str) -> RecordError:
    return RecordError(f"{totals.name} is not imported: {reason}")


def _store_twins(totals: Totals) -> None:
    try:
        record_twins.store_twins(totals.twins.values())
    except RecordError as problem:
        raise _refused(totals, str(problem)) from None


def _store(totals: Totals, directory: Path) -> int:
    """Move all new drafts to their final names, or none if one is refused; return how many."""
    drafts, name = totals.drafts, totals.name
    targets = {directory / f"{draft.run_id}{records.SUFFIX}": draft for draft in drafts}
    if len(targets) < len(drafts):
        raise RecordError(f"{name} holds two records of one id; split it into two files")
    new = {}
    for target, draft in targets.items():
        if not target.exists():
            new[target] = draft
        elif not filecmp.cmp(target, draft.path, shallow=False):
            _check_not_running(target, draft, name)
            raise RecordError(
                f"{name}: another record of the id {draft.run_id} exists already; "
                "delete that one first"
            )
    _check_races(new.values(), Library(directory), name)
    _store_twins(totals)
    for target, draft in new.items():
        draft.path.replace(target)
    return len(new)


def _check_not_running(path: Path, draft: Draft, name: str) -> None:
    if files.is_locked(path):
        raise RecordError(
            f"{name} is not imported: race {draft.race_id} is running here and has gone on since; "
            "stop it and export it again, or import the file on another server"
        )


def _check_races(drafts: Iterable[Draft], library: Library, name: str) -> None:
    """Check that new runs share the benchmark of their race, and that it is not being run."""
    benchmarks_by_race: dict[str, str] = {}
    for draft in drafts:
        race = library.find(draft.race_id)
        if race is not None and race.runs:
            benchmarks_by_race.setdefault(draft.race_id, race.runs[0].config.benchmark)
            announced = {run.run_id for run in race.plan.runs} if race.plan else set()
            if announced and draft.run_id not in announced:
                raise RecordError(
                    f"{name} is not imported: race {draft.race_id} exists already, and its runs "
                    f"do not include {draft.run_id}"
                )
            _check_not_running(race_file.path_of(library.directory, draft.race_id), draft, name)
        benchmark = benchmarks_by_race.setdefault(draft.race_id, draft.benchmark)
        if benchmark != draft.benchmark:
            raise RecordError(
                f"{name} is not imported: it has a run on {draft.benchmark[:40]!r} of race "
                f"{draft.race_id}, whose others are on {benchmark[:40]!r}"
            )
