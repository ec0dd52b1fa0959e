"""A race as data: snapshots of the runs that were started together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bolt_core.common.types import RunStatus
from bolt_core.runs.snapshot import RunSnapshot


@dataclass(frozen=True, slots=True)
class RaceSnapshot:
    """An immutable view of a race up to now."""

    race_id: str
    status: RunStatus
    runs: tuple[RunSnapshot, ...]
    t: float = 0.0  # seconds on the runs' clocks that all of them have reached
    horizon: float | None = None  # seconds; None until a run is prepared
    eta: float | None = None  # seconds of real time left; None while unknown
    position: int | None = None  # in the queue; 1 is next
    warning: str | None = None  # a problem outside the runs, such as a full disk
    pace: float | None = None  # clock seconds per second of real time; None: not running
    speed: float = 1.0  # requested computing time, relative to the config
    yielded: bool = False  # paused for waiting races; resumes automatically
    disturbed: float | None = None  # cpu clock: slowdown by other processes; None: none

    @property
    def version(self) -> int:
        """A number that grows with every pass; charts of equal versions are equal."""
        return sum(len(run) + len(run.speeds) for run in self.runs)

    def at(self, t: float) -> RaceSnapshot:
        """Return the race as it was when the clocks of its runs read t; itself at its end."""
        runs = tuple(run.at(t) for run in self.runs)
        complete = all(len(then) == len(now) for then, now in zip(runs, self.runs, strict=True))
        if complete:
            return self if t >= self.t else replace(self, t=t)
        speed = next((run.speeds[-1].factor for run in runs if run.speeds), 1.0)
        now = min(t, self.t)
        return RaceSnapshot(self.race_id, RunStatus.RUNNING, runs, now, self.horizon, speed=speed)

    def together(self) -> RaceSnapshot:
        """Return the race with every run shown until `t`, the time that all of them have reached.

        Charts of all lanes show this: a run that is ahead of the others is cut there, and the
        curves of a run that waits are drawn up to there.
        """
        if all(run.moment == self.t for run in self.runs):
            return self
        return replace(self, runs=tuple(run.shown_until(self.t) for run in self.runs))


def overlay_races(
    race_id: str, races: Sequence[RaceSnapshot], names: Sequence[str] = ()
) -> RaceSnapshot:
    """Return races as one, to compare them up to the time that all of them have reached.

    Only races on the benchmark of the first are taken. `names` are those of the races; a race
    without a name is called "race 2" by its place.
    """
    benchmark = races[0].runs[0].config.benchmark
    fitting = [race for race in races if race.runs[0].config.benchmark == benchmark]
    called = dict(zip((race.race_id for race in races), names, strict=False))
    titles: list[str] = []
    for place, race in enumerate(fitting, start=1):
        given = called.get(race.race_id, "")
        titles.append(given if given and given not in titles else f"{given} race {place}".strip())
    return RaceSnapshot(
        race_id,
        race_status({race.status for race in fitting}),
        tuple(
            replace(run, race=title)
            for race, title in zip(fitting, titles, strict=True)
            for run in race.runs
        ),
        min(race.t for race in fitting),
        max((race.horizon or 0.0 for race in fitting), default=0.0) or None,
    )


def race_status(statuses: set[RunStatus]) -> RunStatus:
    """Return the status of an ended race from those of its runs; failed only if all failed."""
    for status in (RunStatus.INTERRUPTED, RunStatus.STOPPED, RunStatus.FINISHED):
        if status in statuses:
            return status
    return RunStatus.FAILED
