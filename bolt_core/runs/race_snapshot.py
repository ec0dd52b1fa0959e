"""A race as data: snapshots of the runs that were started together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from bolt_core.common.types import RunStatus
from bolt_core.runs.snapshot import RunSnapshot

DISTURBED_RATIO = 1.3  # real seconds per CPU second above which timings are called disturbed


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
    common_horizon: float | None = None  # seconds: horizon at which compared races are cut
    notes: tuple[str, ...] = ()  # sentences: what a comparison leaves out, and why

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
        curves of a run that waits are drawn up to there. Races that are compared up to a common
        horizon are shown as if all of them had it.
        """
        if all(run.moment == self.t for run in self.runs):
            return self
        if self.common_horizon is not None and self.t >= self.common_horizon:
            cut = tuple(with_horizon(run, self.common_horizon) for run in self.runs)
            return replace(self, runs=cut)
        return replace(self, runs=tuple(run.shown_until(self.t) for run in self.runs))


def with_horizon(run: RunSnapshot, horizon: float) -> RunSnapshot:
    """Return a run as it would have been with this horizon, which is not later than its own.

    It has every query before the horizon, and the pass of the last one may end after it. A run
    that did not come as far keeps its status.
    """
    queries_before = int(np.searchsorted(np.maximum.accumulate(run.columns["t"]), horizon))
    reached = run.status == RunStatus.FINISHED or run.end >= horizon
    return replace(
        run.upto(queries_before),
        status=RunStatus.FINISHED if reached else run.status,
        error=None if reached else run.error,
        header={**(run.header or {}), "horizon": horizon},
        speeds=tuple(change for change in run.speeds if change.t < horizon),
        moment=horizon,
    )


def disturbance(runs: Iterable[RunSnapshot]) -> float | None:
    """Return the largest contention that was noted while runs computed, if it disturbed them."""
    ratio = max((run.contention or 0.0 for run in runs), default=0.0)
    return ratio if ratio > DISTURBED_RATIO else None


def race_status(statuses: set[RunStatus]) -> RunStatus:
    """Return the status of an ended race from those of its runs; failed only if all failed."""
    for status in (RunStatus.INTERRUPTED, RunStatus.STOPPED, RunStatus.FINISHED):
        if status in statuses:
            return status
    return RunStatus.FAILED
