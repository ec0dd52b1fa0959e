"""Benchmarks: what are we optimising?"""

import streamlit as st

from bolt_ui import benchmarks, layout
from bolt_ui.chart_component import preload

asked = benchmarks.opened()
known = asked in benchmarks.pictures()

with st.container(horizontal=True, vertical_alignment="bottom", key="board_bar"):
    if asked and known:
        benchmarks.title(asked)
    else:
        st.subheader("What are we optimising?", anchor=False, width="content")
    st.space("stretch")
    device = benchmarks.device_picker()

if asked and known:
    benchmarks.detail(asked, device)
else:
    preload()
    if asked:
        benchmarks.unknown(asked)
    with st.container(width=layout.TEXT_WIDTH):
        st.caption(
            "Each picture is computed from the benchmark itself: time from left to right, one "
            "coordinate of x upwards, the others where the optimum of the moment has them. Bright "
            "is high (by rank). The dark line is the optimum that an algorithm has to follow."
        )
    benchmarks.cards(device)
