"""Scoreboard: who is best over many benchmarks and seeds, and does the paper say the same?"""

import streamlit as st

from ui import campaigns, scoreboard
from ui.live import preload

preload()
running = campaigns.running()
name = scoreboard.toolbar()
broken = name is not None and scoreboard.broken(name)
results, left = campaigns.found(name) if name and not broken else (None, 0)
pace = campaigns.ticking(left, name)
looks: list[object] = []


def follow() -> None:
    """The campaign that runs, if one does; the page is drawn again when there is more to show."""
    looks.append(campaigns.follow(name))
    settled = (campaigns.running(), campaigns.ticking(left, name)) == (running, pace)
    if not settled or (len(looks) > 1 and (left or looks[-1] != looks[0])):
        st.rerun()


st.fragment(follow, run_every=pace, key="score_follow")()
if name is None:
    scoreboard.nothing()
elif results is not None:
    scoreboard.board(name, results, left)
