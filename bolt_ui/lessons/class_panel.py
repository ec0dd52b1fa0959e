"""The lecturer's part of a lesson: ask the class, and see its predictions as bars.

A visitor who opens a tally gets a link for the class (`join_page`). The tally is found again by the
visitor's cookie, so a reload keeps it. Who may change it is decided in `class_tally`.
"""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode, urlsplit

import streamlit as st

from bolt_core.common.errors import BoltError
from bolt_core.common.text import sentence
from bolt_core.live.class_tally import TallyState, TallyView
from bolt_ui import markdown, presentation
from bolt_ui.allowed_hosts import is_loopback
from bolt_ui.chart_component import tally
from bolt_ui.lessons.lesson_catalog import Lesson
from bolt_ui.owner import token
from bolt_ui.server_state import server
from bolt_ui.widgets import button

UNREACHABLE = (
    "Phones cannot open this address, as the server listens on this machine only. Start it with "
    "`--server.address 0.0.0.0` and open it under the address of this machine."
)


STATES = {
    TallyState.OPEN: ":material/lock_open: Open: the class can answer.",
    TallyState.CLOSED: ":material/lock: Closed: no more answers are taken.",
    TallyState.SHOWN: ":material/visibility: Shown: the class sees the result.",
}


def show(lesson: Lesson, *, racing: bool = False, outcome: int | None = None) -> None:
    """Show the button that asks the class, or the tally.

    While the lesson's race runs or after it (`racing`) the class cannot answer; `outcome` is the
    option that came true in the race, once known.
    """
    tallies = server().tallies
    code = tallies.opened_by(token(), lesson.key)
    if code is None:
        if racing:
            return
        purpose = "Gives a link under which each viewer answers on their own device."
        ask = partial(_attempt, partial(tallies.open, lesson.key, len(lesson.options)))
        button("Ask the class", "groups", "class_open", ask, help=purpose)
        _refusal()
        return
    if racing:
        _attempt(lambda by: tallies.settle(code, by, outcome))
    view = tallies.view(code, token())
    with st.container(border=True, key="class"):
        address, bars = st.columns([2, 3], gap="medium")
        with address:
            _link(lesson, code)
        with bars:
            large = presentation.on_stage()
            tally(view, lesson.options, key="class_bars", bars=True, large=large)
        _buttons(view, racing=racing)
        _refusal()


def join_link(lesson: Lesson, code: str, here: str | None) -> str:
    """Return the link for the class, under the address at which the lecturer has this page."""
    address = urlsplit(here or "http://localhost:8501/")
    query = urlencode({"lesson": lesson.key, "join": code})
    return f"{address.scheme}://{address.netloc}/?{query}"


def _link(lesson: Lesson, code: str) -> None:
    """Show the address to type in large letters, and the whole link to be copied."""
    link = join_link(lesson, code, st.context.url)
    host = urlsplit(link)
    st.caption("Open this address on your phone:")
    st.header(f"{markdown.escape(host.netloc)}/?join={code}", anchor=False)
    st.code(link, language=None, wrap_lines=True)
    if is_loopback(host.hostname or ""):
        st.caption(f":material/info: {UNREACHABLE}")


def _buttons(view: TallyView, *, racing: bool) -> None:
    tallies = server().tallies
    st.caption(STATES[view.state])
    shown = view.state == TallyState.SHOWN
    with st.container(horizontal=True, vertical_alignment="center"):
        close = partial(_attempt, partial(tallies.close, view.code))
        closed = view.state != TallyState.OPEN
        button("Close", "lock", "class_close", close, disabled=closed, help="Takes no more answers")
        reveal = partial(_attempt, partial(tallies.show, view.code))
        label = "Show the class the result"
        button(label, "visibility", "class_show", reveal, disabled=shown)
        reset = partial(_attempt, partial(tallies.reset, view.code))
        purpose = "Possible before the race starts" if racing else "Forgets all answers"
        button("Ask again", "restart_alt", "class_reset", reset, disabled=racing, help=purpose)
        end = partial(_attempt, partial(tallies.end, view.code))
        button("End", "close", "class_end", end, type="tertiary", help="The code becomes invalid")


def _attempt(action: Callable[[str | None], object]) -> None:
    """Do it as this visitor; keep the reason if it is refused."""
    try:
        action(token())
    except BoltError as problem:
        st.session_state["class_refused"] = str(problem)


def _refusal() -> None:
    if reason := st.session_state.pop("class_refused", None):
        st.error(markdown.escape(sentence(reason)), icon=":material/error:")
