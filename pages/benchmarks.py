"""Benchmarks: the objective functions, one card each, or the details of one of them."""

import streamlit as st

from bolt_core.figures.shared.colormap import MEANING
from bolt_ui import benchmarks, layout
from bolt_ui.chart_component import preload

key = benchmarks.linked_benchmark()
known = key in benchmarks.pictures()

with st.container(horizontal=True, vertical_alignment="bottom", key="board_bar"):
    if key and known:
        benchmarks.title(key)
    else:
        st.title("Benchmarks", anchor=False, width="content")
    st.space("stretch")
    device = benchmarks.device_picker()

if key and known:
    benchmarks.details(key, device)
else:
    preload()
    if key:
        benchmarks.unknown(key)
    with st.container(width=layout.TEXT_WIDTH):
        st.caption(
            "Each picture is computed from the benchmark: time runs from left to right, one "
            "coordinate of x from bottom to top, and the other coordinates are at the optimum. "
            f"{MEANING} (by rank). The dark line is the optimum that an algorithm has to follow."
        )
    benchmarks.plugin_problems()
    benchmarks.cards(device)
