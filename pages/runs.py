"""Runs: which races are stored on this server? Open, compare, rename, export, delete, import."""

import streamlit as st

from bolt_ui import deleting, layout, links, runs, widgets

st.title("Runs", anchor=False)
races = runs.rows()
with st.container(horizontal=True, vertical_alignment="bottom", key="runs_bar"):
    st.text_input(
        "Find",
        key="find",
        bind="query-params",
        width=260,
        placeholder="benchmark, algorithm, status, tag",
    )
    st.space("stretch")
    deleting.recently_deleted()
    runs.import_popover()
    deleting.disk_usage()
runs.errors()
deleting.undo()
deleting.question()
if races:
    selected = runs.table(races)
    with st.container(horizontal=True, vertical_alignment="center", key="runs_actions"):
        runs.open_links(selected)
        runs.rename(selected)
        runs.exports(selected)
        deleting.delete(selected)
else:
    with st.container(width=layout.TEXT_WIDTH):
        searched = st.session_state.get("find")
        st.subheader("Nothing matches" if searched else "No race yet", anchor=False)
        st.write(
            "No race on this server contains these words. Clear the field above."
            if searched
            else "Every race is saved while it runs and is listed here. Start one in the Arena, or "
            "import records."
        )
        widgets.page_link(links.ARENA, "Go to the Arena", "stadium")
