"""Who is live, who waits in line, and who gives way.

Three races have a place; the rest wait in the order they came. A race that nobody watches goes on
to its end, and one that somebody paused keeps its place, until others have waited for two minutes:
then the one left alone longest yields. One that yielded unwatched comes back by itself when a place
is free and nobody waits for it; a paused one joins the line when it is resumed.

Plain bookkeeping: no thread, no lock, no clock. The conductor says what time it is.
"""

from __future__ import annotations

from bolt_core.common.errors import ConfigError
from bolt_core.live.race import Race

LIVE = 3  # races at a time
QUEUE = 20  # races in line
PARKED = 20  # races paused without a place; older ones are stopped, and can be taken up from disk
KEPT = 50  # races in memory; older ones are on disk
WAIT = 120.0  # seconds in line after which somebody must yield, if somebody can
UNWATCHED = 10.0  # seconds without a look after which a race counts as left alone


class Places:
    """Races by id, and the line. Call everything but the two fields under the conductor's lock."""

    def __init__(self) -> None:
        self.races: dict[str, Race] = {}  # by age; readers only look a key up
        self.queue: tuple[Race, ...] = ()  # replaced, never changed: readers need no lock

    def live(self) -> list[Race]:
        return [r for r in self.races.values() if r.admitted is not None and not r.ended]

    def check_room(self) -> None:
        if len(self.queue) >= QUEUE:
            raise ConfigError(f"{QUEUE} races wait already; try again when one has ended")

    def join(self, race: Race, now: float) -> None:
        """Go to the end of the line, and in if there is room."""
        self.check_room()
        race.joined = race.touched = now
        self.queue += (race,)
        self.races.pop(race.race_id, None)  # one taken up from disk takes the place of its former
        self.races[race.race_id] = race
        self.admit(now)
        self._forget()

    def pause(self, race: Race, now: float) -> None:
        """It keeps its place for now; one that waits leaves the line."""
        race.paused, race.yielded = now, False
        self.queue = tuple(other for other in self.queue if other is not race)
        race.rest()
        self._limit_parked()

    def resume(self, race: Race, now: float) -> None:
        if race.admitted is None:
            self.check_room()
        race.paused, race.yielded, race.touched = None, False, now
        if race.admitted is None:
            self.join(race, now)

    def admit(self, now: float) -> None:
        """Let in who came first; who was stopped while waiting leaves the line."""
        self.queue = tuple(race for race in self.queue if not (race.stopping or race.ended))
        while self.queue and (self._room() > 0 or self._someone_yields(now)):
            self._let_in(self.queue[0], now)
            self.queue = self.queue[1:]
        for race in [r for r in self.races.values() if r.yielded and not r.ended]:
            if self._room() > 0:
                self._let_in(race, now)

    def _room(self) -> int:
        return LIVE - len(self.live())

    def _let_in(self, race: Race, now: float) -> None:
        others = [other.used for other in self.live()]
        race.used = min(others, default=0.0)  # no credit for waiting
        race.admitted, race.yielded = now, False

    def _someone_yields(self, now: float) -> bool:
        """Whether the head of the line has waited long enough, and somebody could go."""
        alone = {race.race_id: _alone(race, now) for race in self.live()}
        longest = max(alone, key=alone.__getitem__, default="")
        if now - self.queue[0].joined < WAIT or not alone.get(longest):
            return False
        race = self.races[longest]
        race.admitted = None
        race.yielded = race.paused is None
        race.rest()
        self._limit_parked()
        return True

    def _limit_parked(self) -> None:
        parked = [r for r in self.races.values() if r.status == "paused" and r.admitted is None]
        for race in sorted(parked, key=lambda race: race.touched)[: max(len(parked) - PARKED, 0)]:
            race.stopping = True

    def _forget(self) -> None:
        ended = [key for key, race in self.races.items() if race.ended]
        for key in ended[: max(len(self.races) - KEPT, 0)]:
            del self.races[key]


def _alone(race: Race, now: float) -> float:
    """Seconds it has been paused or unwatched with its place; 0 for one somebody watches."""
    began = race.admitted or 0.0
    unwatched = now - max(race.touched, began)
    paused = 0.0 if race.paused is None else now - max(race.paused, began)
    return max(unwatched if unwatched >= UNWATCHED else 0.0, paused)
