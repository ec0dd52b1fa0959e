"""Record files: append-only JSON lines, one file per run.

    {"kind": "header", "schema": 1, "run_id": ..., "config": {...}, "cpu": ..., "commit": ...}
    {"kind": "iteration", "i": 0, "x": [...], "t": 0.0, "y": ..., ...}     one per pass
    {"kind": "event", "name": ..., ...}                                    such as a speed change
    {"kind": "state", "i": 40, "summary": {...}, ...}                      enough to resume
    {"kind": "end", "status": "finished", "error": null, "summary": {...}}  see run_summary.py

Every line reaches the operating system before its pass is shown, and the disk within about a second
(`line_file.py` says what a crash can cost). State is saved every second, so a resumed run repeats
less than a second of work. A torn last line is dropped; a torn line in the middle is a RecordError.
The writer locks the file, so that two servers never continue one run.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bolt_core.common.bounded_read import lines_of
from bolt_core.common.errors import BoltError, NotARecordError, RecordError
from bolt_core.common.runtime import facts
from bolt_core.common.text import shortened
from bolt_core.common.types import IterationRecord, RunConfig, RunStatus, SpeedChange
from bolt_core.runs.history_edits import end_pass
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from bolt_core.store import record_format
from bolt_core.store.ids import new_id
from bolt_core.store.line_file import LineFile, SaveProblem
from bolt_core.store.record_format import from_json, open_record, read_lines, record_line, to_json
from bolt_core.store.record_schema import KIND_OF_FILE, SCHEMAS, schema_of
from bolt_core.store.run_summary import RunSummary

SUFFIX = ".jsonl"
STATE_INTERVAL_SECONDS = 1.0  # between two state lines
SETTLE_AFTER_SECONDS = 0.8  # age of the last state at which `settle` saves another
NO_STATE = "no_state"  # event: why no state is saved
PASS_ENDED = "pass_ended"  # event: the response time of the last pass of the user's own problem
CONTENTION = "contention"  # event: how busy the machine was with other things, on the cpu clock


class RecordWriter:
    """Writes the record of one run; as a context manager, an exception closes it as failed."""

    def __init__(
        self,
        path: Path,
        config: RunConfig,
        *,
        header: Mapping[str, Any],
        run_id: str | None = None,
        now: Callable[[], float] = time.monotonic,
        keep_trying: bool = False,
    ) -> None:
        """Create the file and write its header line; an existing file is never overwritten.

        `header` holds further fields of the header line, such as the benchmark's dimension and
        noise variance and the race id. With `keep_trying`, a file that cannot be written raises
        nothing: see `LineFile`.
        """
        if path.exists():
            raise RecordError(f"{path} exists already; choose another name")
        self._begin(LineFile(path, keep_trying=keep_trying), run_id or new_id(), now)
        try:
            self._write(
                "header",
                schema=schema_of(config, header),
                run_id=self.run_id,
                config=config.to_json(),
                config_key=config.key,
                started=datetime.now(UTC).isoformat(timespec="seconds"),
                **header,
                **facts(),
            )
        except FileExistsError:  # created meanwhile, by another process
            raise RecordError(f"{path} exists already; choose another name") from None
        except OSError as problem:  # a full disk; no empty file is left behind
            self.abandon()
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise RecordError(f"cannot write {path}: {problem.strerror}") from None

    def _begin(self, lines: LineFile, run_id: str, now: Callable[[], float]) -> None:
        self.path, self.run_id = lines.path, run_id
        self._lines, self._now = lines, now
        self._stated = now()
        self._summary = RunSummary()
        self._unstated = False  # whether passes were written after the last state
        self._stateless = False  # whether the algorithm gives no state
        self._closed = False

    @classmethod
    def reopen(
        cls, path: Path, *, now: Callable[[], float] = time.monotonic, keep_trying: bool = False
    ) -> tuple[RecordWriter, RunSnapshot, Mapping[str, Any] | None]:
        """Lock a file to continue it; return its run up to its last state, and that state as well.

        The file is cut after its last state, or after its header if it has none, when the next line
        is written. Until then it is unchanged, and `abandon` leaves it so.
        """
        run_id = str(read_header(path).get("run_id", ""))
        writer = cls.__new__(cls)
        try:
            lines = LineFile(path, continues=True, keep_trying=keep_trying)
        except OSError as problem:
            raise RecordError(f"cannot continue {path}: {problem.strerror}") from None
        writer._begin(lines, run_id, now)
        try:
            length, state = _last_state_in(path.read_bytes())
            lines.cut_after(length)
            run = read(path, length)
            for record in run.records:
                writer._summary.add(record)
            for change in run.speeds:
                writer._summary.add_speed(change.t, change.factor)
            writer._summary.contention = run.contention
        except BaseException:
            writer.abandon()
            raise
        return writer, run, state

    @property
    def problem(self) -> SaveProblem | None:
        """Why the record is not being saved, and since when; None while it is saved."""
        return self._lines.problem

    def append(
        self, record: IterationRecord, state: Callable[[], Mapping[str, Any]] | None = None
    ) -> None:
        """Write a completed pass; `state` is called about once per second."""
        self._write("iteration", **to_json(record))
        self._summary.add(record)
        self._unstated = True
        if state is not None and self._now() - self._stated >= STATE_INTERVAL_SECONDS:
            self.save_state(state)

    def save_state(self, state: Callable[[], Mapping[str, Any]]) -> None:
        """Write a state from which the run can be resumed.

        If the algorithm of a plug-in gives none, an event says why, once. The passes are saved
        nevertheless; the run can be read, but not resumed.
        """
        if self._stateless:
            return
        try:
            line = record_line("state", summary=self._summary.summary(), **state())
        except Exception as problem:  # noqa: BLE001 - the code of a plug-in, or not JSON
            self._stateless = True
            self.event(NO_STATE, reason=shortened(f"{type(problem).__name__}: {problem}", 300))
            return
        self._lines.write(line)
        self._stated, self._unstated = self._now(), False

    def event(self, name: str, **data: Any) -> None:  # noqa: ANN401 - JSON values
        """Write an event line."""
        self._write("event", name=name, **data)
        if name == "speed":
            self._summary.add_speed(data["t"], data["factor"])
        if name == CONTENTION:
            self._summary.contention = data["ratio"]

    def settle(
        self, state: Callable[[], Mapping[str, Any]], *, after: float = SETTLE_AFTER_SECONDS
    ) -> None:
        """Write a state line if passes were made since the last one and it is `after` seconds old.

        A resumed run then does not repeat these passes.
        """
        if self._unstated and self._now() - self._stated >= after:
            self.save_state(state)

    def close(self, status: RunStatus, error: str | None = None) -> None:
        """Write the closing line and release the file; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            summary = self._summary.summary()
            self._write("end", status=str(status), error=error, summary=summary)
        finally:
            self._lines.close()

    def abandon(self) -> None:
        """Release the file without a closing line; it is read as interrupted."""
        self._closed = True
        self._lines.abandon()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            reason = str(error) or type(error).__name__
            stopped = isinstance(error, KeyboardInterrupt)
            self.close(RunStatus.STOPPED if stopped else RunStatus.FAILED, reason)
        self.close(RunStatus.FINISHED)

    def _write(self, kind: str, **data: Any) -> None:  # noqa: ANN401
        self._lines.write(record_line(kind, **data))


def _last_state_in(raw: bytes) -> tuple[int, Mapping[str, Any] | None]:
    """Return the end of the last complete state line and the state; else the end of the header."""
    end = raw.rfind(b"\n") + 1
    while end:
        begin = raw.rfind(b"\n", 0, end - 1) + 1
        if b'"state"' in raw[begin:end]:
            with suppress(ValueError, RecursionError):
                state = json.loads(raw[begin:end])
                if state["kind"] == "state" and type(state.get("i")) is int:
                    return end, state
        end = begin
    return raw.index(b"\n") + 1, None


def read(path: Path, length: int | None = None) -> RunSnapshot:
    """Read a record, or its first `length` bytes; one without a closing line was interrupted."""
    lines = read_lines(path, length)
    header = next(lines, (1, {}))[1]
    if header.get("kind") != "header" or header.get("schema") not in SCHEMAS:
        raise NotARecordError(f"{path} is not {KIND_OF_FILE}")
    status, error, at = RunStatus.INTERRUPTED, None, 1
    speeds: list[SpeedChange] = []
    ratios: list[float] = []  # of contention
    try:
        config = RunConfig.from_json(header["config"])
        history = RunHistory(record_format.checked_dimension(header["dimension"]))
        for at, line in lines:  # noqa: B007 - named in the error
            if line["kind"] == "iteration":
                history.append(from_json(line, history.length))
            elif line["kind"] == "event":
                _note_event(line, speeds, ratios, history)
            elif line["kind"] == "end":
                status = RunStatus(line["status"])
                error = None if line["error"] is None else str(line["error"])
    except (
        BoltError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as problem:
        if isinstance(problem, RecordError):
            raise
        raise RecordError(
            f"{path}, line {at}: not a line of a BOLT record ({shortened(problem)})"
        ) from problem
    run_id = str(header.get("run_id", ""))
    columns, contention = history.view(), ratios[-1] if ratios else None
    return RunSnapshot(
        config, status, columns, error, run_id, header, tuple(speeds), contention=contention
    )


def _note_event(
    line: Mapping[str, Any], speeds: list[SpeedChange], ratios: list[float], history: RunHistory
) -> None:
    if line["name"] == PASS_ENDED and history.length:
        end_pass(history, float(line["seconds"]))
    elif line["name"] == "speed":
        speeds.append(SpeedChange(*(line[name] for name in SpeedChange._fields)))
    elif line["name"] == CONTENTION:
        ratios.append(float(line["ratio"]))


def read_header(path: Path) -> Mapping[str, Any]:
    """Read the first line of a record only."""
    try:
        with open_record(path) as file:
            first = next(lines_of(file), b"")
            line = json.loads(first if first.endswith(b"\n") else b"")
    except (OSError, EOFError, zlib.error, ValueError, RecursionError) as problem:
        raise RecordError(f"cannot read the header of {path}: {problem}") from None
    if not isinstance(line, dict) or line.get("kind") != "header":
        raise RecordError(f"{path} does not begin with a header; is it a BOLT record?")
    return line


def last_state(path: Path) -> Mapping[str, Any] | None:
    """Return the last state from which the run can continue, or None if there is none."""
    return _last_state_in(path.read_bytes())[1]
