"""One run on its way: advanced a pass at a time, watched by anyone, kept on disk.

A run that fails (its objective raises or gives NaN, its algorithm raises) keeps the reason and
leaves everybody else alone. A record that cannot be written leaves a warning, and the run goes on.
An objective that came with somebody else's package is called elsewhere, and given up if it hangs.

One thread advances; readers take snapshots without a lock. So what a reader may see is always
assigned last: rows before their number, an error before the status that speaks of it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bolt_core import benchmarks
from bolt_core.common.errors import RecordError, explain
from bolt_core.common.types import IterationRecord, RunConfig, RunStatus, SpeedChange
from bolt_core.gp.workspace import Workspace
from bolt_core.runs import loop
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from bolt_core.runs.timed_call import Elsewhere
from bolt_core.store.records import SUFFIX, RecordWriter, read

OVER = object()


@dataclass(frozen=True, slots=True)
class Past:
    """What a stored run left behind: its rows and, if it is to go on, its file and last state."""

    snapshot: RunSnapshot
    writer: RecordWriter | None = None
    state: Mapping[str, Any] | None = None

    @staticmethod
    def reopened(path: Path) -> Past:
        """The file is locked and cut to its last state first: then it cannot change any more."""
        writer, state = RecordWriter.reopen(path)
        run = read(path)
        writer.count(run.records)
        return Past(run, writer, state)


class LiveRun:
    """One run on its way: its columns, its file and its end."""

    def __init__(
        self,
        config: RunConfig,
        about: Mapping[str, Any],
        directory: Path,
        past: Past | None = None,
        workspace: Workspace | None = None,
    ) -> None:
        """`about`: its run id, its race, and its lane and place there. `workspace`: of whoever
        advances it.
        """
        self.config = config
        self.run_id: str = about["run_id"]
        self.status = RunStatus.STARTING
        self.error: str | None = None
        self.warning: str | None = None
        self.speeds: tuple[SpeedChange, ...] = ()
        self.wanted_factor = 1.0  # of the device's thinking time; taken up before the next pass
        self.about: dict[str, Any] = dict(about)
        self._path = directory / f"{self.run_id}{SUFFIX}"
        self._history = RunHistory(0)
        self._run: loop.Run | None = None
        self._ended_at: float | None = None  # on its clock
        self._writer: RecordWriter | None = None
        self._past = past
        self._workspace = workspace or Workspace()
        users = config.benchmark not in benchmarks.built_in()
        self._elsewhere = Elsewhere() if users else None
        self._life = self._live()
        self._thinking = False  # inside a pass, in the thread that advances
        if past is not None:
            self._recall(past)

    def _recall(self, past: Past) -> None:
        told, self._writer = past.snapshot, past.writer
        self._history, self.speeds = RunHistory.of(told.columns), told.speeds
        self.wanted_factor = told.speeds[-1].factor if told.speeds else 1.0
        if past.writer is None:
            self.error, self.status = told.error, told.status

    @property
    def now(self) -> float:
        run, ended_at = self._run, self._ended_at
        if run is not None:
            return run.clock.now()
        if ended_at is not None:
            return ended_at
        return float(self._history.view().ends()[-1]) if self._history.length else 0.0

    @property
    def length(self) -> int:
        return self._history.length

    @property
    def ready(self) -> bool:
        """It can be advanced: it has not ended, and no objective is being waited for."""
        return not self.status.ended and (self._elsewhere is None or self._elsewhere.ready)

    def advance(self) -> None:
        """Get ready, or make one pass. Whatever goes wrong ends this run and no other."""
        try:
            self._follow()
            self._thinking = True
            record = next(self._life, OVER)
            if record is OVER:
                self.end(RunStatus.FINISHED)
            elif isinstance(record, IterationRecord):
                self._keep(record)
            self._thinking = self._waiting
        except BaseException as problem:  # noqa: BLE001 - even a plugin's sys.exit() ends only its run
            self.end(RunStatus.FAILED, explain(problem))

    def settle(self, **how: float) -> None:
        """Force what is written to the disk, if it has been waiting for it; between passes."""
        run = self._run
        state = run.state if run is not None and not self._thinking else None
        self._save(lambda writer: writer.settle(**how, state=state))

    def end(self, status: RunStatus, error: str | None = None) -> None:
        """Close the file and the run, once."""
        if self.status.ended:
            return
        run = self._run
        if status == RunStatus.STOPPED and not self._thinking and run is not None:
            self._save(lambda writer: writer.state(run.state()))
        writer, self._writer = self._writer, None
        if writer is not None:
            try:
                writer.close(status, error)
            except (OSError, ValueError) as problem:
                self._warn(problem)
        if self._elsewhere is not None:
            self._elsewhere.close()
        self._ended_at = self.now
        self.error = error
        self.status = status
        self._run, self._life, self._workspace = None, iter(()), Workspace()  # matrices go

    def snapshot(self) -> RunSnapshot:
        status = self.status  # read first: what it promises is there by then
        columns = self._history.view()
        return RunSnapshot(
            self.config, status, columns, self.error, self.run_id, self.about, self.speeds
        )

    @property
    def _waiting(self) -> bool:
        return self._elsewhere is not None and self._elsewhere.busy

    def _live(self) -> Iterator[IterationRecord | None]:
        """All there is to do; None where others may go first."""
        if self._elsewhere is None:
            run = self._prepared()
        else:
            run = yield from self._prepared_elsewhere(self._elsewhere)
        self._begin(run)
        yield None
        yield from loop.steps(run)

    def _prepared_elsewhere(self, elsewhere: Elsewhere) -> Generator[None, None, loop.Run]:
        run = yield from elsewhere.call(self._prepared, "while it was being prepared")
        run.elsewhere = elsewhere
        return run

    def _prepared(self) -> loop.Run:
        past = self._past
        if past is None or past.state is None:
            return loop.prepare(self.config)
        told = past.snapshot
        return loop.resume(self.config, past.state, told.records, told.speeds)

    def _begin(self, run: loop.Run) -> None:
        self.about = run.about() | self.about
        if self._past is None:
            self._history = RunHistory(run.benchmark.dimension)
            try:
                about = {key: value for key, value in self.about.items() if key != "run_id"}
                self._writer = RecordWriter(
                    self._path, self.config, about=about, run_id=self.run_id
                )
            except (OSError, RecordError) as problem:
                self._warn(problem)
        else:
            self._save(lambda writer: writer.event("resumed", i=run.i, t=run.clock.now()))
        self._past = None
        run.share(self._workspace)
        self._run = run
        self.status = RunStatus.RUNNING if run.i > self.config.warmup else RunStatus.WARMING_UP

    def _follow(self) -> None:
        """Take up the device's new speed, between two passes."""
        run, factor = self._run, self.wanted_factor
        if run is None or self._thinking or factor == run.clock.factor:
            return
        change = run.change_speed(factor)
        self.speeds += (change,)
        self._save(lambda writer: writer.event("speed", **change._asdict()))
        self._save(lambda writer: writer.state(run.state()))  # who goes on later begins after it

    def _keep(self, record: IterationRecord) -> None:
        if self.status.ended:  # shut down while it was thinking
            return
        self._history.append(record)
        if not record.warmup:
            self.status = RunStatus.RUNNING
        run = self._run
        if run is not None:
            self._save(lambda writer: writer.append(record, run.state))

    def _save(self, write: Callable[[RecordWriter], None]) -> None:
        """Write something; a disk that refuses is told of once, and the run goes on."""
        writer = self._writer
        if writer is None:
            return
        try:
            write(writer)
        except Exception as problem:  # noqa: BLE001 - a full disk, or a plugin's state()
            self._warn(problem)
            self._writer = None
            writer.abandon()

    def _warn(self, problem: Exception) -> None:
        reason = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        self.warning = f"{self._path.name} is not being saved: {reason}"
