"""Scoreboard: who is best over many benchmarks and seeds, and does the paper say the same?"""

import streamlit as st

from ui import campaigns, scoreboard
from ui.live import preload

preload()
name = scoreboard.toolbar()
broken = name is not None and scoreboard.broken(name)
results, left = campaigns.found(name) if name and not broken else (None, 0)


looks: list[object] = []


def follow() -> None:
    """The campaign that runs, if one does; the page is drawn again when there is more to show."""
    looks.append(campaigns.follow(name))
    if len(looks) > 1 and (left or looks[-1] != looks[0]):
        st.rerun()


st.fragment(follow, run_every=campaigns.ticking(left, name), key="score_follow")()
if name is None:
    scoreboard.nothing()
elif results is not None:
    scoreboard.board(name, results, left)
