"""Which column of a log is what: shown as it was guessed, with fields that change it."""

from functools import partial

import streamlit as st

from bolt_core.logs.guessing import Overrides
from bolt_core.logs.log import Roles
from bolt_ui import markdown
from bolt_ui.problem import selection
from bolt_ui.problem.log_jobs import LogJob
from bolt_ui.server_state import server
from bolt_ui.widgets import button

NUMBERED = "none: rows are numbered"
DIRECTIONS = ("larger is better", "smaller is better")
MAX_PILLS = 20  # columns; more are chosen from a list


def card(job: LogJob) -> None:
    """Show what was guessed, why, and the fields; Analyse again uses what they hold."""
    st.markdown("**What was read**")
    roles = job.given if job.log is None else job.log.roles  # a refused choice is kept
    prefix = f"role_{job.key}"
    times = [*job.headings] if roles is None or roles.time else [NUMBERED, *job.headings]
    first = st.columns(2, gap="small")
    time = first[0].selectbox(
        "Time",
        times,
        index=_place(times, None if roles is None else roles.time),
        key=f"{prefix}_time",
    )
    outcome = first[1].selectbox(
        "Outcome",
        job.headings,
        index=_place(job.headings, None if roles is None else roles.outcome),
        key=f"{prefix}_outcome",
    )
    columns = [name for name in job.headings if name not in (time, outcome)]
    knobs = [] if roles is None else [name for name in roles.knobs or () if name in columns]
    if len(columns) <= MAX_PILLS:
        st.pills(
            "Knobs",
            columns,
            selection_mode="multi",
            default=knobs,
            format_func=markdown.escape,  # pills read Markdown, and headings come from a file
            key=f"{prefix}_knobs",
            wrap=True,
        )
    else:
        st.multiselect("Knobs", columns, default=knobs, key=f"{prefix}_knobs")
    second = st.columns(2, gap="small", vertical_alignment="bottom")
    second[0].selectbox(
        "Outcome should be",
        DIRECTIONS,
        index=1 if roles is not None and roles.maximize is False else 0,
        key=f"{prefix}_direction",
    )
    if times[:1] == [NUMBERED]:
        second[1].number_input(
            "Seconds between rows",
            min_value=0.001,
            value=(roles and roles.period) or 1.0,
            key=f"{prefix}_period",
        )
    changed = job.log is None or chosen(job) != _given(job.log.roles)
    button(
        "Analyse again",
        "refresh",
        f"{prefix}_again",
        partial(_again, job),
        disabled=not changed,
        type="primary" if changed else "secondary",
    )
    if job.log is not None:
        _words("Why these columns", job.log.reasons)
        _words("Notes on rows", job.log.notes)


def chosen(job: LogJob) -> Overrides:
    """Return the roles that the fields hold."""
    state, prefix = st.session_state, f"role_{job.key}"
    time, outcome = state.get(f"{prefix}_time"), state.get(f"{prefix}_outcome")
    knobs = [name for name in state.get(f"{prefix}_knobs") or () if name not in (time, outcome)]
    return Overrides(
        None if time == NUMBERED else time,
        tuple(knobs) or None,
        outcome,
        state.get(f"{prefix}_period"),
        state.get(f"{prefix}_direction") != DIRECTIONS[1],
    )


def _given(roles: Roles) -> Overrides:
    """Return roles as the fields would hold them."""
    period = None if roles.time is not None else roles.period or 1.0
    return Overrides(roles.time, roles.knobs, roles.outcome, period, roles.maximize)


def _again(job: LogJob) -> None:
    selection.show_log(server().logs.start(job.data, job.name, chosen(job), example=job.example))


def _place(options: tuple[str, ...] | list[str], wanted: str | None) -> int | None:
    if wanted is None:
        return 0 if options and options[0] == NUMBERED else None
    return list(options).index(wanted) if wanted in options else None


def _words(title: str, texts: tuple[str, ...]) -> None:
    if texts:
        with st.expander(f"{title} ({len(texts)})", type="compact"):
            st.markdown("\n".join(f"- {markdown.escape(words)}" for words in texts[:100]))
