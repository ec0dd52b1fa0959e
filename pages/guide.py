"""Guide: how do I read this?"""

import streamlit as st

from bolt_ui import layout
from bolt_ui.guide import sections

with st.container(width=layout.TEXT_WIDTH):
    st.subheader("How to read this", anchor=False)
    st.markdown(
        "BOLT follows an optimum that moves while it thinks. Five questions and their answers, "
        "with figures that this server has just computed; then lessons, words and sources."
    )
    sections.contents()
    sections.sections()
    sections.lessons()
    sections.assumptions()
    sections.glossary()
    sections.table_1()
    sections.keys()
    sections.cite()
    sections.versions()
