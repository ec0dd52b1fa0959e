"""Arena: who tracks the moving optimum best, right now?"""

import streamlit as st

from ui import arena, header, parts, session
from ui.live import preload

EVERY, SOON = 2.0, 0.3  # seconds between two looks at a live race; until it has a curve

race = session.watched()
live = race is not None and not race.status.ended
early = race is not None and not arena.has_curve(race)
arena.toolbar(race)


def status() -> None:
    """How the race stands. The panels below look after themselves."""
    now = session.watched()
    if now is None or race is None:
        return
    session.touch()
    header.told(now)
    begun = arena.has_curve(now)
    if not begun:
        preload()
        st.caption(parts.waiting(now))
    if live and (parts.turned(race, now) or (early and begun)):
        st.rerun()  # its buttons change, somebody failed, or its first curve is there


waits = race is not None and race.position is not None
pace = SOON if early and not waits else EVERY
if race is None:
    parts.unknown_race(session.asked())
    arena.landing()
else:
    header.status(race, status, pace if live else None)
    parts.failures(race)
    if not early:
        arena.curves(race)
