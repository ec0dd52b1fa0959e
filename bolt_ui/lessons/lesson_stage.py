"""A lesson in presenter mode: its title in large letters, and a bar of all lessons.

`?lesson=KEY&present=1` opens it. The Left and Right keys change the lesson; Escape leaves.
"""

import streamlit as st

from bolt_ui import links, presentation
from bolt_ui.chart_component import chapters, pressed
from bolt_ui.lessons.lesson_catalog import LESSONS, Lesson

CHOSEN = "lesson_chosen"  # in the session: index of the lesson to open next


def page_of(lesson: Lesson) -> str:
    """Return the page on which a lesson is shown."""
    return links.INSIDE if lesson.page == "inside" else links.ARENA


def query_of(lesson: Lesson) -> dict[str, str]:
    """Return the query of a link to a lesson's question, which stays in presenter mode."""
    stage = {"present": "1"} if presentation.on_stage() else {}
    return {"lesson": lesson.key, **stage}


def head(lesson: Lesson) -> None:
    """Show the bar of lessons, the button that leaves presenter mode, and the title."""
    number = LESSONS.index(lesson)
    with st.container(horizontal=True, vertical_alignment="center", key="present_head"):
        with st.container(width="stretch"):
            names = [one.short_title for one in LESSONS]
            chapters(names, number, key="lesson_chapters", on_press=_press)
        presentation.leave_button()
    st.title(f"Lesson {number + 1}: {lesson.title}", anchor=False)


def follow_press() -> None:
    """Open the lesson that was chosen in the bar; it may be on the other page."""
    chosen = st.session_state.pop(CHOSEN, None)
    if chosen is not None:
        st.switch_page(page_of(LESSONS[chosen]), query_params=query_of(LESSONS[chosen]))


def _press() -> None:
    index = pressed("lesson_chapters")
    if isinstance(index, int) and 0 <= index < len(LESSONS):
        st.session_state[CHOSEN] = index
