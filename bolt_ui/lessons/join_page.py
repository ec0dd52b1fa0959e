"""The page of a class: the question of a lesson on a phone, and one answer per browser.

`?lesson=KEY&join=CODE` (or only `?join=CODE`) opens it. It shows the question, the options and,
when the lecturer shows it, the result of the class. It can start nothing. What an answer may be,
and how many there may be, is decided in `bolt_core.live.class_tally`.
"""

from functools import partial

import streamlit as st

from bolt_core.common.errors import BoltError
from bolt_core.common.text import sentence
from bolt_core.live.class_tally import TallyState, TallyView, UnknownTallyError
from bolt_ui import links, markdown
from bolt_ui.chart_component import tally
from bolt_ui.layout import TEXT_WIDTH
from bolt_ui.lessons.lesson_catalog import BY_KEY, Lesson
from bolt_ui.markdown import with_math
from bolt_ui.owner import token
from bolt_ui.server_state import server
from bolt_ui.widgets import button, page_link

PERIOD_MS = 3000  # a phone follows the lecturer within this time
REMARKS = {
    TallyState.OPEN: "You can change your answer until the lecturer closes the question.",
    TallyState.CLOSED: "The question is closed and takes no more answers. Wait for the lecturer to "
    "show the result.",
    TallyState.SHOWN: "The result of the class:",
}


def code() -> str | None:
    """Return the code in the link; None if this page is not the page of a class."""
    linked: str | None = st.query_params.get("join")
    return linked


def show(linked: str) -> None:
    """Show the question of a tally with this visitor's answer, or say that there is none."""
    with st.container(width=TEXT_WIDTH, key="join"):
        try:
            view = server().tallies.view(linked, token())
        except UnknownTallyError as problem:
            _unknown(linked, str(problem))
            return
        lesson = BY_KEY[view.question]
        st.caption(f":material/school: {lesson.title}")
        st.header(with_math(lesson.question), anchor=False)
        if view.state == TallyState.OPEN:
            _options(lesson, view)
        elif view.own_answer is not None:
            st.markdown(f"Your answer: **{with_math(lesson.options[view.own_answer])}**")
        if reason := st.session_state.pop("answer_refused", None):
            st.error(markdown.escape(sentence(reason)), icon=":material/error:")
        st.caption(REMARKS[view.state])
        tally(
            view,
            lesson.options,
            key="class_result",
            bars=view.state == TallyState.SHOWN,
            own=view.own_answer,
            period=PERIOD_MS,
        )


def _options(lesson: Lesson, view: TallyView) -> None:
    """Show one wide button per option; the chosen one is marked."""
    for k, option in enumerate(lesson.options):
        chosen = k == view.own_answer
        button(
            with_math(option),
            "check_circle" if chosen else "radio_button_unchecked",
            f"answer_{k}",
            partial(_answer, view, k),
            type="primary" if chosen else "secondary",
            width="stretch",
        )


def _answer(view: TallyView, option: int) -> None:
    try:
        server().tallies.answer(view.code, option, token(), view.question)
    except BoltError as problem:
        st.session_state["answer_refused"] = str(problem)


def _unknown(linked: str, reason: str) -> None:
    st.title("Join a class", anchor=False)
    if linked.strip():
        st.markdown(f"Code **{markdown.escape(linked.strip()[:20])}**: {markdown.escape(reason)}.")
    else:
        st.markdown("This link has no code. Ask the lecturer for the code of the class.")
    page_link(links.GUIDE, "The lessons are in the Guide", "menu_book")
