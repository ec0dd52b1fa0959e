"""Arena: who tracks the moving optimum best, right now?"""

import streamlit as st

from ui import arena, header, lesson_panel, lesson_state, modes, parts, presenter, session
from ui.live import preload

EVERY, SOON = 2.0, 0.3  # seconds between two looks at a live race; until it has a curve

lesson = lesson_state.current()
race = session.watched() if lesson is None else lesson.race
live = race is not None and not race.status.ended
early = race is not None and not arena.has_curve(race)
on_stage = modes.presenting()


def status() -> None:
    """How the race stands. The panels below look after themselves."""
    now = session.watched()
    if now is None or race is None:
        return
    session.touch()
    header.told(now)
    begun = arena.has_curve(now)
    if not begun:
        preload()
        st.caption(parts.waiting(now))
    if live and (parts.turned(race, now) or (early and begun)):
        st.rerun()  # its buttons change, somebody failed, or its first curve is there


waits = race is not None and race.position is not None
pace = (SOON if early and not waits else EVERY) if live else None
if lesson is not None:
    lesson_panel.show(lesson)
elif not on_stage:
    lesson_panel.unknown()
    if "controls" not in modes.hidden():
        arena.toolbar(race)
    modes.note()

if on_stage:
    presenter.show(race, status, pace, begun=not early)
elif race is not None:
    header.status(race, status, pace)
    parts.failures(race)
    if not early:
        arena.curves(race)
elif lesson is None:
    parts.unknown_race(session.asked())
    arena.landing()
