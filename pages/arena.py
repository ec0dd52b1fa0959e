"""Arena: who tracks the moving optimum best, right now?"""

import streamlit as st

from bolt_ui import arena, presentation, presenter, race_buttons, race_status, session
from bolt_ui.chart_component import preload
from bolt_ui.lessons import lesson_panel, lesson_state

EVERY, SOON = 2.0, 0.3  # seconds between two looks at a live race; until it has a curve

lesson = lesson_state.current()
race = session.watched() if lesson is None else lesson.race
live = race is not None and not race.status.ended
early = race is not None and not arena.has_curve(race)
on_stage = presentation.presenting()


def status() -> None:
    """How the race stands. The panels below look after themselves."""
    now = session.watched()
    if now is None or race is None:
        return
    session.touch()
    race_buttons.told(now)
    begun = arena.has_curve(now)
    if not begun:
        preload()
        st.caption(race_status.waiting(now))
    if live and (race_status.turned(race, now) or (early and begun)):
        st.rerun()  # its buttons change, somebody failed, or its first curve is there


waits = race is not None and race.position is not None
pace = (SOON if early and not waits else EVERY) if live else None
if lesson is not None:
    lesson_panel.show(lesson)
elif not on_stage:
    lesson_panel.unknown()
    if "controls" not in presentation.hidden():
        arena.toolbar(race)
    presentation.note()

if on_stage:
    presenter.show(race, status, pace, begun=not early)
elif race is not None:
    race_buttons.status(race, status, pace)
    race_status.failures(race)
    if not early:
        arena.curves(race)
elif lesson is None:
    race_status.unknown_race(session.watched_id())
    arena.landing()
