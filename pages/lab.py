"""n* lab: how do kernel, lengthscale and response time decide n*?"""

import streamlit as st

from ui import lab, lab_controls

lab_controls.follow_link()


def body() -> None:
    """All of it: a move of one control redraws what depends on it and nothing else."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab_bar"):
        lab_controls.kernel()
        lab_controls.preset_pills()
    lab_controls.preset_note()
    said = st.container()
    narrow, wide = st.columns([2, 5], gap="small")
    with narrow.container(border=True, height="stretch"):
        lab_controls.sliders()
    setting = lab_controls.current()
    with said:
        lab.verdict(setting)
    with wide.container(border=True, height="stretch"):
        lab.size(setting)
    lab.further(setting)


st.fragment(body, key="lab_body")()
