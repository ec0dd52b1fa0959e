"""Pieces of the Inside page: which run is looked into, and what is said without one."""

from __future__ import annotations

import streamlit as st

from bolt_core import figures
from bolt_core.charts import choices as choices  # pages name it from here
from bolt_core.race import RaceSnapshot
from bolt_core.snapshot import RunSnapshot
from ui import parts


def pick(race: RaceSnapshot) -> str:
    """The run to look into, BOLT's first; in the URL."""
    runs = choices(race)
    many = len({run.config.seed for run in runs.values()}) > 1
    chosen: str = st.selectbox(
        "Run",
        list(runs),
        format_func=lambda name: title(runs[name], many),
        key="show",
        bind="query-params",
        width=240,
    )
    return chosen if chosen in runs else next(iter(runs))


def title(run: RunSnapshot, many: bool) -> str:
    return figures.label(run.config.algorithm) + f", seed {run.config.seed}" * many


def no_race(asked: str | None) -> None:
    with st.container(width=parts.TEXT):
        if asked is None:
            st.subheader(
                "Why does it keep n observations, and which one leaves next?", anchor=False
            )
            st.write(
                "This page looks into a race while it runs, or after. You will see how long an "
                "answer takes with n observations, the n* that follows from it, and how much each "
                "observation kept still matters. There is no race yet."
            )
        else:
            st.subheader("This race is not on this server", anchor=False)
            st.write("It was run elsewhere, or its files are gone.")
            st.code(asked, language=None)
        st.page_link("../pages/arena.py", label="Start one in the Arena", icon=":material/stadium:")
