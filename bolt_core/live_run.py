"""One run on its way: advanced a pass at a time, watched by anyone, kept on disk.

A run that fails (its objective raises or gives NaN, its algorithm raises) keeps the reason and
leaves everybody else alone. A record that cannot be written leaves a warning, and the run goes on.

One thread advances; readers take snapshots without a lock. So what a reader may see is always
assigned last: rows before their number, an error before the status that speaks of it.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bolt_core import loop
from bolt_core.errors import BoltError, RecordError
from bolt_core.records import SUFFIX, RecordWriter
from bolt_core.snapshot import RunHistory, RunSnapshot
from bolt_core.types import IterationRecord, RunConfig, RunStatus


class LiveRun:
    """One run on its way: its columns, its file and its end."""

    def __init__(self, config: RunConfig, about: Mapping[str, Any], directory: Path) -> None:
        """`about`: its run id, and the race and lane it belongs to."""
        self.config = config
        self.run_id: str = about["run_id"]
        self.status = RunStatus.STARTING
        self.error: str | None = None
        self.warning: str | None = None
        self.about: dict[str, Any] = {key: about[key] for key in ("race_id", "lane")}
        self._path = directory / f"{self.run_id}{SUFFIX}"
        self._history = RunHistory(0)
        self._run: loop.Run | None = None
        self._passes: Iterator[IterationRecord] = iter(())
        self._writer: RecordWriter | None = None

    @property
    def now(self) -> float:
        return self._run.clock.now() if self._run else 0.0

    def advance(self) -> None:
        """Get ready, or make one pass. Whatever goes wrong ends this run and no other."""
        try:
            if self._run is None:
                self._prepare()
            elif (record := next(self._passes, None)) is None:
                self.end(RunStatus.FINISHED)
            else:
                self._keep(record)
        except BaseException as problem:  # noqa: BLE001 - even a plugin's sys.exit() ends only its run
            self.end(RunStatus.FAILED, explain(problem))

    def end(self, status: RunStatus, error: str | None = None) -> None:
        """Close the file and the run, once."""
        if self.status.ended:
            return
        writer, self._writer = self._writer, None
        if writer is not None:
            try:
                writer.close(status, error)
            except (OSError, ValueError) as problem:
                self._warn(problem)
        self.error = error
        self.status = status

    def snapshot(self) -> RunSnapshot:
        status = self.status  # read first: what it promises is there by then
        return RunSnapshot(
            self.config, status, self._history.view(), self.error, self.run_id, self.about
        )

    def _prepare(self) -> None:
        run = loop.prepare(self.config)
        self.about = run.about() | self.about
        self._history = RunHistory(run.benchmark.dimension)
        self._passes = loop.iterate(run)
        try:
            self._writer = RecordWriter(
                self._path, self.config, about=self.about, run_id=self.run_id
            )
        except (OSError, RecordError) as problem:
            self._warn(problem)
        self._run = run
        self.status = RunStatus.WARMING_UP

    def _keep(self, record: IterationRecord) -> None:
        if self.status.ended:  # shut down while it was thinking
            return
        self._history.append(record)
        if not record.warmup:
            self.status = RunStatus.RUNNING
        writer, run = self._writer, self._run
        if writer is None or run is None:
            return
        try:
            writer.append(record, run.state)
        except (OSError, ValueError, TypeError) as problem:  # disk full; a note JSON cannot say
            self._warn(problem)
            self._writer = None
            writer.abandon()

    def _warn(self, problem: Exception) -> None:
        reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        self.warning = f"{self._path.name} is not being saved: {reason}"


def explain(problem: BaseException) -> str:
    """The reason on the first line, the traceback below; safe for any exception there is."""
    told = "".join(traceback.format_exception_only(problem)).strip()
    first = str(problem) if isinstance(problem, BoltError) else told
    return first + "\n\n" + "".join(traceback.format_exception(problem))
