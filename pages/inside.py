"""Inside BOLT: why does it keep n observations, and which one leaves next?"""

import streamlit as st

from ui import header, inside, parts, session
from ui.live import preload

EVERY, SOON = 2.0, 0.3  # seconds between two looks at a live race; until its first pass

race = inside.looked_at()
live = not race.status.ended
with st.container(horizontal=True, vertical_alignment="bottom", key="inside_bar"):
    name = inside.pick(race)
    header.buttons(session.watched())
inside.which(race)
begun = len(inside.choices(race)[name]) > 0


def status() -> None:
    """How the race stands. The panels below look after themselves."""
    now = inside.looked_at()
    session.touch()
    header.told(now)
    here = len(inside.choices(now)[name]) > 0
    if not here:
        preload()
        st.caption(parts.waiting(now))
    if live and (parts.turned(race, now) or (here and not begun)):
        st.rerun()  # its buttons change, somebody failed, or its first pass is there


pace = EVERY if begun or race.position else SOON
header.status(race, status, pace if live else None)
parts.failures(race)
if begun:
    inside.charts(race, name)
