"""Runs: what did I, or we, run? Open, compare, rename, export, delete, import."""

import streamlit as st

from ui import parts, shelf

found = shelf.rows()
with st.container(horizontal=True, vertical_alignment="bottom", key="runs_bar"):
    st.text_input(
        "Find",
        key="find",
        bind="query-params",
        width=260,
        placeholder="benchmark, algorithm, status, tag",
    )
    st.space("stretch")
    shelf.incoming()
    shelf.room()
shelf.troubles()
shelf.undo()
if found:
    st.caption(  # above the list, whose own buttons appear here
        f"{shelf.many(len(found))}, the newest first. Tick one to open or replay it, several of "
        "one benchmark to compare them. A click on a heading sorts."
    )
    chosen = shelf.table(found)
    with st.container(horizontal=True, vertical_alignment="center", key="runs_actions"):
        shelf.open_links(chosen)
        shelf.rename(chosen)
        shelf.exports(chosen)
        shelf.delete(chosen)
else:
    with st.container(width=parts.TEXT):
        searched = st.session_state.get("find")
        st.subheader("Nothing matches" if searched else "No race yet", anchor=False)
        st.write(
            "No race on this server has these words. Clear the field above."
            if searched
            else "Every race is kept as it runs, and is listed here: live, finished or cut off. "
            "Start one in the Arena, or import records."
        )
        st.page_link("../pages/arena.py", label="To the Arena", icon=":material/stadium:")
