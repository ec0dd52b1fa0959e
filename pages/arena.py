"""Arena: who tracks the moving optimum best, right now?"""

import streamlit as st

from bolt_core import figures
from ui import controls, parts, session
from ui.live_plot import live_plot, preload
from ui.session import RaceSnapshot

EVERY, SOON = 1.0, 0.3  # seconds between two looks at a live race; until it has a curve

race = session.watched()
live = race is not None and not race.status.ended
early = race is not None and race.position is None and figures.headline(race.runs) is None

with st.container(horizontal=True, vertical_alignment="bottom", key="toolbar"):
    controls.toolbar()
    controls.run_button(race.status if race else None)
    expected = st.container(width="content")
controls.algorithm_pills()
expected.caption(controls.expectation(controls.chosen()))
if reason := session.refusal():
    st.error(reason, icon=":material/error:")


def body() -> None:
    """All that moves. Without a live race it is drawn once and costs nothing more."""
    now = session.watched()
    if now is None:
        preload()
        parts.no_race(session.asked())
        return
    parts.status_row(now)
    parts.failures(now)
    headline = figures.headline(now.runs)
    if headline is None:
        preload()
        st.caption(parts.waiting(now))
    else:
        st.markdown(headline)
        charts(now)
    if live and (now.status.ended or (early and headline)):
        st.rerun()  # once: it is over, or its first curve is there; the pace below changes


def charts(now: RaceSnapshot) -> None:
    wide, narrow = st.columns([3, 2], gap="small")
    with wide.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center", key="regret_head"):
            st.markdown("**Average regret**", width="content")
            axis = controls.axis()
        figure = figures.average_regret(now.runs, axis)
        live_plot(figure, key="regret", version=now.version, view=f"{now.race_id} {axis}")
        st.caption(f"Lower is better; {figure['layout']['meta']['subtitle']}; without warm-up.")
    with narrow.container(border=True):
        st.markdown("**Leaderboard**")
        parts.leaderboard(now.runs)
    with narrow.container(border=True):
        st.markdown("**Dataset size** n")
        sizes = figures.dataset_size(now.runs)
        live_plot(sizes, key="size", version=now.version, view=now.race_id, height=220)
        subtitle = sizes["layout"]["meta"]["subtitle"]
        st.caption(f"Observations kept, logarithmic; {subtitle}; thin steps: n* of BOLT.")


pace = SOON if early else EVERY
st.fragment(body, run_every=pace if live else None, key="arena_body")()
