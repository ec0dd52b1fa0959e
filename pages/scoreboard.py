"""Scoreboard: which algorithm is best over benchmarks and seeds, and does the paper agree?"""

import streamlit as st

from bolt_ui.chart_component import preload
from bolt_ui.scoreboard import campaigns, sections

preload()
st.title("Scoreboard", anchor=False)
running = campaigns.running()
name = sections.toolbar()
broken = name is not None and sections.broken(name)
results, unread = campaigns.results_of(name) if name and not broken else (None, 0)
interval = campaigns.refresh_seconds(unread, name)
progress: list[object] = []


def follow() -> None:
    """Show the running campaign, if any; redraw the page when there is more to show."""
    progress.append(campaigns.follow(name))
    unchanged = (campaigns.running(), campaigns.refresh_seconds(unread, name)) == (
        running,
        interval,
    )
    if not unchanged or (len(progress) > 1 and (unread or progress[-1] != progress[0])):
        st.rerun()


st.fragment(follow, run_every=interval, key="score_follow")()
if name is None:
    sections.no_campaign()
elif results is not None:
    sections.board(name, results, unread)
