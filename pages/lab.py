"""n* lab: how kernel, lengthscale and response time determine n*."""

import streamlit as st

from bolt_ui.lab import controls, sections

controls.follow_link()
st.title(r"n\* lab", anchor=False)
sections.question()


def body() -> None:
    """Show the lab as one fragment: a move of a control redraws only what depends on it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab_bar"):
        controls.kernel()
        controls.preset_pills()
    above = st.container()
    narrow, wide = st.columns([2, 5], gap="small")
    beside = narrow.container(border=True, height="stretch")
    with beside:
        controls.sliders()
    setting = controls.current()
    with wide.container(border=True, height="stretch"):
        sections.size(setting)  # sent first, because the browser needs longest to draw it
    with beside:
        controls.preset_note()
    with above:
        sections.verdict(setting)
    view = sections.look_further()
    sections.further(view, setting)
    if (view == sections.FIGURE) != figure1_shown:
        st.rerun()  # once: Figure 1, which is below the fragment, appears or disappears


figure1_shown = st.session_state.get("more", sections.FIGURE) == sections.FIGURE
st.fragment(body, key="lab_body")()
if figure1_shown:
    sections.figure1()
