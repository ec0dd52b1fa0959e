"""The one conductor of this server, the one maker of frames, and which race this visitor watches.

A session holds a race's id and nothing else of it. The id is in the URL too, so that a reload, a
bookmark or a second tab shows the same race.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from bolt_core import paths
from bolt_core.errors import BoltError
from bolt_core.frames import Frames
from bolt_core.live import Conductor
from bolt_core.race import RaceSnapshot as RaceSnapshot  # pages name it from here
from bolt_core.race import stored
from bolt_core.types import RunConfig, RunStatus

SHELF = 8  # races of earlier servers kept in memory
AGAIN = 2.0  # seconds after which one that may be being written is read again
PATIENCE = 0.3  # seconds a press of Stop may wait to show its effect


@st.cache_resource(show_spinner=False, on_release=Conductor.shutdown)
def conductor() -> Conductor:
    return Conductor()


@st.cache_resource(show_spinner=False, on_release=Frames.shutdown)
def frames() -> Frames:
    return Frames(find)


def follow_link() -> None:
    """Take the race from the URL once, and keep it there: switching pages drops it."""
    if "race" not in st.session_state and "race" in st.query_params:
        st.session_state["race"] = st.query_params["race"]
    if race_id := asked():
        st.query_params["race"] = race_id


def asked() -> str | None:
    """The race this session wants to see, whether or not there is one of that name."""
    race_id: str | None = st.session_state.get("race")
    return race_id


def watched() -> RaceSnapshot | None:
    race_id = asked()
    return None if race_id is None else find(race_id)


def find(race_id: str) -> RaceSnapshot | None:
    """A race of this server or of an earlier one; asked by pages and by the frames' threads."""
    return conductor().snapshot(race_id) or _from_disk(race_id)


def start(configs: Sequence[RunConfig]) -> None:
    """Start a race and watch it; a refusal is kept for the page to show."""
    try:
        st.session_state["race"] = conductor().start(configs)
    except BoltError as problem:
        st.session_state["refusal"] = str(problem)


def stop() -> None:
    """Ask the watched race to end; most do before the page is drawn again."""
    race_id = asked()
    if race_id is not None and conductor().snapshot(race_id) is not None:
        conductor().stop(race_id)
        with suppress(TimeoutError):
            conductor().wait(race_id, lambda race: race.status.ended, timeout=PATIENCE)


def refusal() -> str | None:
    """Why the last press did nothing, told once."""
    reason: str | None = st.session_state.pop("refusal", None)
    return reason


def _from_disk(race_id: str) -> RaceSnapshot | None:
    """A race of an earlier server; read again now and then while somebody may be writing it."""
    shelf, now = _shelf(), time.monotonic()
    found: RaceSnapshot | None
    found, until = shelf.get(race_id, (None, 0.0))
    if now >= until:
        found = stored(race_id, paths.runs())
        if found is None:
            return None
        open_still = found.status == RunStatus.INTERRUPTED
        shelf[race_id] = found, now + AGAIN if open_still else math.inf
        while len(shelf) > SHELF:
            shelf.pop(next(iter(shelf)), None)
    return found


@st.cache_resource(show_spinner=False)
def _shelf() -> dict[str, tuple[RaceSnapshot, float]]:
    """Races read from disk, and until when (monotonic seconds) they are believed."""
    return {}
