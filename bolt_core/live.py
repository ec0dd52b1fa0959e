"""The conductor: one background thread that advances every live race.

Inside a race the run furthest behind goes next (race.py). Between races the one that had least
CPU lately gets a slice of about 50 ms. At most three races are live; the others wait in line, in
the order they came. With nothing to do the thread sleeps on a condition and costs nothing.

Clocks make this fair: a run charges itself for its own thinking only, so sharing a thread slows
the wall clock and nothing else. That is also why wall-clock runs are refused here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bolt_core import paths
from bolt_core.errors import BoltError, ConfigError
from bolt_core.race import Race, RaceSnapshot
from bolt_core.types import RunConfig, RunStatus

LIVE = 3  # races at a time
QUEUE = 20  # races in line
KEPT = 50  # races in memory; older ones are on disk
SLICE = 0.05  # seconds a race is advanced before another may be
LATELY = 5.0  # seconds after which CPU had counts half
PATIENCE = 2.0  # seconds shutdown waits for a pass to end


class Conductor:
    """Starts, advances and stops races. Every method may be called from any thread."""

    def __init__(self, directory: Path | None = None) -> None:
        self._directory = directory or paths.runs()
        self._wake = threading.Condition()
        self._races: dict[str, Race] = {}  # by age; readers only look a key up
        self._queue: tuple[Race, ...] = ()  # replaced, never changed: readers need no lock
        self._closing = False
        self._thread: threading.Thread | None = None

    def start(self, configs: Sequence[RunConfig]) -> str:
        """Announce a race and return its id; nothing has been computed yet."""
        _check(configs)
        race = Race(configs, self._directory)
        with self._wake:
            if self._closing:
                raise BoltError("the conductor has been shut down; make another")
            if len(self._queue) >= QUEUE:
                raise ConfigError(f"{QUEUE} races wait already; try again when one has ended")
            self._queue += (race,)
            self._admit()
            self._races[race.race_id] = race
            self._forget()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="bolt-conductor", daemon=True
                )
                self._thread.start()
            self._wake.notify_all()
        return race.race_id

    def stop(self, race_id: str) -> None:
        """End a race after the pass it is in; ended and unknown ones are left as they are."""
        with self._wake:
            race = self._races.get(race_id)
            if race is not None and not race.ended:
                race.stopping = True
                self._wake.notify_all()

    def snapshot(self, race_id: str) -> RaceSnapshot | None:
        """The race so far, without a lock; None if it is not, or no longer, in memory."""
        race, queue = self._races.get(race_id), self._queue
        if race is None:
            return None
        return race.snapshot(queue.index(race) + 1 if race in queue else None)

    def statuses(self) -> dict[str, RunStatus]:
        """Of the races in memory, by id."""
        return {race_id: race.status for race_id, race in list(self._races.items())}

    def wait(
        self, race_id: str, until: Callable[[RaceSnapshot], bool], timeout: float = 60.0
    ) -> RaceSnapshot:
        """Block until a snapshot satisfies `until`, or a TimeoutError."""
        race = self._races[race_id]
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
        for race in list(self._races.values()):
            race.end()

    def _work(self) -> None:
        while (race := self._next()) is not None:
            began, until = time.thread_time(), time.monotonic() + SLICE
            while not (race.ended or self._closing) and time.monotonic() < until:
                race.advance()
            self._account(race, time.thread_time() - began)

    def _next(self) -> Race | None:
        """The race to advance, when there is one; None when it is time to go home."""
        with self._wake:
            while not self._closing:
                self._admit()
                if live := self._live():
                    return min(live, key=lambda race: race.used)
                self._wake.wait()
        return None

    def _account(self, race: Race, cpu: float) -> None:
        with self._wake:
            fade = 0.5 ** (cpu / LATELY)
            for other in self._live():
                other.used *= fade
            race.used += cpu
            self._wake.notify_all()

    def _live(self) -> list[Race]:
        return [race for race in self._races.values() if race.admitted and not race.ended]

    def _admit(self) -> None:
        """Let in who came first, and let go who was stopped while waiting."""
        for race in self._queue:
            if race.stopping:
                race.end()
        queue = tuple(race for race in self._queue if not race.ended)
        live = self._live()
        room = LIVE - len(live)
        for race in queue[:room]:
            race.used = min((other.used for other in live), default=0.0)  # no credit for waiting
            race.admitted = True
        self._queue = queue[room:]

    def _forget(self) -> None:
        ended = [key for key, race in self._races.items() if race.ended]
        for key in ended[: max(len(self._races) - KEPT, 0)]:
            del self._races[key]


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
