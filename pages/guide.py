"""Guide: how do I read this?"""

import streamlit as st

from ui import guide, parts

with st.container(width=parts.TEXT):
    st.subheader("How to read this", anchor=False)
    st.markdown(
        "BOLT follows an optimum that moves while it thinks. Five questions and their answers, "
        "with figures that this server has just computed; then lessons, words and sources."
    )
    guide.contents()
    guide.sections()
    guide.lessons()
    guide.assumptions()
    guide.glossary()
    guide.table_1()
    guide.keys()
    guide.cite()
    guide.versions()
