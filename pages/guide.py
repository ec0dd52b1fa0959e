"""Guide: what the problem is, how BOLT solves it, and how to read this dashboard."""

import streamlit as st

from bolt_ui import layout
from bolt_ui.guide import class_plan, doc_pages, own_plant, sections

with st.container(width=layout.TEXT_WIDTH):
    st.title("Guide", anchor=False)
    st.markdown(
        "BOLT follows an optimum that moves while the optimizer computes. This page answers five "
        "questions, with figures that this server has computed. Then follow "
        "[five steps to use it on your plant](#use-it-on-my-plant), [lessons](#lessons), a "
        "[class plan](#class-plan), the [assumptions](#assumptions), a [glossary](#glossary) and "
        "references."
    )
    sections.questions()
    own_plant.section()
    sections.lessons()
    class_plan.section()
    sections.assumptions()
    sections.glossary()
    sections.table_1()
    doc_pages.reference()
    doc_pages.promises()
    sections.appendix()
