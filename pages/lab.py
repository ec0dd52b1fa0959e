"""n* lab: how do kernel, lengthscale and response time decide n*?"""

import streamlit as st

from bolt_ui.lab import controls, sections

controls.follow_link()
sections.question()


def body() -> None:
    """All of it: a move of one control redraws what depends on it and nothing else."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab_bar"):
        controls.kernel()
        controls.preset_pills()
    said = st.container()
    narrow, wide = st.columns([2, 5], gap="small")
    beside = narrow.container(border=True, height="stretch")
    with beside:
        controls.sliders()
    setting = controls.current()
    with wide.container(border=True, height="stretch"):
        sections.size(setting)  # what takes longest to draw is sent first
    with beside:
        controls.preset_note()
    with said:
        sections.verdict(setting)
    view = sections.look_further()
    sections.further(view, setting)
    if (view == sections.FIGURE) != paper:
        st.rerun()  # once: what stands below the fragment comes or goes


paper = st.session_state.get("more", sections.FIGURE) == sections.FIGURE
st.fragment(body, key="lab_body")()
if paper:
    sections.figure1()
