"""Find a race by its id, wherever it is: live, stored, bundled, one run of a campaign, or a problem
of a user, which the caller finds.

Several ids joined by a comma give these races laid over each other as one.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bolt_core.campaigns import campaign
from bolt_core.charts.overlay import overlay_races
from bolt_core.charts.worker import keep_recent
from bolt_core.common.errors import BoltError
from bolt_core.common.text import counted, display_name, listed
from bolt_core.common.types import RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race, export, records
from bolt_core.store.library import Library, race_from_runs

SEPARATOR = ","  # between the ids of races that are compared
MAX_RACES_COMPARED = 12
MAX_NAME_LENGTH = 24  # characters of a race's name behind a line
MAX_CACHED_RACES = 2 * MAX_RACES_COMPARED  # more than are compared at once
RECHECK_SECONDS = 2.0  # between two checks whether the files of an unfinished race have changed

FileStamps = tuple[tuple[str, int, int], ...]  # (path, size, mtime) of each file


@dataclass(frozen=True, slots=True)
class CachedRace:
    """A race that was read from disk."""

    race: RaceSnapshot
    stamps: FileStamps  # of the files, from before they were read
    valid_until: float  # monotonic seconds at which the files are checked again


class Races:
    """All races that a server knows. Every method may be called from any thread."""

    def __init__(
        self,
        conductor: Conductor,
        library: Library,
        find_problem: Callable[[str], RaceSnapshot | None] = lambda _: None,
    ) -> None:
        """`find_problem` returns a problem of a user as a race, or None for the id of a race."""
        self._find_problem = find_problem
        self._conductor = conductor
        self._library = library
        self._lock = threading.Lock()  # guards the cache
        self._cache: OrderedDict[str, CachedRace] = OrderedDict()

    def find(self, race_id: str) -> RaceSnapshot | None:
        """Return the race, or several laid over each other; None if no id is known."""
        found = [race for key in split_ids(race_id) if (race := self._find_one(key)) is not None]
        if not found:
            return None
        races = _joined(race_id, found)
        race = races[0]
        if len(races) > 1:
            race = overlay_races(race_id, races, [self._name(race.race_id) for race in races])
        missing = _missing(race_id, len(found))
        return replace(race, notes=(*race.notes, missing)) if missing else race

    def records(self, race_ids: Sequence[str]) -> bytes:
        """Return the record files of these races, one after the other, as JSON lines."""
        if list(race_ids) == [bundled_race.RACE_ID]:
            return bundled_race.records()
        return export.jsonl([path for race_id in race_ids for path in self._files(race_id)])

    def forget(self, race_id: str) -> None:
        """Drop what was read of a race whose files have been changed, moved or deleted."""
        self._conductor.forget(race_id)
        with self._lock:
            self._cache.pop(race_id, None)

    def _find_one(self, race_id: str) -> RaceSnapshot | None:
        if race_id == bundled_race.RACE_ID:
            return bundled_race.race()
        problem = self._find_problem(race_id)
        return problem or self._conductor.snapshot(race_id) or self._from_disk(race_id)

    def _name(self, race_id: str) -> str:
        """Return the name that the owner of a race gave it; empty without one."""
        if race_id == bundled_race.RACE_ID:
            return "recording"
        stored = self._library.find(race_id)
        return display_name(stored.name, MAX_NAME_LENGTH) if stored else ""

    def _from_disk(self, race_id: str) -> RaceSnapshot | None:
        """Return a stored race; one without an end is read again when its files have changed."""
        now = time.monotonic()
        cached = self._cache.get(race_id)
        if cached is not None and now < cached.valid_until:
            return cached.race
        stamps = self._file_stamps(race_id)  # first: what is written meanwhile is read next time
        if cached is not None and cached.stamps == stamps:
            cached = replace(cached, valid_until=now + RECHECK_SECONDS)
        else:
            race = _from_campaign(race_id) or self._library.open(race_id)
            if race is None:
                return None
            may_grow = race.status == RunStatus.INTERRUPTED
            cached = CachedRace(race, stamps, now + RECHECK_SECONDS if may_grow else math.inf)
        with self._lock:
            keep_recent(self._cache, race_id, cached, MAX_CACHED_RACES)
        return cached.race

    def _files(self, race_id: str) -> list[Path]:
        if path := campaign.record_of(race_id):
            return [path]
        race = self._library.find(race_id)
        return race.records if race else []

    def _file_stamps(self, race_id: str) -> FileStamps:
        """Return (path, size, mtime) of each file; it changes when one of them is written."""
        with suppress(OSError):  # a file was removed in between
            stats = [(path, path.stat()) for path in self._files(race_id)]
            return tuple((str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats)
        return ()


def split_ids(race_id: str) -> list[str]:
    """Return the ids of the races that are laid over each other under this id."""
    return race_id.split(SEPARATOR)[:MAX_RACES_COMPARED]


def _missing(race_id: str, found: int) -> str:
    """Return how many races of a link are not shown and why; empty if all of them are."""
    unknown = len(split_ids(race_id)) - found
    reasons = [f"{counted(unknown, 'race')} of the link not on this server"] if unknown else []
    if len(race_id.split(SEPARATOR)) > MAX_RACES_COMPARED:
        reasons.append(f"all races of the link after the first {MAX_RACES_COMPARED}")
    return f"Left out: {listed(reasons)}." if reasons else ""


def _joined(race_id: str, races: Sequence[RaceSnapshot]) -> list[RaceSnapshot]:
    """Return races with the runs of one campaign as one race, in which they are seeds of lanes."""
    by_source: dict[str, list[RaceSnapshot]] = {}
    for race in races:
        source = campaign.name_of(race.race_id) or race.race_id
        by_source.setdefault(source, []).append(race)
    return [
        same[0]
        if len(same) == 1
        else race_from_runs(race_id, [run for race in same for run in race.runs])
        for same in by_source.values()
    ]


def _from_campaign(race_id: str) -> RaceSnapshot | None:
    """Return one run of a campaign as a race of its own."""
    path = campaign.record_of(race_id)
    if path is None:
        return None
    try:
        return race_from_runs(race_id, [records.read(path)])
    except BoltError:
        return None
