"""Inside BOLT: why does it keep n observations, and which one leaves next?"""

import streamlit as st

from bolt_ui import inside, presentation, presenter, race_buttons, race_status, session
from bolt_ui.chart_component import preload
from bolt_ui.lessons import lesson_panel, lesson_state

EVERY, SOON = 2.0, 0.3  # seconds between two looks at a live race; until its first pass

lesson = lesson_state.current()
race = inside.looked_at() if lesson is None else lesson.race
live = race is not None and not race.status.ended
on_stage = presentation.presenting()
bare = on_stage or "controls" in presentation.hidden()
if lesson is not None:
    lesson_panel.show(lesson)
else:
    lesson_panel.unknown()
if race is None:
    st.stop()  # a lesson whose race has not begun shows its question and nothing else

if bare:
    name = inside.linked(race)
else:
    with st.container(horizontal=True, vertical_alignment="bottom", key="inside_bar"):
        name = inside.pick(race)
        if lesson is None:
            race_buttons.buttons(session.watched())
if not on_stage:
    presentation.note()
    inside.which(race)
begun = len(inside.choices(race)[name]) > 0


def status() -> None:
    """How the race stands. The panels below look after themselves."""
    now = inside.looked_at()
    assert race is not None
    session.touch()
    race_buttons.told(now)
    here = len(inside.choices(now)[name]) > 0
    if not here:
        preload()
        st.caption(race_status.waiting(now))
    if live and (race_status.turned(race, now) or (here and not begun)):
        st.rerun()  # its buttons change, somebody failed, or its first pass is there


pace = (EVERY if begun or race.position else SOON) if live else None
if on_stage:
    presenter.show(session.watched(), status, pace, begun=begun, first=3, within=name)
else:
    race_buttons.status(race, status, pace)
    race_status.failures(race)
    if begun:
        inside.charts(race, name)
