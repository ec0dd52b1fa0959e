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
    with narrow.container(border=True, height="stretch"):
        lab_controls.sliders()
        lab_controls.preset_note()
    setting = lab_controls.current()
    with said:
        lab.verdict(setting)
    with wide.container(border=True, height="stretch"):
        lab.size(setting)
    view = lab.look_further()
    lab.further(view, setting)
    if (view == lab.FIGURE) != paper:
        st.rerun()  # once: what stands below the fragment comes or goes


paper = st.session_state.get("more", lab.FIGURE) == lab.FIGURE
st.fragment(body, key="lab_body")()
if paper:
    lab.figure1()
