"""A race: runs that start together and are advanced one pass at a time.

The run furthest behind on its own clock goes next, so that lanes stay side by side whatever their
passes cost. A failed run holds no other run back, nor does a run that waits for its objective. One
thread advances the race; readers need no lock. A race knows nothing of slots, pauses and owners:
those belong to the admission queue (admission.py).
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from bolt_core.common.errors import BoltError, UnknownNameError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.gp.workspace import Workspace
from bolt_core.live.cpu_contention import CpuContention
from bolt_core.live.eta import EtaEstimator
from bolt_core.live.live_run import LiveRun, StoredRun
from bolt_core.live.turns import Turns
from bolt_core.runs.duration_estimate import cpu_seconds_after
from bolt_core.runs.lane_names import lane_key
from bolt_core.runs.race_snapshot import DISTURBED_RATIO, RaceSnapshot, race_status
from bolt_core.store import race_file
from bolt_core.store.ids import new_id, new_ids
from bolt_core.store.race_file import PlannedRun, RaceFile

MAX_TURN_SECONDS = 0.25  # after which a pass is suspended
PHASES = (RunStatus.STARTING, RunStatus.WARMING_UP, RunStatus.RUNNING)


class Race:
    """Runs side by side, with their common speed, pending steps, pace and CPU contention."""

    def __init__(
        self,
        configs: Sequence[RunConfig],
        directory: Path,
        stored_runs: Sequence[StoredRun | None] = (),
        contention: CpuContention | None = None,
        headers: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Prepare one run per config.

        `stored_runs` and `headers` are those of a stored race that goes on; a stored run that is
        None runs from the start.
        """
        headers = headers or _new_headers(configs)
        stored_or_new = stored_runs or [None] * len(configs)
        self.race_id: str = headers[0]["race_id"]
        self.warning: str | None = None  # of the race itself, such as a race file not written
        self._directory = directory
        self._lock_file: IO[bytes] | None = None
        self._turns = Turns(f"bolt-race-{self.race_id}")
        workspace = Workspace(self._turns.pause)  # shared: one thread advances all runs
        self.runs = tuple(
            LiveRun(config, header, directory, stored, workspace)
            for config, header, stored in zip(configs, headers, stored_or_new, strict=True)
        )
        self._speed = next((run.speeds[-1].factor for run in self.runs if run.speeds), 1.0)
        self._requested_steps: deque[str | None] = deque()  # run ids; None: the furthest behind
        self._current_step: tuple[LiveRun, int] | None = None  # its run, and its length afterwards
        self._eta = EtaEstimator()
        self._contention = contention or CpuContention()

    def announce(self, token: str | None) -> None:
        """Write the race file, so that a crash leaves no run and no queued race unknown."""
        runs = tuple(
            PlannedRun(run.run_id, run.header["lane"], run.header["place"], run.config)
            for run in self.runs
        )
        try:
            race_file.write(self._directory, RaceFile.announce(self.race_id, runs, token))
        except OSError as problem:
            self.warning = (
                f"The list of this race's runs is not saved ({problem.strerror}): if the server "
                "ends now, runs that have not started are forgotten."
            )
        self.hold(race_file.locked(self._directory, self.race_id))

    def hold(self, lock_file: IO[bytes] | None) -> None:
        """Keep a locked file open until the race has ended."""
        self._release()
        self._lock_file = lock_file

    def withdraw(self) -> None:
        """Delete the race file of a race that is not started after all."""
        self._release()
        race_file.path_of(self._directory, self.race_id).unlink(missing_ok=True)

    @property
    def ended(self) -> bool:
        """Whether every run has ended."""
        return all(run.status.ended for run in self.runs)

    @property
    def steps_pending(self) -> bool:
        """Whether a requested step has not been made yet."""
        return bool(self._requested_steps)

    @property
    def ready(self) -> bool:
        """Whether the race can be advanced now, without waiting for an objective."""
        if self._current_step is not None:
            run, _ = self._current_step
            return run.ready or run.status.ended
        return any(run.ready for run in self.runs)

    def request_step(self, run_id: str | None) -> None:
        """Request one pass of a run; None means the run furthest behind."""
        run_ids = {run.run_id for run in self.runs}
        if run_id is not None and run_id not in run_ids:
            raise UnknownNameError(f"run of race {self.race_id}", run_id, run_ids)
        self._requested_steps.append(run_id)

    def set_speed(self, factor: float) -> None:
        """Let computing take `factor` times as long as configured, from the next passes on."""
        self._speed = factor
        for run in self.runs:
            run.requested_factor = factor

    def rest(self) -> None:
        """Note that the race stands still for a while, which says nothing about its pace."""
        self._eta.rest()

    def take_turn(self, work: Callable[[], None]) -> float:
        """Do `work` in the thread of this race and return the CPU seconds used.

        A long pass is suspended and goes on in the next turn, before any other work.
        """
        loading = any(run.status == RunStatus.STARTING for run in self.runs)
        spent = self._turns.run(work, MAX_TURN_SECONDS)
        if not loading:
            self._contention.note(*spent)
        if self.ended:
            self._turns.close()
        return spent.cpu_seconds

    @property
    def inside_pass(self) -> bool:
        """Whether a pass has been suspended."""
        return self._turns.suspended

    def cut_pass(self, after_seconds: float = 0.0) -> None:
        """Abandon the pass that the race is in, unless it ends within so many seconds."""
        self._turns.cut(after_seconds)

    def advance(self) -> None:
        """Make the next requested step, or else one pass of the run furthest behind."""
        if self._requested_steps:
            self._make_step()
        else:
            run = self._furthest_behind()
            run.note_contention(self._contention.overall)
            run.advance()
            if self.status == RunStatus.RUNNING:  # warm-up passes say nothing about later ones
                self._eta.note(self.now, self._horizon, self._work_left)
            if run.status.ended and self.ended:
                self._release()

    def settle(self, **after: float) -> None:
        """Save the states of the runs that are due; see `RecordWriter.settle`."""
        for run in self.runs:
            run.settle(**after)

    def put_back(self) -> None:
        """Release the files of a stored race that is not resumed after all, unchanged."""
        for run in self.runs:
            run.put_back()
        self._release()

    def end(self) -> None:
        """End every run that has not ended as stopped."""
        for run in self.runs:
            run.end(RunStatus.STOPPED)
        self._turns.close()
        self._release()

    def _release(self) -> None:
        if self._lock_file is not None:
            self._lock_file.close()

    def _furthest_behind(self) -> LiveRun:
        return min((run for run in self.runs if run.ready), key=lambda run: run.now)

    def _make_step(self) -> None:
        """Make exactly one pass; its run may first have to load, or to wait for an objective."""
        if self._current_step is None:
            by_id = {run.run_id: run for run in self.runs}
            run = by_id.get(self._requested_steps[0] or "") or self._furthest_behind()
            self._current_step = run, run.length + 1
        run, goal = self._current_step
        while run.ready and run.length < goal:
            run.advance()
        if run.status.ended or run.length >= goal:
            self._current_step = None
            self._requested_steps.popleft()
        if self.ended:
            self._release()

    @property
    def now(self) -> float:
        """The time in seconds on the slowest clock of the runs that have not failed."""
        times = [run.now for run in self.runs if run.status != RunStatus.FAILED]
        return min(times) if times else max(run.now for run in self.runs)

    def _work_left(self) -> float | None:
        """Return the estimated CPU seconds until the end; None for a benchmark without one."""
        going = [run for run in self.runs if not run.status.ended]
        try:
            return sum(cpu_seconds_after(run.config, run.now) for run in going)
        except BoltError:  # a plug-in that has been removed
            return None

    @property
    def _horizon(self) -> float | None:
        return next((run.header["horizon"] for run in self.runs if "horizon" in run.header), None)

    @property
    def status(self) -> RunStatus:
        """The outcome of an ended race, or the phase of the run that is least advanced."""
        runs = [(run.length, run.status) for run in self.runs]  # read once: a run may end meanwhile
        statuses = {status for _, status in runs}
        if all(status.ended for status in statuses):
            return race_status(statuses)
        # A resumed run that was ahead of the others waits for its turn: the race goes on.
        active = {status for n, status in runs if not (n and status == RunStatus.STARTING)}
        return next((phase for phase in PHASES if phase in active), RunStatus.STARTING)

    def snapshot(
        self, status: RunStatus | None = None, *, position: int | None = None, yielded: bool = False
    ) -> RaceSnapshot:
        """Return the race so far; `status` is its status in the admission queue, if it is in it."""
        status, horizon = status or self.status, self._horizon
        now = min(self.now, horizon or 0.0)
        race = RaceSnapshot(
            race_id=self.race_id,
            status=status,
            runs=tuple(run.snapshot() for run in self.runs),
            t=now,
            horizon=horizon,
            position=position,
            warning=next((run.warning for run in self.runs if run.warning), self.warning),
            speed=self._speed,
            yielded=yielded,
            disturbed=self._disturbed(status),
        )
        if status not in PHASES:
            return race
        return replace(race, eta=self._eta.seconds_left, pace=self._eta.pace)

    def _disturbed(self, status: RunStatus) -> float | None:
        """Return the contention ratio if it may have changed the clock, else None."""
        if not any(run.config.clock.kind == "cpu" for run in self.runs):
            return None
        now = self._contention.overall if status.ended else self._contention.recent
        ratios = (now, *(run.earlier_contention for run in self.runs))
        ratio = max(ratio or 0.0 for ratio in ratios)
        return ratio if ratio > DISTURBED_RATIO else None


def _new_headers(configs: Sequence[RunConfig]) -> list[Mapping[str, Any]]:
    """Return ids per run; the seeds of one lane share its number, and places count the runs."""
    race_id, keys = new_id(), [lane_key(config) for config in configs]
    lanes = list(dict.fromkeys(keys))
    return [
        {"run_id": run_id, "race_id": race_id, "lane": lanes.index(key), "place": place}
        for place, (key, run_id) in enumerate(zip(keys, new_ids(len(keys)), strict=True))
    ]
