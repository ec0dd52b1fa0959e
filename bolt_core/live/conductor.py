"""The conductor: a background thread that gives every live race its turns.

Within a race the run furthest behind goes next (race.py). Between races, the one with the least
recent CPU time gets a slice of about 50 ms; a longer pass is suspended after a quarter of a second,
between two evaluations of a likelihood (turns.py). At most three races are live; the others wait
(admission.py). With nothing to do the thread sleeps on a condition and uses no CPU.

Taking turns is fair, because the clock of a run charges only the run's own computing: other
races delay it in real time and change nothing else. For the same reason runs on the wall clock are
refused here.
"""

import math
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bolt_core.common import paths
from bolt_core.common.errors import BoltError, ConfigError, NotYoursError
from bolt_core.common.permissions import Permissions
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.live.admission import AdmissionQueue, Entry
from bolt_core.live.race import Race
from bolt_core.live.resume import take_up
from bolt_core.runs import limits
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import race_file
from bolt_core.store.line_file import SYNC_THREAD

SLICE_SECONDS = 0.05  # for which a race is advanced before another may be
SHUTDOWN_TIMEOUT_SECONDS = 2.0  # for which `shutdown` waits for a pass to end
CLOSING_CUT_SECONDS = 1.0  # for which `shutdown` lets a pass go on
PAUSE_TIMEOUT_SECONDS = 0.3  # for which `pause` waits for the pass it interrupts
ANSWER_POLL_SECONDS = 0.01  # between two checks for an objective's answer, with nothing else to do
WAIT_POLL_SECONDS = 0.1  # between two checks of `wait`: a file saved at last wakes no waiter
QUEUE_POLL_SECONDS = 1.0  # between two checks of the queue, when every live race is paused


class Conductor:
    """Starts, advances and stops races. Every method may be called from any thread.

    A race started with an `owner` (any token) can only be changed by callers that pass the same
    token as `by`, or the operator's (`permissions`). Requests for races that are unknown or have
    ended are ignored, because a button may always be pressed too late.
    """

    def __init__(
        self,
        directory: Path | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        permissions: Permissions | None = None,
    ) -> None:
        """Records are kept in `directory`; `now` measures waiting and watching, in seconds."""
        self._directory = directory or paths.runs()
        self._permissions = permissions or Permissions(shared=True)
        self._now = now
        self._wake = threading.Condition()
        self._queue = AdmissionQueue()
        self._advancing: Entry | None = None
        self._closing = False
        self._thread: threading.Thread | None = None

    def start(
        self, configs: Sequence[RunConfig], owner: str | None = None, *, confirmed: bool = False
    ) -> str:
        """Announce a race and return its id; nothing has been computed yet.

        Its race file is written first, so that the race is known after a crash, even if queued.
        Raises a `LimitError` for a race beyond the limits; the operator's is a `ConfirmationError`,
        which is not raised if the request is `confirmed`.
        """
        limits.check_live(configs)
        exceeded = limits.exceeded(configs)  # computes for a moment: not under the lock
        with self._wake:
            self._check_may_join(owner, exceeded, confirmed=confirmed)
        race = Race(configs, self._directory)
        race.announce(owner)  # writes a file: not under the lock
        try:
            with self._wake:
                self._check_may_join(owner, exceeded, confirmed=confirmed)
                self._join(race, owner)
        except BoltError:  # the queue has been filled meanwhile
            race.withdraw()
            raise
        return race.race_id

    def resume_stored(
        self, race_id: str, owner: str | None = None, *, confirmed: bool = False
    ) -> None:
        """Continue a stopped or interrupted race from its files, for the visitor `owner`.

        Runs that left no record, and a race that was queued, are run from the start.
        """
        with self._wake:
            if (former := self._queue.entries.get(race_id)) is not None:
                self._check_owner(former, owner)
                if not former.race.ended:
                    raise ConfigError(f"race {race_id} has not ended; resume it if it is paused")
            elif not self.may_take_up(race_id, owner):
                raise NotYoursError(
                    f"race {race_id} belongs to another user; start a copy of it instead"
                )
            self._check_may_join(owner, (), confirmed=confirmed)

        def check_limits(configs: Sequence[RunConfig]) -> None:
            self._permissions.check_limits(owner, limits.exceeded(configs), confirmed=confirmed)

        race = take_up(race_id, self._directory, check_limits)  # reads files: not under the lock
        try:
            with self._wake:
                self._join(race, owner)
        except BoltError:  # the queue has been filled meanwhile
            race.put_back()
            raise

    def stop(self, race_id: str, *, by: str | None = None) -> None:
        """End a race after the pass it is in."""
        with self._wake:
            if entry := self._changeable(race_id, by):
                self._queue.stop(entry)
                self._wake.notify_all()

    def pause(self, race_id: str, *, by: str | None = None) -> None:
        """Pause a race after the pass it is in; it can be stepped, resumed or stopped.

        Waits briefly for that pass, so that a paused race does not change once it is shown.
        """
        with self._wake:
            if entry := self._changeable(race_id, by):
                self._queue.pause(entry, self._now())
                self._wake.notify_all()
                self._wake.wait_for(
                    lambda: self._advancing is not entry and not entry.race.inside_pass,
                    PAUSE_TIMEOUT_SECONDS,
                )

    def resume(self, race_id: str, *, by: str | None = None) -> None:
        """Resume a paused race; one that lost its slot joins the queue."""
        with self._wake:
            if entry := self._changeable(race_id, by):
                self._queue.resume(entry, self._now())
                self._wake.notify_all()

    def step(self, race_id: str, run_id: str | None = None, *, by: str | None = None) -> None:
        """Make one pass of the given run, or of the one furthest behind, and pause the race."""
        with self._wake:
            entry = self._changeable(race_id, by)
            if entry and entry not in self._queue.waiting:
                entry.race.request_step(run_id)
                self._queue.pause(entry, self._now())
                self._wake.notify_all()

    def speed(self, race_id: str, factor: float, *, by: str | None = None) -> None:
        """Let computing take `factor` times as long as configured, from the next passes on."""
        if not 0 < factor < math.inf:
            raise ConfigError(f"speed must be a positive factor, got {factor}; 2 is twice as slow")
        with self._wake:
            if entry := self._changeable(race_id, by):
                entry.race.set_speed(factor)

    def touch(self, race_id: str, by: str | None = None) -> None:
        """Note that a viewer is watching a race; takes no lock."""
        self._queue.watch(race_id, self._now(), by)

    def owns(self, race_id: str, token: str | None) -> bool:
        """Whether this token may stop, pause, step and change the race."""
        entry = self._queue.entries.get(race_id)
        return entry is not None and (entry.owned_by(token) or self._permissions.is_operator(token))

    def may_take_up(self, race_id: str, token: str | None) -> bool:
        """Whether this token may continue a stored race: its owner's, or the operator's."""
        return self._permissions.may_change_all(token) or race_file.belongs_to(
            self._directory, race_id, token
        )

    def snapshot(self, race_id: str) -> RaceSnapshot | None:
        """Return the race so far, without a lock; None if it is not, or no longer, in memory."""
        entry = self._queue.entries.get(race_id)
        return None if entry is None else self._queue.snapshot(entry)

    def statuses(self) -> dict[str, RunStatus]:
        """Return the status of every race in memory by race id."""
        return {race_id: entry.status for race_id, entry in list(self._queue.entries.items())}

    def forget(self, race_id: str) -> None:
        """Drop a race that has ended: its files have been moved or changed."""
        with self._wake:
            self._queue.forget(race_id)

    def wait(
        self, race_id: str, until: Callable[[RaceSnapshot], bool], timeout: float = 60.0
    ) -> RaceSnapshot:
        """Block until a snapshot satisfies `until` and return it.

        Raises a `TimeoutError` after `timeout` seconds.
        """
        entry = self._queue.entries[race_id]
        latest = self._queue.snapshot(entry)

        def satisfied() -> bool:
            nonlocal latest
            latest = self._queue.snapshot(entry)
            return until(latest)

        deadline = time.monotonic() + timeout
        with self._wake:
            while not self._wake.wait_for(satisfied, WAIT_POLL_SECONDS):
                if time.monotonic() >= deadline:
                    raise TimeoutError(f"race {race_id} is {entry.status} after {timeout:g} s")
        return latest

    def shutdown(self) -> None:
        """Stop every race and close its files; waits at most two seconds for the current pass."""
        with self._wake:
            self._closing = True
            for entry in self._queue.live():
                entry.race.cut_pass(after_seconds=CLOSING_CUT_SECONDS)
            self._wake.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(SHUTDOWN_TIMEOUT_SECONDS)
        for entry in list(self._queue.entries.values()):
            entry.race.end()
        SYNC_THREAD.drain(SHUTDOWN_TIMEOUT_SECONDS)

    def _check_may_join(
        self, owner: str | None, exceeded: Sequence[str], *, confirmed: bool
    ) -> None:
        """Raise an error if this visitor may not start a race now, or not one like this."""
        self._check_open()
        self._permissions.check_token(owner)
        self._queue.check_room()
        exceeded = [*exceeded, *limits.exceeded_by_visitor(*self._queue.count(owner))]
        self._permissions.check_limits(owner, exceeded, confirmed=confirmed)

    def _join(self, race: Race, owner: str | None) -> None:
        self._check_open()
        privileged = self._permissions.is_operator(owner)
        self._queue.join(race, self._now(), owner, privileged=privileged)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="bolt-conductor", daemon=True)
            self._thread.start()
        self._wake.notify_all()

    def _check_open(self) -> None:
        if self._closing:
            raise BoltError("the conductor has been shut down; make another")

    def _changeable(self, race_id: str, by: str | None) -> Entry | None:
        """Return a race that has not ended, or None; refuse callers that do not own it."""
        entry = self._queue.entries.get(race_id)
        if entry is None or entry.race.ended:
            return None
        self._check_owner(entry, by)
        return entry

    def _check_owner(self, entry: Entry, by: str | None) -> None:
        if not self._permissions.is_operator(by):
            entry.check_owner(by)

    def _work(self) -> None:
        """Advance races, one slice after another, until the conductor is shut down."""
        while not self._closing:
            if (entry := self._next()) is None:
                self._settle(after=0.0)
                self._sleep()
                continue
            cpu_seconds = entry.take_turn(SLICE_SECONDS)
            with self._wake:
                self._queue.charge(entry, cpu_seconds)
                self._advancing = None
                self._wake.notify_all()
            self._settle()

    def _next(self) -> Entry | None:
        """Admit waiting races and return the race to advance; None if none can be advanced."""
        with self._wake:
            self._queue.admit(self._now())
            self._advancing = self._queue.next_ready()
            return self._advancing

    def _sleep(self) -> None:
        """Sleep until a race may have become ready."""
        with self._wake:
            entries = self._queue.entries.values()
            if self._closing or any(entry.ready for entry in entries):
                return
            if any(entry.has_work for entry in entries):  # it waits for an objective
                self._wake.wait(ANSWER_POLL_SECONDS)
            else:
                self._wake.wait(QUEUE_POLL_SECONDS if self._queue.waiting else None)

    def _settle(self, **after: float) -> None:
        """Save the states of races that are due, so that resuming repeats less than a second."""
        for entry in list(self._queue.entries.values()):
            if not entry.race.ended:
                entry.race.settle(**after)
