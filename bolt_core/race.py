"""A race: runs started together, advanced one pass at a time by whoever holds the baton.

The run furthest behind on its own clock goes next, so that lanes stay side by side whatever their
passes cost. A failed run holds nobody back. One thread advances; readers need no lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bolt_core.live_run import LiveRun
from bolt_core.progress import Pace
from bolt_core.records import new_id, new_ids
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


def laid_over(race_id: str, races: Sequence[RaceSnapshot]) -> RaceSnapshot:
    """Races of one benchmark as one, to be compared; others than the first's are left out."""
    board = races[0].runs[0].config.benchmark
    fitting = [race for race in races if race.runs[0].config.benchmark == board]
    return RaceSnapshot(
        race_id,
        outcome({race.status for race in fitting}),
        tuple(run for race in fitting for run in race.runs),
        min(race.t for race in fitting),
        max((race.horizon or 0.0 for race in fitting), default=0.0) or None,
    )


def outcome(found: set[RunStatus]) -> RunStatus:
    """What a race came to: failed only if every run did."""
    for status in (RunStatus.INTERRUPTED, RunStatus.STOPPED, RunStatus.FINISHED):
        if status in found:
            return status
    return RunStatus.FAILED
