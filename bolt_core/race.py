"""A race: runs started together, advanced one pass at a time by whoever holds the baton.

The run furthest behind on its own clock goes next, so that lanes stay side by side whatever their
passes cost. A failed run holds nobody back. One thread advances; readers need no lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bolt_core.errors import RecordError
from bolt_core.live_run import LiveRun
from bolt_core.progress import Pace
from bolt_core.records import SUFFIX, header, new_id, new_ids, read
from bolt_core.snapshot import RunSnapshot
from bolt_core.types import RunConfig, RunStatus

PHASES = (RunStatus.STARTING, RunStatus.WARMING_UP, RunStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class RaceSnapshot:
    """A race so far. Nothing in it changes; take another to see more."""

    race_id: str
    status: RunStatus
    runs: tuple[RunSnapshot, ...]
    t: float = 0.0  # seconds on the clock of its slowest run
    horizon: float | None = None  # seconds; None until a run is prepared
    eta: float | None = None  # seconds of waiting left; None while nobody can know
    position: int | None = None  # in the queue, 1 is next
    warning: str | None = None  # what went wrong beside the runs

    @property
    def version(self) -> int:
        """Grows with every pass: a chart of an equal version is the same chart."""
        return sum(len(run) for run in self.runs)


class Race:
    """Runs side by side. Only the conductor advances it."""

    def __init__(self, configs: Sequence[RunConfig], directory: Path) -> None:
        self.race_id = new_id()
        self.runs = tuple(
            LiveRun(config, {"run_id": run_id, "race_id": self.race_id, "lane": lane}, directory)
            for lane, (config, run_id) in enumerate(
                zip(configs, new_ids(len(configs)), strict=True)
            )
        )
        self.admitted = False
        self.stopping = False
        self.used = 0.0  # CPU seconds it had lately
        self._pace = Pace()

    @property
    def ended(self) -> bool:
        return all(run.status.ended for run in self.runs)

    def advance(self) -> None:
        """One pass of the run furthest behind, or the end if somebody asked for it."""
        if self.stopping:
            self.end()
            return
        waiting = [run for run in self.runs if not run.status.ended]
        min(waiting, key=lambda run: run.now).advance()
        self._pace.note(self.now)

    def end(self) -> None:
        for run in self.runs:
            run.end(RunStatus.STOPPED)

    @property
    def now(self) -> float:
        """The slowest clock; a failed run holds nobody back."""
        sound = [run.now for run in self.runs if run.status != RunStatus.FAILED]
        return min(sound) if sound else max(run.now for run in self.runs)

    @property
    def status(self) -> RunStatus:
        found = {run.status for run in self.runs}
        if all(status.ended for status in found):
            return outcome(found)
        if self.stopping:
            return RunStatus.STOPPING
        if not self.admitted:
            return RunStatus.QUEUED
        return next(phase for phase in PHASES if phase in found)

    def snapshot(self, position: int | None = None) -> RaceSnapshot:
        status = self.status
        horizon = next((run.about["horizon"] for run in self.runs if "horizon" in run.about), None)
        now = min(self.now, horizon or 0.0)
        eta = None if status.ended or horizon is None else self._pace.left(horizon - now)
        runs = tuple(run.snapshot() for run in self.runs)
        warning = next((run.warning for run in self.runs if run.warning), None)
        queued = position if status == RunStatus.QUEUED else None
        return RaceSnapshot(self.race_id, status, runs, now, horizon, eta, queued, warning)


def stored(race_id: str, directory: Path) -> RaceSnapshot | None:
    """A race as its files tell it, or None if there are none."""
    runs = []
    for path in sorted(directory.glob(f"*{SUFFIX}")):
        try:
            if header(path).get("race_id") == race_id:
                runs.append(read(path))
        except RecordError:  # somebody else's file, or a torn one
            continue
    if not runs:
        return None
    runs.sort(key=lambda run: (run.header or {}).get("lane", 0))
    about = runs[0].header or {}
    now = min((float(run.columns["t"][-1]) for run in runs if len(run)), default=0.0)
    status = outcome({run.status for run in runs})
    return RaceSnapshot(race_id, status, tuple(runs), now, about.get("horizon"))


def outcome(found: set[RunStatus]) -> RunStatus:
    """What a race came to: failed only if every run did."""
    for status in (RunStatus.INTERRUPTED, RunStatus.STOPPED, RunStatus.FINISHED):
        if status in found:
            return status
    return RunStatus.FAILED
