"""Arena: who tracks the moving optimum best, right now?"""

import streamlit as st

from bolt_core import figures
from ui import controls, parts, session
from ui.live import panels, preload
from ui.session import RaceSnapshot

EVERY, SOON = 2.0, 0.3  # seconds between two looks at a live race; until it has a curve

race = session.watched()
live = race is not None and not race.status.ended
early = race is not None and figures.headline(race.runs) is None

with st.container(horizontal=True, vertical_alignment="bottom", key="toolbar"):
    controls.toolbar()
    controls.run_button(race.status if race else None)
    expected = st.container(width="content")
controls.algorithm_pills()
expected.caption(controls.expectation(controls.chosen()))
if reason := session.refusal():
    st.error(reason, icon=":material/error:")


def status() -> None:
    """How the race stands. The panels below look after themselves."""
    now = session.watched()
    if now is None:
        preload()
        parts.no_race(session.asked())
        return
    parts.status_row(now)
    parts.failures(now)
    begun = figures.headline(now.runs) is not None
    if not begun:
        preload()
        st.caption(parts.waiting(now))
    if live and (now.status.ended or (early and begun)):
        st.rerun()  # once: it is over, or its first curve is there; the pace below changes


def charts(shown: RaceSnapshot) -> None:
    show = panels(shown)
    show("headline", key="headline")
    wide, narrow = st.columns([3, 2], gap="small")
    with wide.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", key="regret_head"):
            st.markdown("**Average regret**", width="content")
            axis = controls.axis()
        show("regret", key="regret", x=axis)
    with narrow.container(border=True):
        st.markdown("**Leaderboard**")
        show("leaderboard", key="leaderboard")
    with narrow.container(border=True):
        st.markdown("**Dataset size** n")
        show("size", key="size", height=220)


pace = SOON if early and race and race.position is None else EVERY
st.fragment(status, run_every=pace if live else None, key="arena_status")()
if race is not None and not early:
    charts(race)
