"""A race: runs started together, advanced one pass at a time by whoever holds the baton.

The run furthest behind on its own clock goes next, so that lanes stay side by side whatever their
passes cost. A failed run holds nobody back, nor does one whose objective is still thinking. One
thread advances; readers need no lock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bolt_core.common.errors import UnknownNameError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.gp.workspace import Workspace
from bolt_core.live.cpu_contention import DISTURBED, Neighbours
from bolt_core.live.eta import Pace
from bolt_core.live.live_run import LiveRun, Past
from bolt_core.runs.lane_names import lane_key
from bolt_core.runs.race_snapshot import RaceSnapshot, outcome
from bolt_core.store.records import new_id, new_ids

PHASES = (RunStatus.STARTING, RunStatus.WARMING_UP, RunStatus.RUNNING)


class Race:
    """Runs side by side. Only the conductor advances it."""

    def __init__(
        self, configs: Sequence[RunConfig], directory: Path, pasts: Sequence[Past] = ()
    ) -> None:
        """`pasts`: of a stored race that goes on, one for each config."""
        told = [past.snapshot.header or {} for past in pasts]
        about = told or _announced(configs)
        followed: Sequence[Past | None] = pasts or [None] * len(configs)
        self.race_id: str = about[0]["race_id"]
        room = Workspace()  # one thread advances them all
        self.runs = tuple(
            LiveRun(config, said, directory, past, room)
            for config, said, past in zip(configs, about, followed, strict=True)
        )
        self.owner: str | None = None  # a token; None: anybody. Never written anywhere
        self.touched = 0.0  # when somebody last watched it
        self.joined = 0.0  # when it joined the line
        self.admitted: float | None = None  # when it got its place; None: it has none
        self.paused: float | None = None  # when somebody paused it; None: nobody has
        self.yielded = False
        self.stopping = False
        self.busy = False  # being advanced
        self.used = 0.0  # CPU seconds it had lately
        self.speed = next((run.speeds[-1].factor for run in self.runs if run.speeds), 1.0)
        self._steps: deque[str | None] = deque()  # asked for, by run id; None: the furthest behind
        self._step: tuple[LiveRun, int] | None = None  # being made: the run, its passes afterwards
        self._pace = Pace()
        self.neighbours = Neighbours()

    @property
    def ended(self) -> bool:
        return all(run.status.ended for run in self.runs)

    @property
    def moving(self) -> bool:
        """There is something to do for it now."""
        if self.ended:
            return False
        running = self.admitted is not None and self.paused is None
        return running or self.stopping or bool(self._steps)

    @property
    def ready(self) -> bool:
        """And it can be done: not all of its runs wait for an objective."""
        if self.stopping:
            return True
        if self._step is not None:
            return self._step[0].ready or self._step[0].status.ended
        return any(run.ready for run in self.runs)

    def ask_step(self, run_id: str | None) -> None:
        known = {run.run_id for run in self.runs}
        if run_id is not None and run_id not in known:
            raise UnknownNameError(f"run of race {self.race_id}", run_id, known)
        self._steps.append(run_id)

    def set_speed(self, factor: float) -> None:
        self.speed = factor
        for run in self.runs:
            run.wanted_factor = factor

    def rest(self) -> None:
        """It stands still for a while."""
        self._pace.rest()

    def advance(self) -> None:
        """One pass of the run furthest behind, or the end if somebody asked for it."""
        if self.stopping:
            self.end()
        elif self._steps:
            self._make_step()
        else:
            self._furthest_behind().advance()
            self._pace.note(self.now, self._horizon)

    def settle(self, **how: float) -> None:
        for run in self.runs:
            run.settle(**how)

    def end(self) -> None:
        for run in self.runs:
            run.end(RunStatus.STOPPED)

    def _furthest_behind(self) -> LiveRun:
        return min((run for run in self.runs if run.ready), key=lambda run: run.now)

    def _make_step(self) -> None:
        """Exactly one pass, which may need getting ready first, and answers from elsewhere."""
        if self._step is None:
            by_id = {run.run_id: run for run in self.runs}
            run = by_id.get(self._steps[0] or "") or self._furthest_behind()
            self._step = run, run.length + 1
        run, goal = self._step
        while run.ready and run.length < goal:
            run.advance()
        if run.status.ended or run.length >= goal:
            self._step = None
            self._steps.popleft()

    @property
    def now(self) -> float:
        """The slowest clock; a failed run holds nobody back."""
        sound = [run.now for run in self.runs if run.status != RunStatus.FAILED]
        return min(sound) if sound else max(run.now for run in self.runs)

    @property
    def _horizon(self) -> float | None:
        return next((run.about["horizon"] for run in self.runs if "horizon" in run.about), None)

    @property
    def status(self) -> RunStatus:
        told = [(run.length, run.status) for run in self.runs]  # once: a run may end meanwhile
        found = {status for _, status in told}
        if all(status.ended for status in found):
            return outcome(found)
        if self.stopping:
            return RunStatus.STOPPING
        if self.paused is not None or self.yielded:
            return RunStatus.PAUSED
        if self.admitted is None:
            return RunStatus.QUEUED
        # A resumed run that was ahead of the others waits for its turn: the race goes on.
        turns = {status for n, status in told if not (n and status == RunStatus.STARTING)}
        return next((phase for phase in PHASES if phase in turns), RunStatus.STARTING)

    def snapshot(self, position: int | None = None) -> RaceSnapshot:
        status, horizon = self.status, self._horizon
        now = min(self.now, horizon or 0.0)
        found = RaceSnapshot(
            race_id=self.race_id,
            status=status,
            runs=tuple(run.snapshot() for run in self.runs),
            t=now,
            horizon=horizon,
            position=position if status == RunStatus.QUEUED else None,
            warning=next((run.warning for run in self.runs if run.warning), None),
            speed=self.speed,
            yielded=self.yielded and status == RunStatus.PAUSED,
            disturbed=self._disturbed(status),
        )
        if status not in PHASES:
            return found
        return replace(found, eta=self._pace.left, pace=self._pace.speed)

    def _disturbed(self, status: RunStatus) -> float | None:
        """How much longer it took beside others, if that may show on its clock."""
        times = self.neighbours.whole if status.ended else self.neighbours.now
        by_cpu = any(run.config.clock.kind == "cpu" for run in self.runs)
        return times if by_cpu and times is not None and times > DISTURBED else None


def _announced(configs: Sequence[RunConfig]) -> list[Mapping[str, Any]]:
    """Who is who: seeds share the number of their lane, each has its own place."""
    race_id, keys = new_id(), [lane_key(config) for config in configs]
    lanes = list(dict.fromkeys(keys))
    return [
        {"run_id": run_id, "race_id": race_id, "lane": lanes.index(key), "place": place}
        for place, (key, run_id) in enumerate(zip(keys, new_ids(len(keys)), strict=True))
    ]
