"""The state of a lesson, all of it in the URL: which lesson, which prediction, which race.

`?lesson=metronome` asks the question, `&guess=2` predicts the second option (`&guess=skip` none),
and `&race=ID` is the race. A reload, a bookmark or a second viewer therefore finds the same state.
The race in the URL belongs to the lesson only if it has the lesson's settings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui import session
from bolt_ui.lessons.lesson_catalog import BY_KEY, RENAMED, Lesson

SKIP = "skip"
PAGES = ("", "inside")  # URL paths of the pages with lessons; the Arena's path is empty
URL_PARAMETERS = ("lesson", "guess")


class Stage(StrEnum):
    """The stages of a lesson."""

    ASKED = "asked"
    PREDICTED = "predicted"  # or skipped
    UNDER_WAY = "under way"  # queued, running or paused
    CUT_OFF = "cut off"  # ended before its horizon, so it decides nothing
    REVEALED = "revealed"


@dataclass(frozen=True, slots=True)
class LessonState:
    """A lesson, the visitor's prediction and the race."""

    lesson: Lesson
    guess: int | None = None  # index of the predicted option
    skipped: bool = False
    problem: str | None = None  # why the guess in the link is not valid
    race: RaceSnapshot | None = None  # a race with the lesson's settings

    @property
    def stage(self) -> Stage:
        """Return how far the lesson has come."""
        if self.race is None:
            ready = self.guess is not None or self.skipped
            return Stage.PREDICTED if ready else Stage.ASKED
        if not self.race.status.ended:
            return Stage.UNDER_WAY
        return Stage.REVEALED if self.race.status == RunStatus.FINISHED else Stage.CUT_OFF


def read(query: Mapping[str, str], race: RaceSnapshot | None) -> LessonState | None:
    """Return the lesson of a URL; None if the URL names no existing lesson."""
    lesson = BY_KEY.get(_present_key(query.get("lesson", "")))
    if lesson is None:
        return None
    guess, problem = _parse_guess(query.get("guess", ""), lesson)
    decisive = race if race is not None and decides(race, lesson) else None
    return LessonState(lesson, guess, query.get("guess") == SKIP, problem, decisive)


def decides(race: RaceSnapshot, lesson: Lesson) -> bool:
    """Return whether the race has the lesson's settings."""
    return {run.config.key for run in race.runs} == {config.key for config in lesson.configs()}


def current() -> LessonState | None:
    """Return the lesson of this page's URL; None if it has none."""
    return read(st.query_params.to_dict(), session.watched())


def unknown_key() -> str | None:
    """Return the lesson key in the URL if no such lesson exists."""
    key: str | None = st.query_params.get("lesson")
    return None if key is None or _present_key(key) in BY_KEY else key


def _present_key(key: str) -> str:
    return RENAMED.get(key, key)


def follow_link(page: str) -> None:
    """Keep the lesson when switching between its pages; end it on any other page.

    A lesson that has just been opened starts with its question, whatever race was watched before.
    Its address is written again then: a link from one lesson to another on the same page leaves the
    old address in the browser, which would return with the next click.
    """
    before = st.session_state.get("lesson")
    if page not in PAGES:
        leave()
    elif linked := st.query_params.get("lesson"):
        if linked != before and "race" not in st.query_params:
            session.unwatch()
            st.query_params["lesson"] = linked  # sends the whole query to the browser
        _remember()
    elif before:
        for name in URL_PARAMETERS:
            if name in st.session_state:
                st.query_params[name] = st.session_state[name]


def predict(guess: int | None) -> None:
    """Write a prediction into the URL; None skips it."""
    st.query_params["guess"] = SKIP if guess is None else str(guess + 1)
    _remember()


def restart() -> None:
    """Return to the question."""
    session.unwatch()
    for state in (st.query_params, st.session_state):
        state.pop("guess", None)


def leave() -> None:
    """End the lesson; its race is still watched."""
    for name in URL_PARAMETERS:
        st.query_params.pop(name, None)
        st.session_state.pop(name, None)


def free_arena() -> None:
    """End the lesson and its race, for one of the visitor's own on the same page."""
    leave()
    session.unwatch()


def _remember() -> None:
    """Copy the lesson's part of the URL into the session, as switching pages clears the URL."""
    for name in URL_PARAMETERS:
        if name in st.query_params:
            st.session_state[name] = st.query_params[name]
        else:
            st.session_state.pop(name, None)


def _parse_guess(text: str, lesson: Lesson) -> tuple[int | None, str | None]:
    """Return the index of the option, and what is wrong with the text if it names none."""
    if text in ("", SKIP):
        return None, None
    numbers = [str(k + 1) for k in range(len(lesson.options))]
    if text in numbers:
        return numbers.index(text), None
    return None, f"guess={text} is not one of 1 to {numbers[-1]} or {SKIP}; choose an option below."
