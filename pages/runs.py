"""Runs: what did I, or we, run? Open, compare, rename, export, delete, import."""

import streamlit as st

from bolt_ui import layout, runs

found = runs.rows()
with st.container(horizontal=True, vertical_alignment="bottom", key="runs_bar"):
    st.text_input(
        "Find",
        key="find",
        bind="query-params",
        width=260,
        placeholder="benchmark, algorithm, status, tag",
    )
    st.space("stretch")
    runs.incoming()
    runs.room()
runs.troubles()
runs.undo()
if found:
    st.caption(  # above the list, whose own buttons appear here
        f"{runs.many(len(found))}, the newest first. Tick one to open or replay it, several of "
        "one benchmark to compare them. A click on a heading sorts."
    )
    chosen = runs.table(found)
    with st.container(horizontal=True, vertical_alignment="center", key="runs_actions"):
        runs.open_links(chosen)
        runs.rename(chosen)
        runs.exports(chosen)
        runs.delete(chosen)
else:
    with st.container(width=layout.TEXT_WIDTH):
        searched = st.session_state.get("find")
        st.subheader("Nothing matches" if searched else "No race yet", anchor=False)
        st.write(
            "No race on this server has these words. Clear the field above."
            if searched
            else "Every race is kept as it runs, and is listed here: live, finished or cut off. "
            "Start one in the Arena, or import records."
        )
        st.page_link("../../pages/arena.py", label="To the Arena", icon=":material/stadium:")
