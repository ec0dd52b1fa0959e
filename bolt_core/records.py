"""Runs on disk: append-only JSON lines, one file a run.

    {"kind": "header", "schema": 1, "run_id": ..., "config": {...}, "cpu": ..., "commit": ...}
    {"kind": "iteration", "i": 0, "x": [...], "t": 0.0, "y": ..., ...}     one a pass
    {"kind": "event", "name": ..., ...}                                    what happened to it
    {"kind": "state", "i": 40, "summary": {...}, ...}                      enough to go on from
    {"kind": "end", "status": "finished", "error": null, "summary": {...}}  see tally.py

Every iteration is flushed, so killing the process loses none that was completed; while lines come,
the disk is forced once a second. A torn last line is dropped, a torn middle is a RecordError.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import secrets
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from bolt_core.errors import BoltError, RecordError
from bolt_core.runtime import facts
from bolt_core.snapshot import RunHistory, RunSnapshot
from bolt_core.tally import Tally
from bolt_core.types import Hyperparameters, IterationRecord, Observation, RunConfig, RunStatus

SCHEMA = 1
SUFFIX = ".jsonl"
EVERY = 1.0  # seconds between two state lines, and between two forced writes
BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


def new_id() -> str:
    """UTC time and four random characters: sorts by age. See `new_ids` for many at once."""
    tail = "".join(secrets.choice(BASE32) for _ in range(4))
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{tail}"


def new_ids(count: int) -> list[str]:
    """As many different ids: two of a million within a second could otherwise meet."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[new_id()] = None
    return list(found)


class RecordWriter:
    """Writes one run as it goes. Use it as a context manager; an exception closes it as failed."""

    def __init__(
        self,
        path: Path,
        config: RunConfig,
        *,
        about: Mapping[str, Any],
        run_id: str | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`about`: what the benchmark is (source, dimension, noise variance), race id and the like.

        A file that is already there is never overwritten.
        """
        self.path = path
        self.run_id = run_id or new_id()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("x", encoding="utf-8")
        except FileExistsError:
            raise RecordError(f"{path} is there already; choose another name") from None
        except OSError as problem:
            raise RecordError(f"cannot write {path}: {problem.strerror}") from None
        self._now = now
        self._synced = self._stated = now()
        self._tally = Tally()
        try:
            self._write(
                "header",
                schema=SCHEMA,
                run_id=self.run_id,
                config=asdict(config),
                config_key=config.key,
                started=datetime.now(UTC).isoformat(timespec="seconds"),
                **about,
                **facts(),
            )
        except OSError as problem:  # a full disk: leave no empty file behind
            self.abandon()
            path.unlink(missing_ok=True)
            raise RecordError(f"cannot write {path}: {problem.strerror}") from None

    def append(
        self, record: IterationRecord, state: Callable[[], Mapping[str, Any]] | None = None
    ) -> None:
        """One completed pass; `state` is asked for about once a second."""
        self._write("iteration", **_flat(record))
        self._tally.add(record)
        if state is not None and self._now() - self._stated >= EVERY:
            self._write("state", summary=self._tally.summary(), **state())
            self._stated = self._now()

    def event(self, name: str, **data: Any) -> None:  # noqa: ANN401 - whatever JSON can say
        self._write("event", name=name, **data)

    def close(self, status: RunStatus, error: str | None = None) -> None:
        if self._file.closed:
            return
        try:
            told = self._tally.summary()
            self._write("end", status=str(status), error=error, summary=told)
            self._force()
        finally:
            self._file.close()

    def abandon(self) -> None:
        """Let go of a file that can no longer be written; it reads as interrupted."""
        with suppress(OSError):
            self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            reason = str(error) or type(error).__name__
            stopped = isinstance(error, KeyboardInterrupt)
            self.close(RunStatus.STOPPED if stopped else RunStatus.FAILED, reason)
        self.close(RunStatus.FINISHED)

    def _write(self, kind: str, **data: Any) -> None:  # noqa: ANN401
        self._file.write(json.dumps({"kind": kind, **data}, allow_nan=False) + "\n")
        self._file.flush()
        if self._now() - self._synced >= EVERY:
            self._force()

    def _force(self) -> None:
        os.fsync(self._file.fileno())
        self._synced = self._now()


def read(path: Path) -> RunSnapshot:
    """A run as its file tells it; one without a closing line was interrupted."""
    lines = _lines(path)
    about = next(lines, (1, {}))[1]
    if about.get("kind") != "header" or about.get("schema") != SCHEMA:
        raise RecordError(
            f"{path} is not a BOLT record of schema {SCHEMA}; give a file that `bolt run` wrote"
        )
    status, error, at = RunStatus.INTERRUPTED, None, 1
    try:
        config = RunConfig.from_json(about["config"])
        history = RunHistory(int(about["dimension"]))
        for at, line in lines:  # noqa: B007 - named in the error
            if line["kind"] == "iteration":
                history.append(_record(line, history.length))
            elif line["kind"] == "end":
                status, error = RunStatus(line["status"]), line["error"]
    except (BoltError, KeyError, TypeError, ValueError, IndexError, OverflowError) as problem:
        if isinstance(problem, RecordError):
            raise
        raise RecordError(
            f"{path}, line {at}: not a line of a BOLT record ({problem})"
        ) from problem
    return RunSnapshot(config, status, history.view(), error, str(about.get("run_id", "")), about)


def header(path: Path) -> Mapping[str, Any]:
    """The first line alone: what a file is, without reading all of it."""
    try:
        with _opened(path) as file:
            line = json.loads(file.readline())
    except (OSError, EOFError, zlib.error, ValueError) as problem:
        raise RecordError(f"cannot read the header of {path}: {problem}") from None
    if not isinstance(line, dict) or line.get("kind") != "header":
        raise RecordError(f"{path} does not begin with a header; is it a BOLT record?")
    return line


def last_state(path: Path) -> Mapping[str, Any] | None:
    """The newest state line, or None if the run ended before its first."""
    return _last(path, kind="state")


def last_event(path: Path, name: str) -> Mapping[str, Any] | None:
    """The newest event of that name, or None."""
    return _last(path, kind="event", name=name)


def _last(path: Path, **marks: str) -> Mapping[str, Any] | None:
    found = None
    for _, line in _lines(path):
        if marks.items() <= line.items():
            found = line
    return found


def _opened(path: Path) -> IO[bytes] | gzip.GzipFile:
    """The lines' bytes, whether the file is gzipped or not: its name says so."""
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, line) of each whole line; a torn last one is dropped."""
    try:
        with _opened(path) as file:
            raw = file.read().split(b"\n")
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise RecordError(f"cannot read {path}: {reason}") from None
    while raw and not raw[-1].strip():
        raw.pop()
    for number, text in enumerate(raw, start=1):
        try:
            line = json.loads(text)
            if not isinstance(line, dict):
                raise ValueError("not an object")  # noqa: TRY301, TRY004 - one way out for both
        except (ValueError, RecursionError):
            if number == 1:
                raise RecordError(
                    f"{path} is not a BOLT record; give a file `bolt run` wrote"
                ) from None
            if number == len(raw):
                return
            raise RecordError(f"{path}, line {number}: torn or not JSON") from None
        yield number, line


def _flat(record: IterationRecord) -> dict[str, Any]:
    """A record as one JSON object; what is empty is left out."""
    line: dict[str, Any] = {
        **asdict(record.observation),
        "value": _known(record.value),
        "best": _known(record.best),
        "best_x": () if _known(record.best) is None else record.best_x,
        "n": record.n,
        "seconds": record.seconds,
        "warmup": record.warmup,
        "waited": record.waited or None,
        "theta": None if record.theta is None else asdict(record.theta),
        "n_star": record.n_star,
        "removed": record.removed,
        "notes": dict(record.notes),
    }
    return {name: value for name, value in line.items() if value not in (None, (), {})}


def _known(value: float) -> float | None:
    """Without an oracle nobody knows f(x, t) and f(x*, t): they are left out."""
    return None if math.isnan(value) else value


def _record(line: Mapping[str, Any], expected: int) -> IterationRecord:
    if line["i"] != expected:
        raise ValueError(f"iteration {line['i']} where {expected} should stand")
    theta = line.get("theta")
    return IterationRecord(
        observation=Observation(line["i"], tuple(line["x"]), line["t"], line["y"]),
        value=line.get("value", math.nan),
        best=line.get("best", math.nan),
        best_x=tuple(line.get("best_x", (math.nan,) * len(line["x"]))),
        n=line["n"],
        seconds=line["seconds"],
        warmup=line["warmup"],
        waited=line.get("waited", 0.0),
        theta=None if theta is None else Hyperparameters(**theta),
        n_star=line.get("n_star"),
        removed=tuple(line.get("removed", ())),
        notes=line.get("notes", {}),
    )
