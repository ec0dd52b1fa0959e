"""A race as data: the snapshots of runs that were started together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bolt_core.common.types import RunStatus
from bolt_core.runs.snapshot import RunSnapshot


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
    pace: float | None = None  # clock seconds a second of waiting; None: standing, too early
    speed: float = 1.0  # thinking takes so many times as long as configured, as last asked for
    yielded: bool = False  # paused for waiting races; resumes automatically
    disturbed: float | None = None  # cpu clock: so many times as long as alone; None: not
    cursor: float | None = None  # of a replay: the moment at which it is looked at

    @property
    def span(self) -> float:
        """Seconds that a replay has to show: until whoever came furthest was there."""
        furthest = max([run.end for run in self.runs] + [self.t])
        return min(furthest, self.horizon) if self.horizon else furthest

    @property
    def version(self) -> int:
        """Grows with every pass: a chart of an equal version is the same chart."""
        return sum(len(run) + len(run.speeds) for run in self.runs)

    def at(self, t: float) -> RaceSnapshot:
        """The race as it was when the runs' clocks read t; at its end, itself."""
        runs = tuple(run.at(t) for run in self.runs)
        whole = all(len(then) == len(now) for then, now in zip(runs, self.runs, strict=True))
        if whole:
            return self if t >= self.span else replace(self, cursor=t)
        speed = next((run.speeds[-1].factor for run in runs if run.speeds), 1.0)
        now = min(t, self.t)
        return RaceSnapshot(
            self.race_id, RunStatus.RUNNING, runs, now, self.horizon, speed=speed, cursor=t
        )


def overlay_races(race_id: str, races: Sequence[RaceSnapshot]) -> RaceSnapshot:
    """Races of one benchmark as one, to be compared; others than the first's are left out."""
    board = races[0].runs[0].config.benchmark
    fitting = [race for race in races if race.runs[0].config.benchmark == board]
    return RaceSnapshot(
        race_id,
        race_status({race.status for race in fitting}),
        tuple(run for race in fitting for run in race.runs),
        min(race.t for race in fitting),
        max((race.horizon or 0.0 for race in fitting), default=0.0) or None,
    )


def race_status(found: set[RunStatus]) -> RunStatus:
    """What a race came to: failed only if every run did."""
    for status in (RunStatus.INTERRUPTED, RunStatus.STOPPED, RunStatus.FINISHED):
        if status in found:
            return status
    return RunStatus.FAILED
