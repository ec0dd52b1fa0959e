"""The conductor: one background thread that advances every live race.

Inside a race the run furthest behind goes next (race.py). Between races the one that had least
CPU lately gets a slice of about 50 ms. At most three races are live; the others wait in line
(places.py). With nothing to do the thread sleeps on a condition and costs nothing.

Clocks make this fair: a run charges itself for its own thinking only, so sharing a thread slows
the wall clock and nothing else. That is also why wall-clock runs are refused here.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path

from bolt_core.common import paths
from bolt_core.common.errors import BoltError, ConfigError, NotYoursError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.live.admission import Places
from bolt_core.live.race import Race
from bolt_core.live.resume import take_up
from bolt_core.runs.race_snapshot import RaceSnapshot

SLICE = 0.05  # seconds a race is advanced before another may be
LATELY = 5.0  # seconds after which CPU had counts half
PATIENCE = 2.0  # seconds shutdown waits for a pass to end
PAUSING = 0.3  # seconds a pause waits for the pass it falls into: what is shown then stays
LOOK = 0.01  # seconds between two looks for an objective's answer, when there is nothing else
GLANCE = 1.0  # seconds between two looks at the line, when every live race is paused


class Conductor:
    """Starts, advances and stops races. Every method may be called from any thread.

    Whoever starts a race with an `owner` (any token) must give it again as `by` to change it.
    What is ended or unknown is left as it is: a press may always come too late.
    """

    def __init__(
        self, directory: Path | None = None, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        """`now`: what waiting and watching are measured with."""
        self._directory = directory or paths.runs()
        self._now = now
        self._wake = threading.Condition()
        self._places = Places()
        self._closing = False
        self._thread: threading.Thread | None = None

    def start(self, configs: Sequence[RunConfig], owner: str | None = None) -> str:
        """Announce a race and return its id; nothing has been computed yet."""
        _check(configs)
        race = Race(configs, self._directory)
        race.owner = owner
        with self._wake:
            self._enter(race)
        return race.race_id

    def resume_stored(self, race_id: str, owner: str | None = None) -> None:
        """Go on with a stopped or interrupted race from its files; it is then the owner's."""
        with self._wake:
            if (former := self._places.races.get(race_id)) is not None:
                _check_owner(former, owner)
                if not former.ended:
                    raise ConfigError(f"race {race_id} has not ended; resume it if it is paused")
            self._check_open()
            self._places.check_room()
        race = take_up(race_id, self._directory)  # reads files: not under the lock
        race.owner = owner
        try:
            with self._wake:
                self._enter(race)
        except BoltError:  # the last place in line is gone
            race.end()
            raise

    def stop(self, race_id: str, *, by: str | None = None) -> None:
        """End a race after the pass it is in."""
        with self._wake:
            if race := self._mine(race_id, by):
                race.stopping = True
                self._wake.notify_all()

    def pause(self, race_id: str, *, by: str | None = None) -> None:
        """Halt a race after the pass it is in; it can be stepped, resumed or stopped."""
        with self._wake:
            if race := self._mine(race_id, by):
                self._pause(race)
                self._wake.notify_all()
                self._wake.wait_for(lambda: not race.busy, PAUSING)

    def resume(self, race_id: str, *, by: str | None = None) -> None:
        """Go on with a paused race; one that lost its place joins the line."""
        with self._wake:
            race = self._mine(race_id, by)
            if race and (race.paused is not None or race.yielded):
                self._places.resume(race, self._now())
                self._wake.notify_all()

    def step(self, race_id: str, run_id: str | None = None, *, by: str | None = None) -> None:
        """One pass of a named run, or of the one furthest behind; the race is paused then."""
        with self._wake:
            race = self._mine(race_id, by)
            if race and race not in self._places.queue:
                race.ask_step(run_id)
                self._pause(race)
                self._wake.notify_all()

    def speed(self, race_id: str, factor: float, *, by: str | None = None) -> None:
        """From the next passes on, thinking takes `factor` times as long as configured."""
        if not 0 < factor < math.inf:
            raise ConfigError(f"speed must be a positive factor, got {factor}; 2 is twice as slow")
        with self._wake:
            if race := self._mine(race_id, by):
                race.set_speed(factor)

    def touch(self, race_id: str) -> None:
        """Somebody is watching; without a lock, for it is called at every look."""
        race = self._places.races.get(race_id)
        if race is not None:
            race.touched = self._now()

    def owns(self, race_id: str, token: str | None) -> bool:
        """Whether this token may stop, pause, step and change the race."""
        race = self._places.races.get(race_id)
        return race is not None and race.owner in (None, token)

    def snapshot(self, race_id: str) -> RaceSnapshot | None:
        """The race so far, without a lock; None if it is not, or no longer, in memory."""
        race, queue = self._places.races.get(race_id), self._places.queue
        if race is None:
            return None
        return race.snapshot(queue.index(race) + 1 if race in queue else None)

    def statuses(self) -> dict[str, RunStatus]:
        """Of the races in memory, by id."""
        return {race_id: race.status for race_id, race in list(self._places.races.items())}

    def wait(
        self, race_id: str, until: Callable[[RaceSnapshot], bool], timeout: float = 60.0
    ) -> RaceSnapshot:
        """Block until a snapshot satisfies `until`, or a TimeoutError."""
        race = self._places.races[race_id]
        seen = [race.snapshot()]

        def satisfied() -> bool:
            seen[0] = race.snapshot()
            return until(seen[0])

        with self._wake:
            if not self._wake.wait_for(satisfied, timeout):
                raise TimeoutError(f"race {race_id} is {race.status} after {timeout:g} s")
        return seen[0]

    def shutdown(self) -> None:
        """Stop everything and close the files, within two seconds whatever a pass is doing."""
        with self._wake:
            self._closing = True
            self._wake.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(PATIENCE)
        for race in list(self._places.races.values()):
            race.end()

    def _enter(self, race: Race) -> None:
        self._check_open()
        self._places.join(race, self._now())
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bolt-conductor", daemon=True)
            self._thread.start()
        self._wake.notify_all()

    def _check_open(self) -> None:
        if self._closing:
            raise BoltError("the conductor has been shut down; make another")

    def _mine(self, race_id: str, by: str | None) -> Race | None:
        """The race, if it is known and going; an error if it is somebody else's."""
        race = self._places.races.get(race_id)
        if race is None or race.ended:
            return None
        _check_owner(race, by)
        return race

    def _pause(self, race: Race) -> None:
        if race.paused is None and not race.stopping:
            self._places.pause(race, self._now())

    def _work(self) -> None:
        while not self._closing:
            if (race := self._next()) is None:
                self._settle(after=0.0)
                self._nap()
                continue
            began, until = time.thread_time(), time.monotonic() + SLICE
            getting_ready = any(run.status == RunStatus.STARTING for run in race.runs)  # it loads
            with nullcontext() if getting_ready else race.neighbours.computing():
                while self._may_go(race) and time.monotonic() < until:
                    race.advance()
            self._account(race, time.thread_time() - began)
            self._settle()

    def _may_go(self, race: Race) -> bool:
        return race.moving and race.ready and not self._closing

    def _next(self) -> Race | None:
        """The race to advance; None if there is nothing to do."""
        with self._wake:
            self._places.admit(self._now())
            going = [race for race in self._places.races.values() if self._may_go(race)]
            race = min(going, key=lambda race: (not race.stopping, race.used), default=None)
            if race is not None:
                race.busy = True
            return race

    def _nap(self) -> None:
        """Sleep until there may be something to do."""
        with self._wake:
            races = self._places.races.values()
            if self._closing or any(self._may_go(race) for race in races):
                return
            waiting = LOOK if any(race.moving for race in races) else None
            self._wake.wait(waiting or (GLANCE if self._places.queue else None))

    def _account(self, race: Race, cpu: float) -> None:
        with self._wake:
            fade = 0.5 ** (cpu / LATELY)
            for other in self._places.live():
                other.used *= fade
            race.used += cpu
            race.busy = False
            self._wake.notify_all()

    def _settle(self, **how: float) -> None:
        """What is written is on the disk within a second, also when no more lines come."""
        for race in list(self._places.races.values()):
            if not race.ended:
                race.settle(**how)


def _check(configs: Sequence[RunConfig]) -> None:
    if not configs:
        raise ConfigError("a race needs at least one run; choose an algorithm")
    if len({config.benchmark for config in configs}) > 1:
        raise ConfigError("the runs of a race share one benchmark; start one race for each")
    if any(config.clock.kind == "wall" for config in configs):
        raise ConfigError(
            "a live race lives by the cpu or the model clock, for it shares the machine; "
            "for the wall clock use `bolt run --clock wall`"
        )


def _check_owner(race: Race, token: str | None) -> None:
    if race.owner not in (None, token):
        raise NotYoursError(
            f"race {race.race_id} was started by somebody else, who alone may change it; "
            "you may watch it, or start one like it"
        )
