"""Inside BOLT: why does it keep n observations, and which one leaves next?"""

import streamlit as st

from ui import controls, inside, parts, session
from ui.live import panels, preload

EVERY, SOON = 2.0, 0.3  # seconds between two looks at a live race; until its first pass
HEIGHT = 440  # pixels: two charts of 220

race = session.watched()
live = race is not None and not race.status.ended
name = ""
with st.container(horizontal=True, vertical_alignment="bottom", key="inside_bar"):
    if race is not None:
        name = inside.pick(race)
    if race is not None and live:
        controls.run_button(race.status)
begun = race is not None and len(inside.choices(race)[name]) > 0


def status() -> None:
    """How the race stands. The panels below look after themselves."""
    now = session.watched()
    if now is None:
        preload()
        inside.no_race(session.asked())
        return
    parts.status_row(now)
    parts.failures(now)
    here = len(inside.choices(now)[name]) > 0
    if not here:
        preload()
        st.caption(parts.waiting(now))
    if live and (now.status.ended or (here and not begun)):
        st.rerun()  # once: it is over, or its first pass is there; the pace below changes


pace = EVERY if begun or (race and race.position) else SOON
st.fragment(status, run_every=pace if live else None, key="inside_status")()
if race is not None and begun:
    show = panels(race, show=name)
    wide, narrow = st.columns(2, gap="small")
    with wide.container(border=True, height="stretch"):
        st.markdown("**Response time** R(n)" + " **and n\\***" * name.startswith("bolt"))
        show("fit", key="fit", height=HEIGHT)
    with narrow.container(border=True, height="stretch"):
        st.markdown("**Relevance of each observation** W\N{SUBSCRIPT TWO}")
        show("scores", key="scores", height=HEIGHT)
