"""n* lab: how do kernel, lengthscale and response time decide n*?"""

import streamlit as st

from ui import lab, lab_controls

lab_controls.follow_link()
lab.question()


def body() -> None:
    """All of it: a move of one control redraws what depends on it and nothing else."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab_bar"):
        lab_controls.kernel()
        lab_controls.preset_pills()
    said = st.container()
    narrow, wide = st.columns([2, 5], gap="small")
    beside = narrow.container(border=True, height="stretch")
    with beside:
        lab_controls.sliders()
    setting = lab_controls.current()
    with wide.container(border=True, height="stretch"):
        lab.size(setting)  # what takes longest to draw is sent first
    with beside:
        lab_controls.preset_note()
    with said:
        lab.verdict(setting)
    view = lab.look_further()
    lab.further(view, setting)
    if (view == lab.FIGURE) != paper:
        st.rerun()  # once: what stands below the fragment comes or goes


paper = st.session_state.get("more", lab.FIGURE) == lab.FIGURE
st.fragment(body, key="lab_body")()
if paper:
    lab.figure1()
