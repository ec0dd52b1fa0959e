"""The problems on this server: a link to each, and for the owner a button that deletes it."""

from collections import Counter
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from bolt_core.common.text import counted, display_name, duration, listed
from bolt_core.problems.problem_view import ProblemRow
from bolt_ui import links, markdown
from bolt_ui.problem import actions, selection
from bolt_ui.server_state import server
from bolt_ui.widgets import button, page_link

MAX_ROWS = 30  # shown at first
DELETED = "problem_deleted"  # in the session: id and name of the one deleted last
MAX_NAMED_KNOBS = 4


def show() -> None:
    """Show the list, the visitor's own problems first."""
    rows = server().problems.rows(selection.caller())
    _undo()
    if not rows:
        return
    st.subheader("Problems on this server", anchor=False)
    rows = sorted(rows, key=lambda row: not row.yours)  # stable: the last changed stay first
    everything = st.session_state.get("problem_list_all", False)
    names = Counter(row.name for row in rows)
    for row in rows if everything else rows[:MAX_ROWS]:
        _row(row, dated=names[row.name] > 1)
    if len(rows) > MAX_ROWS and not everything:
        more = partial(st.session_state.update, {"problem_list_all": True})
        button(f"Show all {len(rows)}", "expand_more", "problem_list_more", more)


def _row(row: ProblemRow, *, dated: bool) -> None:
    """Show one problem; `dated`: with the time at which it was created, as others have its name."""
    now = datetime.now(UTC)
    with st.container(horizontal=True, vertical_alignment="center", key=f"problem_row_{row.id}"):
        page_link(
            links.PROBLEM,
            markdown.escape(display_name(row.name)),
            "factory" if row.simulated else "tune",
            query_params={selection.PROBLEM: row.id},
        )
        if row.running:
            st.badge("Live", icon=":material/radio_button_checked:", color="red")
        if not selection.everyone_may_change():
            st.badge("yours" if row.yours else "watch only", color="blue" if row.yours else "gray")
        if row.error:
            st.caption(f"It cannot be read: {markdown.escape(row.error)}", width="content")
        else:
            age = duration(max((now - row.changed).total_seconds(), 0.0))
            words = f"{counted(row.measurements, 'measurement')} of {row.outcome}, {_knobs(row)}"
            times = f"changed {age} ago"
            if dated:
                times = f"created {row.created:%Y-%m-%d %H:%M} UTC, {times}"
            st.caption(f"{markdown.escape(words)}; {times}", width="content")
        st.space("stretch")
        if row.yours:
            st.button(
                "Delete",
                icon=":material/delete:",
                key=f"problem_delete_{row.id}",
                on_click=_delete,
                args=(row.id, row.name),
                type="tertiary",
            )


def _knobs(row: ProblemRow) -> str:
    names = [display_name(name, 24) for name in row.knobs[:MAX_NAMED_KNOBS]]
    rest = len(row.knobs) - len(names)
    return listed([*names, f"{rest} more knobs"] if rest else names)


def _delete(problem_id: str, name: str) -> None:
    with actions.keeping_refusal():
        server().problems.delete(problem_id, selection.caller())
        st.session_state[DELETED] = problem_id, name


def _undo() -> None:
    """Show what was deleted last, and a button that restores it."""
    if DELETED not in st.session_state:
        return
    problem_id, name = st.session_state[DELETED]
    with st.container(horizontal=True, vertical_alignment="center"):
        words = f"{markdown.escape(display_name(name))} is deleted. It is kept for a day."
        st.caption(words, width="content")
        button("Undo", "undo", "problem_restore", partial(_restore, problem_id))


def _restore(problem_id: str) -> None:
    with actions.keeping_refusal():
        server().problems.restore(problem_id, selection.caller())
    st.session_state.pop(DELETED, None)
