"""Pieces of the Inside page: which run is looked into, and its panels."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from bolt_core import figures
from bolt_core.race import RaceSnapshot
from bolt_core.snapshot import RunSnapshot
from ui import parts, session
from ui.live_plot import live_plot

FIRST = "bolt"
HEIGHT, LINE = 440, 38  # pixels: two charts of 220; a line of text with its gap


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


def choices(race: RaceSnapshot) -> Mapping[str, RunSnapshot]:
    """The runs of a race by name, BOLT and its variants before the others."""
    runs = sorted(race.runs, key=lambda run: _rank(run.config.algorithm))
    return {f"{run.config.algorithm}.{run.config.seed}": run for run in runs}


def title(run: RunSnapshot, many: bool) -> str:
    return figures.label(run.config.algorithm) + f", seed {run.config.seed}" * many


def up_to_date(run: RunSnapshot) -> bool:
    """The scores of its last pass are there."""
    found = session.frames().newest(run)
    return found is not None and found.version >= len(run)


def response(run: RunSnapshot) -> None:
    """R(n) above, ||u_n||^2 below; or the words that stand for it."""
    instead = figures.instead_of_n_star(run)
    with st.container(horizontal=True, vertical_alignment="center", key="fit_head"):
        st.markdown("**Response time** R(n)" if instead else "**Response time and n\\***")
        if chip := figures.fit_chip(run):
            st.badge(chip, color="gray")
    if instead:
        st.markdown(instead)
    figure = figures.response_and_size(run)
    if figure["data"]:
        height = HEIGHT - LINE * bool(instead)  # the cards stay level
        live_plot(figure, key="fit", version=len(run), view=run.run_id, height=height)
    st.caption(figures.fit_in_words(run))


def scores(run: RunSnapshot) -> None:
    """Who matters least."""
    found = session.frames().newest(run)
    st.markdown("**Relevance of each observation** W\N{SUBSCRIPT TWO}")
    figure = figures.relevance(run, found)
    if not figure["data"] or found is None:
        st.caption(figures.why_not(run, found))
        return
    live_plot(figure, key="scores", version=found.version, view=run.run_id, height=HEIGHT)
    crosses = any(trace["name"] == "removed lately" for trace in figure["data"])
    st.caption(
        f"How much the surrogate would change without it, at {found.t:.1f} s; logarithmic. "
        f"{len(found.ids):,} observations are kept." + " Crosses: who left lately." * crosses
    )


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


def _rank(algorithm: str) -> int:
    return 0 if algorithm == FIRST else 1 if algorithm.startswith(FIRST) else 2
