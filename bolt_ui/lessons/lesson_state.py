"""Which lesson is being taken, how far it has come, and what was predicted: all of it in the URL.

`?lesson=metronome` asks, `&guess=2` predicts the second option (`&guess=skip` none), `&race=ID` is
the run. So a reload, a bookmark or a second viewer finds the lesson where it is. The race in the
URL belongs to the lesson only if it has the lesson's own settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui import session
from bolt_ui.lessons.lesson_catalog import BY_KEY, Lesson

SKIP = "skip"
PAGES = ("", "inside")  # where a lesson can be taken: the Arena's path is empty
STATE = ("lesson", "guess")


class Stage(StrEnum):
    """How far a lesson has come."""

    ASKED = "asked"
    PREDICTED = "predicted"  # or skipped
    UNDER_WAY = "under way"  # in line, running or paused
    CUT_OFF = "cut off"  # ended before its horizon: nothing to learn from
    REVEALED = "revealed"


@dataclass(frozen=True, slots=True)
class Sitting:
    """A lesson as one visitor takes it."""

    lesson: Lesson
    guess: int | None = None  # an option
    skipped: bool = False
    trouble: str | None = None  # what the link says and cannot be
    race: RaceSnapshot | None = None  # the lesson's own

    @property
    def stage(self) -> Stage:
        if self.race is None:
            ready = self.guess is not None or self.skipped
            return Stage.PREDICTED if ready else Stage.ASKED
        if not self.race.status.ended:
            return Stage.UNDER_WAY
        return Stage.REVEALED if self.race.status == RunStatus.FINISHED else Stage.CUT_OFF


def read(told: Mapping[str, str], race: RaceSnapshot | None) -> Sitting | None:
    """The lesson of a URL; None if it names none that exists."""
    lesson = BY_KEY.get(told.get("lesson", ""))
    if lesson is None:
        return None
    guess, trouble = _guess(told.get("guess", ""), lesson)
    own = race if race is not None and settles(race, lesson) else None
    return Sitting(lesson, guess, told.get("guess") == SKIP, trouble, own)


def settles(race: RaceSnapshot, lesson: Lesson) -> bool:
    """The race has the lesson's settings, whoever started it."""
    return {run.config.key for run in race.runs} == {config.key for config in lesson.configs()}


def current() -> Sitting | None:
    return read(st.query_params.to_dict(), session.watched())


def unknown() -> str | None:
    """A lesson that the URL names and that does not exist."""
    told = st.query_params.get("lesson")
    return None if told is None or told in BY_KEY else str(told)


def follow_link(page: str) -> None:
    """Keep the lesson from one of its pages to the other; elsewhere it is over.

    A lesson that has just been opened begins with its question, whatever was watched before.
    """
    before = st.session_state.get("lesson")
    if page not in PAGES:
        leave()
    elif linked := st.query_params.get("lesson"):
        if linked != before and "race" not in st.query_params:
            session.unwatch()
        _keep()
    elif before:
        for name in STATE:
            if name in st.session_state:
                st.query_params[name] = st.session_state[name]


def predict(guess: int | None) -> None:
    """Write it into the URL; None is a prediction skipped."""
    st.query_params["guess"] = SKIP if guess is None else str(guess + 1)
    _keep()


def again() -> None:
    """From the question on."""
    session.unwatch()
    for where in (st.query_params, st.session_state):
        where.pop("guess", None)


def leave() -> None:
    """The race stays; the question goes."""
    for name in STATE:
        st.query_params.pop(name, None)
        st.session_state.pop(name, None)


def _keep() -> None:
    for name in STATE:
        if name in st.query_params:
            st.session_state[name] = st.query_params[name]
        else:
            st.session_state.pop(name, None)


def _guess(told: str, lesson: Lesson) -> tuple[int | None, str | None]:
    if told in ("", SKIP):
        return None, None
    numbers = [str(k + 1) for k in range(len(lesson.options))]
    if told in numbers:
        return numbers.index(told), None
    last = numbers[-1]
    return None, f"guess={told} is none of the options, 1 to {last}, nor {SKIP}: choose one below."
