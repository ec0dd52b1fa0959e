"""Scoreboard: who is best over many benchmarks and seeds, and does the paper say the same?"""

import streamlit as st

from bolt_ui.chart_component import preload
from bolt_ui.scoreboard import campaigns, sections

preload()
running = campaigns.running()
name = sections.toolbar()
broken = name is not None and sections.broken(name)
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
    sections.nothing()
elif results is not None:
    sections.board(name, results, left)
