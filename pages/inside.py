"""Inside BOLT: why does it keep n observations, and which one does it remove next?"""

import streamlit as st

from bolt_ui import inside, presentation, presenter, race_buttons, race_status, session
from bolt_ui.lessons import lesson_panel, lesson_state

lesson = lesson_state.current()
race = inside.current_race() if lesson is None else lesson.race
presenting = presentation.presenting()
if lesson is not None:
    lesson_panel.show(lesson)  # with its own heading
else:
    if not presenting:
        st.title("Inside BOLT", anchor=False)
    lesson_panel.unknown_lesson()
if race is None:
    st.stop()  # a lesson whose race has not started shows only its question

if presenting or "controls" in presentation.hidden():
    name = inside.linked_run(race)
else:
    with st.container(horizontal=True, vertical_alignment="bottom", key="inside_bar"):
        name = inside.pick_run(race)
        if lesson is None:
            race_buttons.buttons(session.watched())
if not presenting:
    presentation.note()
    inside.notices(race)

begun = race_status.has_begun(race, name)
if presenting:
    presenter.show(session.watched(), begun=begun, first=3, run=name)
else:
    race_buttons.status_bar(race, name)
    race_status.failures(race)
    if begun:
        inside.charts(race, name)
