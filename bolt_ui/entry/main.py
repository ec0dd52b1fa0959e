"""The entry script of the dashboard: page settings, navigation, and the watched race."""

import sys
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bolt_core.common import runtime
from bolt_ui import layout, link_values, presentation, race_in_toolbar, session, toolbar
from bolt_ui.lessons import join_page, lesson_state
from bolt_ui.project_files import PAGES

ICON = ROOT / "bolt_ui" / "bolt.svg"  # a Material symbol would be loaded from the network

st.set_page_config(page_title="BOLT", page_icon=ICON, layout="wide")
runtime.configure()
join_code = join_page.code()
page = st.navigation(
    [
        st.Page(PAGES / "arena.py", title="Arena", icon=":material/stadium:", default=True),
        st.Page(PAGES / "inside.py", title="Inside BOLT", icon=":material/troubleshoot:"),
        st.Page(PAGES / "lab.py", title="n* lab", icon=":material/science:"),
        st.Page(PAGES / "benchmarks.py", title="Benchmarks", icon=":material/landscape:"),
        st.Page(PAGES / "problem.py", title="Your problem", icon=":material/tune:"),
        st.Page(PAGES / "runs.py", title="Runs", icon=":material/list_alt:"),
        st.Page(PAGES / "scoreboard.py", title="Scoreboard", icon=":material/leaderboard:"),
        st.Page(PAGES / "guide.py", title="Guide", icon=":material/menu_book:"),
    ],
    position="hidden" if presentation.on_stage() or join_code is not None else "top",
)
title = getattr(page, "title", "")  # none without a session: in a process that was spawned
if join_code is not None:
    title = "Class"
st.set_page_config(page_title=f"{title} \N{MIDDLE DOT} BOLT")
layout.primary_text()
if join_code is not None:
    join_page.show(join_code)
    st.stop()
lesson_state.follow_link(page.url_path)  # first: opening a lesson drops the watched race
session.follow_link()
link_values.refuse_bad(page.url_path)
toolbar.translate_keys()
race_in_toolbar.fill()
link_values.show_notices()
page.run()
