"""Which problem, door or log the page shows: they are in the URL, so that a reload keeps them."""

import streamlit as st

from bolt_core.problems.caller import Caller
from bolt_ui.owner import token
from bolt_ui.server_state import server

PROBLEM, DOOR, LOG = "id", "door", "log"  # parameters of the URL
KEPT = "problem_shown"  # in the session: a visit of another page drops parameters
KEPT_LOG = "log_shown"  # in the session, likewise
DOORS = ("describe", "log", "file")


def caller() -> Caller:
    """Return the present visitor as the core knows it."""
    return Caller(cookie=token())


def everyone_may_change() -> bool:
    """Whether every visitor of this server may change every problem."""
    return server().permissions.may_change_all(None)


def problem_id() -> str | None:
    """Return the problem that the URL names, or the one that this session showed last.

    None if the URL names a door: the visitor has followed a link to that.
    """
    if linked := st.query_params.get(PROBLEM):
        st.session_state[KEPT] = linked
    elif door() is not None:
        st.session_state.pop(KEPT, None)
    elif kept := st.session_state.get(KEPT):
        st.query_params[PROBLEM] = kept
    shown: str | None = st.session_state.get(KEPT)
    return shown


def show_problem(problem_id: str) -> None:
    """Show this problem from now on."""
    for name in (DOOR, LOG):
        st.query_params.pop(name, None)
    st.session_state[KEPT] = problem_id
    st.query_params[PROBLEM] = problem_id


def leave() -> None:
    """Show the doors and the list again."""
    st.session_state.pop(KEPT, None)
    for name in (PROBLEM, DOOR, LOG):
        st.query_params.pop(name, None)


def door() -> str | None:
    """Return the door that is open; None: all of them are offered."""
    name = st.query_params.get(DOOR)
    return name if name in DOORS else None


def open_door(name: str) -> None:
    """Open one door; what was brought to another one is left behind."""
    st.query_params[DOOR] = name
    if name != "log":
        st.query_params.pop(LOG, None)


def log_key() -> str | None:
    """Return the key of the log that is analysed."""
    return st.query_params.get(LOG)


def show_log(key: str | None) -> None:
    """Show the log with this key from now on; None: ask for one."""
    if key is None:
        st.query_params.pop(LOG, None)
    else:
        st.session_state[KEPT_LOG] = key
        st.query_params[LOG] = key


def last_log() -> str | None:
    """Return the key of the log that this session showed last."""
    key: str | None = st.session_state.get(KEPT_LOG)
    return key


def continue_log(key: str) -> None:
    """Show this log again, behind its door."""
    open_door("log")
    show_log(key)
