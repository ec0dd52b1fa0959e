"""Admission of races: which race is live, which waits, and which gives up its slot.

At most three races are live; the others wait in the order of their arrival. An unwatched race runs
to its end and a paused race keeps its slot, until the race at the head of the queue has waited for
two minutes. Then the live race that has been unattended longest gives up its slot. A race that
yielded while it ran resumes automatically as soon as a slot is free and no race waits for it. A
race that a user paused joins the end of the queue when it is resumed; if its owner has been away
for ten minutes, it gives up its slot at once.

A visitor has one live race at a time: further ones wait, even if a slot is free (`limits.py`).

This module only keeps the books. It has no thread, lock or clock: the conductor passes the time in
seconds, `now`, to every method.
"""

import time
from dataclasses import dataclass

from bolt_core.common.errors import ConfigError, NotYoursError
from bolt_core.common.types import RunStatus
from bolt_core.live.race import Race
from bolt_core.runs.limits import MAX_LIVE_PER_VISITOR
from bolt_core.runs.race_snapshot import RaceSnapshot

MAX_LIVE_RACES = 3
MAX_WAITING_RACES = 20
MAX_PARKED_RACES = 20  # paused without a slot; older ones are stopped and can be resumed from disk
MAX_ENDED_RACES_IN_MEMORY = 10  # the others are on disk only
YIELD_AFTER_SECONDS = 120.0  # of waiting at the head of the queue
UNWATCHED_AFTER_SECONDS = 10.0  # since a viewer last asked for the race
OWNER_AWAY_AFTER_SECONDS = 600.0  # since the owner last asked for a paused race
CUT_AFTER_SECONDS = 1.0  # for which a race that is to stop may go on with its pass
CPU_HALF_LIFE_SECONDS = 5.0  # of CPU time, after which earlier CPU time counts half


@dataclass(eq=False, slots=True)
class Entry:
    """A race with its admission state: its owner, its slot, its pauses and its CPU time.

    Only the `AdmissionQueue` creates entries. Times are in seconds of the conductor's clock.
    """

    race: Race
    owner: str | None  # a token that is never stored; None: every user may change the race
    joined_at: float
    watched_at: float
    owner_seen_at: float
    privileged: bool = False  # of the operator: not counted against the limits of a visitor
    admitted_at: float | None = None  # None: the race has no slot
    paused_at: float | None = None  # None: no user has paused the race
    yielded: bool = False  # it gave up its slot while it ran
    stopping: bool = False
    recent_cpu_seconds: float = 0.0

    @property
    def live(self) -> bool:
        """Whether the race has a slot and has not ended."""
        return self.admitted_at is not None and not self.race.ended

    @property
    def has_work(self) -> bool:
        """Whether the race is to be advanced, ended or stepped now, or is inside a pass."""
        wanted = self.stopping or self.race.steps_pending or self.race.inside_pass
        return not self.race.ended and (wanted or (self.live and self.paused_at is None))

    @property
    def ready(self) -> bool:
        """Whether that work can be done now, without waiting for an objective."""
        return self.has_work and (self.stopping or self.race.inside_pass or self.race.ready)

    @property
    def status(self) -> RunStatus:
        """The status of the race's runs, unless the race is stopping, paused or queued."""
        status = self.race.status
        if status.ended:
            return status
        if self.stopping:
            return RunStatus.STOPPING
        if self.paused_at is not None or self.yielded:
            return RunStatus.PAUSED
        return status if self.admitted_at is not None else RunStatus.QUEUED

    def owned_by(self, token: str | None) -> bool:
        """Whether this token may stop, pause, step and change the race."""
        return self.owner in (None, token)

    def check_owner(self, token: str | None) -> None:
        """Raise a `NotYoursError` unless this token may change the race."""
        if not self.owned_by(token):
            raise NotYoursError(
                f"race {self.race.race_id} was started by another user; only its owner may change "
                "it. You can watch it, or start a copy of it"
            )

    def take_turn(self, seconds: float) -> float:
        """Make passes for about so long, or end a race that is to stop; return CPU seconds."""
        until = time.monotonic() + seconds

        def work() -> None:
            while self.ready and not self.stopping and time.monotonic() < until:
                self.race.advance()

        if self.stopping and not self.race.inside_pass:
            self.race.end()
            return 0.0
        return self.race.take_turn(work)

    def unattended_seconds(self, now: float) -> float:
        """Return how long a live race has been paused or unwatched; 0 for a watched race."""
        admitted_at = self.admitted_at or 0.0
        unwatched = now - max(self.watched_at, admitted_at)
        paused = 0.0 if self.paused_at is None else now - max(self.paused_at, admitted_at)
        return max(unwatched if unwatched >= UNWATCHED_AFTER_SECONDS else 0.0, paused)


class AdmissionQueue:
    """Every race in memory, and the queue of those that wait for a slot.

    `entries` and `waiting` may be read without a lock; every method that changes something must be
    called under the conductor's lock.
    """

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}  # by race id, in the order in which they joined
        self.waiting: tuple[Entry, ...] = ()  # replaced, never mutated: readers need no lock

    def live(self) -> list[Entry]:
        """Return the entries that have a slot and have not ended."""
        return [entry for entry in self.entries.values() if entry.live]

    def next_ready(self) -> Entry | None:
        """Return the ready race with the least recent CPU time; one that is to stop comes first."""
        ready = [entry for entry in self.entries.values() if entry.ready]
        return min(
            ready, key=lambda entry: (not entry.stopping, entry.recent_cpu_seconds), default=None
        )

    def snapshot(self, entry: Entry) -> RaceSnapshot:
        """Return the race so far, with its status and its position in the queue (from 1)."""
        status, waiting = entry.status, self.waiting
        queued = status == RunStatus.QUEUED and entry in waiting
        return entry.race.snapshot(
            status,
            position=waiting.index(entry) + 1 if queued else None,
            yielded=entry.yielded and status == RunStatus.PAUSED,
        )

    def check_room(self) -> None:
        """Raise a `ConfigError` if the queue is full."""
        if len(self.waiting) >= MAX_WAITING_RACES:
            raise ConfigError(
                f"{MAX_WAITING_RACES} races are already waiting; try again when one has ended"
            )

    def join(
        self, race: Race, now: float, owner: str | None = None, *, privileged: bool = False
    ) -> Entry:
        """Put a race at the end of the queue, and admit it if a slot is free."""
        entry = Entry(race, owner, now, now, now, privileged=privileged)
        self._enqueue(entry, now)
        return entry

    def count(self, owner: str | None) -> tuple[int, int]:
        """Return how many races of a visitor are live, and how many wait or are paused."""
        if owner is None:
            return 0, 0
        mine = [e for e in self.entries.values() if e.owner == owner and not e.race.ended]
        live = sum(entry.live for entry in mine)
        return live, len(mine) - live

    def watch(self, race_id: str, now: float, by: str | None = None) -> None:
        """Note that a viewer is watching a race. Needs no lock: it is called for every view."""
        if (entry := self.entries.get(race_id)) is not None:
            entry.watched_at = now
            if entry.owned_by(by):
                entry.owner_seen_at = now

    def stop(self, entry: Entry) -> None:
        """Have a race end after the pass it is in, or inside a pass that takes long."""
        entry.stopping = True
        entry.race.cut_pass(after_seconds=CUT_AFTER_SECONDS)

    def pause(self, entry: Entry, now: float) -> None:
        """Pause a race: a live race keeps its slot for now, a waiting race leaves the queue."""
        if entry.paused_at is not None or entry.stopping:
            return
        entry.paused_at, entry.yielded = now, False
        self.waiting = tuple(other for other in self.waiting if other is not entry)
        entry.race.rest()
        self._stop_excess_parked()

    def resume(self, entry: Entry, now: float) -> None:
        """Resume a paused race; without a slot it joins the end of the queue."""
        if entry.paused_at is None and not entry.yielded:
            return
        if entry.admitted_at is None:
            self.check_room()
        entry.paused_at, entry.yielded, entry.watched_at = None, False, now
        if entry.admitted_at is None:
            entry.joined_at = now
            self._enqueue(entry, now)

    def admit(self, now: float) -> None:
        """Admit waiting races in order, then races that yielded, while slots are free."""
        self.waiting = tuple(e for e in self.waiting if not (e.stopping or e.race.ended))
        self._park_abandoned(now)
        while entry := next(filter(self._may_be_live, self.waiting), None):
            if self._free_slots() <= 0 and not self._free_a_slot(entry, now):
                break
            self._give_slot(entry, now)
            self.waiting = tuple(other for other in self.waiting if other is not entry)
        for entry in [e for e in self.entries.values() if e.yielded and not e.race.ended]:
            if self._free_slots() > 0 and self._may_be_live(entry):
                self._give_slot(entry, now)

    def charge(self, entry: Entry, cpu_seconds: float) -> None:
        """Add CPU time to a race, and let the earlier CPU time of all live races decay."""
        decay = 0.5 ** (cpu_seconds / CPU_HALF_LIFE_SECONDS)
        for other in self.live():
            other.recent_cpu_seconds *= decay
        entry.recent_cpu_seconds += cpu_seconds

    def _enqueue(self, entry: Entry, now: float) -> None:
        self.check_room()
        self.waiting += (entry,)
        self.entries.pop(entry.race.race_id, None)  # a race resumed from disk replaces its entry
        self.entries[entry.race.race_id] = entry
        self.admit(now)
        self._forget_ended()

    def _free_slots(self) -> int:
        return MAX_LIVE_RACES - len(self.live())

    def _give_slot(self, entry: Entry, now: float) -> None:
        live = [other.recent_cpu_seconds for other in self.live()]
        entry.recent_cpu_seconds = min(live, default=0.0)  # no credit for the time it waited
        entry.admitted_at, entry.yielded = now, False

    def _may_be_live(self, entry: Entry) -> bool:
        """Whether the owner of a race has no other live race, or is not limited."""
        return entry.privileged or self.count(entry.owner)[0] < MAX_LIVE_PER_VISITOR

    def _free_a_slot(self, waiting: Entry, now: float) -> bool:
        """Take the slot of the race unattended longest, if the waiting race waited enough."""
        entry = max(self.live(), key=lambda entry: entry.unattended_seconds(now))
        waited = now - waiting.joined_at
        if waited < YIELD_AFTER_SECONDS or not entry.unattended_seconds(now):
            return False
        self._take_slot(entry)
        return True

    def _park_abandoned(self, now: float) -> None:
        """Take the slots of paused races whose owners have been away for long."""
        for entry in self.live():
            if entry.paused_at is not None:
                attended_at = max(entry.paused_at, entry.owner_seen_at)
                if now - attended_at >= OWNER_AWAY_AFTER_SECONDS:
                    self._take_slot(entry)

    def _take_slot(self, entry: Entry) -> None:
        """Take the slot of a race; one that was running resumes when a slot is free."""
        entry.admitted_at = None
        entry.yielded = entry.paused_at is None
        entry.race.rest()
        self._stop_excess_parked()

    def _stop_excess_parked(self) -> None:
        """Stop the least recently watched paused races without a slot, beyond the maximum."""
        parked = [
            entry
            for entry in self.entries.values()
            if entry.status == RunStatus.PAUSED and entry.admitted_at is None
        ]
        parked.sort(key=lambda entry: entry.watched_at)
        for entry in parked[: max(len(parked) - MAX_PARKED_RACES, 0)]:
            self.stop(entry)

    def forget(self, race_id: str) -> None:
        """Drop a race if it has ended."""
        if (entry := self.entries.get(race_id)) is not None and entry.race.ended:
            del self.entries[race_id]

    def _forget_ended(self) -> None:
        """Keep the last races that have ended, and those that could not be saved yet."""
        ended = [race_id for race_id, entry in self.entries.items() if entry.race.ended]
        for race_id in ended[: max(len(ended) - MAX_ENDED_RACES_IN_MEMORY, 0)]:
            if self.snapshot(self.entries[race_id]).warning is None:
                del self.entries[race_id]
