"""The one conductor of this server, the one maker of frames, and which race this visitor watches.

A session holds a race's id and nothing else of it. The id is in the URL too, so that a reload, a
bookmark or a second tab shows the same race.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from bolt_core.campaigns import campaign
from bolt_core.charts import ChartServer
from bolt_core.common import paths
from bolt_core.common.errors import BoltError
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.live.conductor import Conductor
from bolt_core.runs.race_snapshot import RaceSnapshot as RaceSnapshot  # pages name it from here
from bolt_core.runs.race_snapshot import overlay_races
from bolt_core.store import bundled_race, export, records
from bolt_core.store.library import Library, race_from_runs
from bolt_ui.owner import token

JOIN = ","  # between the ids of races that are compared
MOST = 12  # races compared at once
SHELF = 2 * MOST  # races of earlier servers kept in memory: more than are looked at together
AGAIN = 2.0  # seconds after which one that may be being written is looked after
PATIENCE = 0.3  # seconds a press of Stop may wait to show its effect


@dataclass(frozen=True, slots=True)
class Held:
    """A race read from disk."""

    race: RaceSnapshot
    stamp: tuple[tuple[str, int, int], ...]  # of the files it was read from
    until: float  # monotonic seconds: not looked after before


@st.cache_resource(show_spinner=False, on_release=Conductor.shutdown)
def conductor() -> Conductor:
    return Conductor()


@st.cache_resource(show_spinner=False, on_release=ChartServer.shutdown)
def frames() -> ChartServer:
    return ChartServer(find)


def library() -> Library:
    return _library(paths.runs())


@st.cache_resource(show_spinner=False)
def _library(directory: Path) -> Library:
    return Library(directory)


def statuses() -> Mapping[str, RunStatus]:
    """Of the races in memory, by id."""
    return conductor().statuses()


def follow_link() -> None:
    """The race in the URL is the one to watch; switching pages drops it, so it is put back."""
    if linked := st.query_params.get("race"):
        st.session_state["race"] = linked
    elif race_id := asked():
        st.query_params["race"] = race_id


def asked() -> str | None:
    """The race this session wants to see, whether or not there is one of that name."""
    race_id: str | None = st.session_state.get("race")
    return race_id


def watched() -> RaceSnapshot | None:
    race_id = asked()
    return None if race_id is None else find(race_id)


def find(race_id: str) -> RaceSnapshot | None:
    """A race of this server or of an earlier one, or several laid over each other.

    Asked by pages and by the frames' threads.
    """
    found = [_one(each) for each in race_id.split(JOIN)[:MOST]]
    known = [race for race in found if race is not None]
    if len(known) < 2:
        return known[0] if known else None
    return overlay_races(race_id, known)


def watch(race_id: str) -> None:
    st.session_state["race"] = race_id
    st.query_params["race"] = race_id
    st.query_params.pop("t", None)  # a moment of another one


def unwatch() -> None:
    """Look at nothing; the race itself goes on."""
    st.session_state.pop("race", None)
    st.query_params.pop("race", None)


def start(configs: Sequence[RunConfig]) -> None:
    """Start a race and watch it; a refusal is kept for the page to show."""
    with _told():
        watch(conductor().start(configs, owner=token()))


def touch() -> None:
    """Somebody is looking: an unwatched race is the first to make room for those who wait."""
    if race_id := asked():
        conductor().touch(race_id)


def mine(race_id: str) -> bool:
    """Whether this visitor may stop and halt it."""
    return conductor().owns(race_id, token())


def stop() -> None:
    """ChartRequest the watched race to end; most do before the page is drawn again."""
    race_id = asked()
    if race_id is not None and conductor().snapshot(race_id) is not None:
        with _told(), suppress(TimeoutError):
            conductor().stop(race_id, by=token())
            conductor().wait(race_id, lambda race: race.status.ended, timeout=PATIENCE)


def pause() -> None:
    with _told():
        conductor().pause(asked() or "", by=token())


def resume() -> None:
    with _told():
        conductor().resume(asked() or "", by=token())


def step() -> None:
    """One pass, seen when the page is drawn again."""
    race_id = asked() or ""
    before = conductor().snapshot(race_id)
    with _told(), suppress(TimeoutError):
        conductor().step(race_id, by=token())
        if before is not None:
            conductor().wait(race_id, lambda race: race.version > before.version, PATIENCE)


def change_speed() -> None:
    """The device thinks faster or slower from the next pass on."""
    with _told():
        factor = float(st.session_state.get("device_speed", 1.0))
        conductor().speed(asked() or "", factor, by=token())


def go_on(race_id: str) -> None:
    """Take up a race that was stopped or cut off; it is this visitor's from now on."""
    with _told():
        conductor().resume_stored(race_id, owner=token())
        forget(race_id)


def records_of(race_id: str) -> bytes:
    """The files of a race, one after the other."""
    if race_id == bundled_race.RACE_ID:
        return bundled_race.records()
    return records_of_all(race_id.split(JOIN)[:MOST])


def records_of_all(race_ids: Iterable[str]) -> bytes:
    """The files of several races, however many."""
    return export.jsonl([path for each in race_ids for path in _files(each)])


def _files(race_id: str) -> list[Path]:
    if path := campaign.record_of(race_id):
        return [path]
    race = library().find(race_id)
    return [run.path for run in race.runs] if race else []


@contextmanager
def _told() -> Iterator[None]:
    """A refusal is kept for the page to show, once."""
    try:
        yield
    except BoltError as problem:
        st.session_state["refusal"] = str(problem)


def refusal() -> str | None:
    """Why the last press did nothing, told once."""
    reason: str | None = st.session_state.pop("refusal", None)
    return reason


def _one(race_id: str) -> RaceSnapshot | None:
    if race_id == bundled_race.RACE_ID:
        return bundled_race.race()
    return conductor().snapshot(race_id) or _from_disk(race_id)


def _from_disk(race_id: str) -> RaceSnapshot | None:
    """A race of an earlier server; looked after now and then while somebody may be writing it."""
    shelf, now = _shelf(), time.monotonic()
    held = shelf.get(race_id)
    if held is not None and now < held.until:
        return held.race
    stamp = _stamp(race_id)  # before it is read: what is written meanwhile is read next time
    if held is not None and held.stamp == stamp:
        shelf[race_id] = replace(held, until=now + AGAIN)
        return held.race
    found = _of_campaign(race_id) or library().open(race_id)
    if found is None:
        return None
    open_still = found.status == RunStatus.INTERRUPTED
    shelf[race_id] = Held(found, stamp, now + AGAIN if open_still else math.inf)
    while len(shelf) > SHELF:
        shelf.pop(next(iter(shelf)), None)
    return found


def _stamp(race_id: str) -> tuple[tuple[str, int, int], ...]:
    """Of its files; another one when any of them was written to."""
    with suppress(OSError):  # gone meanwhile
        told = [(path, path.stat()) for path in _files(race_id)]
        return tuple((str(path), stat.st_size, stat.st_mtime_ns) for path, stat in told)
    return ()


def _of_campaign(race_id: str) -> RaceSnapshot | None:
    """One run of a campaign, as a race of its own."""
    path = campaign.record_of(race_id)
    if path is None:
        return None
    try:
        return race_from_runs(race_id, [records.read(path)])
    except BoltError:
        return None


def forget(race_id: str) -> None:
    """What was read of its files is old news."""
    _shelf().pop(race_id, None)


@st.cache_resource(show_spinner=False)
def _shelf() -> dict[str, Held]:
    return {}
