"""A live run: advanced one pass at a time, recorded on disk, read from any thread.

A run that fails (its objective raises or returns NaN, its algorithm raises) keeps the reason and
affects no other run. If its record cannot be written, the run continues with a warning, and saving
is tried again until nothing is missing. The objective of a plug-in package, and every pass of an
algorithm of one, is computed in a thread of its own, with a time limit.

One thread advances the run; readers take snapshots without a lock. Therefore a value is assigned
before the value that announces it: rows before their number, an error before the status "failed".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bolt_core import algorithms
from bolt_core.common.errors import RecordError, explain
from bolt_core.common.types import IterationRecord, RunConfig, RunStatus, SpeedChange
from bolt_core.gp.workspace import Workspace
from bolt_core.live.turns import CutError
from bolt_core.runs import guarded, loop
from bolt_core.runs.race_snapshot import DISTURBED_RATIO
from bolt_core.runs.snapshot import RunHistory, RunSnapshot
from bolt_core.store.records import CONTENTION, SUFFIX, RecordWriter

NO_MORE_PASSES = object()
MIN_CONTENTION_CHANGE = 0.1  # relative, before it is noted again


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run read from its record; if it is to continue, with its open file and its last state."""

    snapshot: RunSnapshot
    writer: RecordWriter | None = None
    state: Mapping[str, Any] | None = None

    @staticmethod
    def reopened(path: Path) -> StoredRun:
        """Lock a record file and read it up to its last state; it is then to continue.

        The file stays as it is until the run is prepared.
        """
        writer, run, state = RecordWriter.reopen(path, keep_trying=True)
        return StoredRun(run, writer, state)


class LiveRun:
    """One run of a race: its history, its record file, its status and its error."""

    def __init__(
        self,
        config: RunConfig,
        header: Mapping[str, Any],
        directory: Path,
        stored: StoredRun | None = None,
        workspace: Workspace | None = None,
    ) -> None:
        """Prepare nothing yet: the first `advance` does.

        `header` holds the run id, the race id, the lane and the place in the race. `workspace`
        belongs to the thread that advances the run.
        """
        self.config = config
        self.run_id: str = header["run_id"]
        self.status = RunStatus.STARTING
        self.error: str | None = None
        self.speeds: tuple[SpeedChange, ...] = ()
        self.earlier_contention: float | None = None  # noted before the run was resumed
        self._contention: float | None = None  # last noted
        self.requested_factor = 1.0  # of the computing time; applied before the next pass
        self.header: dict[str, Any] = dict(header)
        self._path = directory / f"{self.run_id}{SUFFIX}"
        self._history = RunHistory(0)
        self._run: loop.Run | None = None
        self._ended_at: float | None = None  # seconds on its clock
        self._writer: RecordWriter | None = None
        self._not_saved: str | None = None  # why nothing more is saved, for good
        self._stored = stored
        own_algorithm = config.algorithm in algorithms.built_in()
        self._workspace = workspace if workspace and own_algorithm else Workspace()
        self._elsewhere = guarded.plugin_thread(config)
        self._passes: guarded.Passes | None = None
        self._work = self._preparation_and_passes()
        self._inside_pass = False  # also while the pass waits for its objective
        if stored is not None:
            self._take_over(stored)

    def _take_over(self, stored: StoredRun) -> None:
        """Start with the rows and speeds of a stored run, and with its end if it has ended."""
        run, self._writer = stored.snapshot, stored.writer
        self._history, self.speeds = RunHistory.of(run.columns), run.speeds
        self.earlier_contention = self._contention = run.contention
        self.requested_factor = run.speeds[-1].factor if run.speeds else 1.0
        if stored.writer is None:
            self.error, self.status = run.error, run.status

    @property
    def now(self) -> float:
        """The time in seconds on its clock."""
        run, ended_at = self._run, self._ended_at
        if run is not None:
            return run.clock.now()
        if ended_at is not None:
            return ended_at
        return float(self._history.view().ends()[-1]) if self._history.length else 0.0

    @property
    def length(self) -> int:
        """The number of passes made."""
        return self._history.length

    @property
    def ready(self) -> bool:
        """Whether it can be advanced: it has not ended and does not wait for its objective."""
        return not self.status.ended and (self._elsewhere is None or self._elsewhere.ready)

    def advance(self) -> None:
        """Prepare the run, or make one pass. Any exception ends this run and no other."""
        try:
            self._apply_speed()
            self._inside_pass = True
            record = next(self._work, NO_MORE_PASSES)
            if record is NO_MORE_PASSES:
                self.end(RunStatus.FINISHED)
            elif isinstance(record, IterationRecord):
                self._append(record)
            self._inside_pass = self._waiting
        except CutError:  # the pass is abandoned, and its run with it
            self.end(RunStatus.STOPPED)
        except BaseException as problem:  # noqa: BLE001 - even sys.exit() of a plug-in ends only its run
            self.end(RunStatus.FAILED, explain(problem))

    @property
    def warning(self) -> str | None:
        """Why the run is not being saved, and since when; None while it is saved."""
        problem = self._writer.problem if self._writer is not None else None
        if problem is not None:
            since = f"{problem.since:%H:%M:%S} UTC"
            return (
                f"{self._path.name} is not being saved: {problem.reason} (since {since}). "
                "Saving is tried again; nothing is lost while the server runs."
            )
        return self._not_saved

    def settle(self, **after: float) -> None:
        """Save the state if the last one is old and the run is between passes."""
        passes = self._passes
        if passes is not None and not self._inside_pass:
            self._save(lambda writer: writer.settle(passes.state, **after))

    def note_contention(self, ratio: float | None) -> None:
        """Note in the record how busy the machine is, if that can change the run's clock.

        `ratio` is real seconds per CPU second. It is noted when it first disturbs the timings, and
        again when it has changed by a tenth; of a resumed run, the larger ratio counts.
        """
        if ratio is None or self._run is None or self.config.clock.kind != "cpu":
            return
        ratio = max(ratio, self.earlier_contention or 0.0)
        last = self._contention or DISTURBED_RATIO
        undisturbed = self._contention is None and ratio <= DISTURBED_RATIO
        if undisturbed or (self._contention and abs(ratio / last - 1.0) < MIN_CONTENTION_CHANGE):
            return
        self._contention = ratio
        self._save(lambda writer: writer.event(CONTENTION, ratio=round(ratio, 3)))

    def put_back(self) -> None:
        """Release the file of a stored run that is not resumed after all, as it was."""
        if self._writer is not None:
            self._writer.abandon()

    def end(self, status: RunStatus, error: str | None = None) -> None:
        """End the run and close its file; a run that has ended is left as it is.

        The file of a resumed run that cannot be prepared stays as it was.
        """
        if self.status.ended:
            return
        passes = self._passes
        if status == RunStatus.STOPPED and not self._inside_pass and passes is not None:
            self._save(lambda writer: writer.save_state(passes.state))
        if self._stored is None or status == RunStatus.STOPPED:
            self._save(lambda writer: writer.close(status, error))
        else:
            self.put_back()
        if self._elsewhere is not None:
            self._elsewhere.close()
        self._ended_at = self.now
        self.error = error
        self.status = status
        self._run = self._passes = None
        self._work, self._workspace = iter(()), Workspace()  # frees the matrices

    def snapshot(self) -> RunSnapshot:
        """Return the run so far, without a lock."""
        status = self.status  # read first: the values it announces are assigned by then
        columns = self._history.view()
        return RunSnapshot(
            self.config,
            status,
            columns,
            self.error,
            self.run_id,
            self.header,
            self.speeds,
            contention=self._contention,
        )

    @property
    def _waiting(self) -> bool:
        return self._elsewhere is not None and self._elsewhere.busy

    def _preparation_and_passes(self) -> Iterator[IterationRecord | None]:
        """Prepare the run, then yield its passes; None is yielded where other runs may go first."""
        run = yield from guarded.prepare(self.config, self._prepare, self._elsewhere)
        self._passes = guarded.Passes(run, self._elsewhere)
        self._begin(run)
        yield None
        yield from self._passes.steps()

    def _prepare(self) -> loop.Run:
        stored = self._stored
        if stored is None or stored.state is None:
            return loop.prepare(self.config)
        run = stored.snapshot
        return loop.resume(self.config, stored.state, run.records, run.speeds)

    def _begin(self, run: loop.Run) -> None:
        self.header = run.header_fields() | self.header
        if self._stored is None:
            self._history = RunHistory(run.benchmark.dimension)
            try:
                about = {key: value for key, value in self.header.items() if key != "run_id"}
                self._writer = RecordWriter(
                    self._path, self.config, header=about, run_id=self.run_id, keep_trying=True
                )
            except RecordError as problem:
                self._give_up_saving(problem)
        else:
            self._save(lambda writer: writer.event("resumed", i=run.i, t=run.clock.now()))
        self._stored = None
        run.share_workspace(self._workspace)
        self._run = run
        self.status = RunStatus.RUNNING if run.i > self.config.warmup else RunStatus.WARMING_UP

    def _apply_speed(self) -> None:
        """Apply a requested change of the device's speed, between two passes."""
        run, factor = self._run, self.requested_factor
        if run is None or self._inside_pass or factor == run.clock.factor:
            return
        change = run.change_speed(factor)
        self.speeds += (change,)
        self._save(lambda writer: writer.event("speed", **change._asdict()))
        if (passes := self._passes) is not None:  # a resumed run starts after it
            self._save(lambda writer: writer.save_state(passes.state))

    def _append(self, record: IterationRecord) -> None:
        if self.status.ended:  # shut down during the pass
            return
        passes = self._passes
        if passes is not None:  # first: what is shown survives a kill of the process
            self._save(lambda writer: writer.append(record, passes.state))
        self._history.append(record)
        if not record.warmup:
            self.status = RunStatus.RUNNING

    def _save(self, write: Callable[[RecordWriter], None]) -> None:
        """Write to the record; the writer itself copes with a full disk."""
        writer = self._writer
        if writer is None:
            return
        try:
            write(writer)
        except Exception as problem:  # noqa: BLE001 - notes of a plug-in that are not JSON
            self._give_up_saving(problem)
            self._writer = None
            writer.abandon()

    def _give_up_saving(self, problem: Exception) -> None:
        reason = str(problem) or type(problem).__name__
        self._not_saved = f"{self._path.name} is not being saved: {reason}"
