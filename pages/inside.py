"""Inside BOLT: why does it keep n observations, and which one leaves next?"""

import streamlit as st

from ui import controls, panels, parts, session
from ui.live_plot import preload
from ui.session import RaceSnapshot

EVERY, SOON = 1.0, 0.3  # seconds between two looks at a live run; until the last scores are there

race = session.watched()
live = race is not None and not race.status.ended
name = ""
with st.container(horizontal=True, vertical_alignment="bottom", key="inside_bar"):
    if race is not None:
        name = panels.pick(race)
    if race is not None and live:
        controls.run_button(race.status)
waiting = race is not None and not live and not panels.up_to_date(panels.choices(race)[name])


def body() -> None:
    """All that moves. When the run is over and its scores are there, it is drawn once."""
    now = session.watched()
    if now is None:
        preload()
        panels.no_race(session.asked())
        return
    parts.status_row(now)
    parts.failures(now)
    run = panels.choices(now)[name]
    if len(run):
        charts(now)
    else:
        preload()
        st.caption(parts.waiting(now))
    over = now.status.ended and panels.up_to_date(run)
    if (live and now.status.ended) or (waiting and over):
        st.rerun()  # once: from here on nothing moves


def charts(now: RaceSnapshot) -> None:
    run = panels.choices(now)[name]
    wide, narrow = st.columns(2, gap="small")
    with wide.container(border=True, height="stretch"):
        panels.response(run)
    with narrow.container(border=True, height="stretch"):
        panels.scores(run)


pace = EVERY if live else SOON if waiting else None
st.fragment(body, run_every=pace, key="inside_body")()
