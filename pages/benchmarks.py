"""Benchmarks: what are we optimising?"""

import streamlit as st

from ui import gallery, parts
from ui.live import preload

asked = gallery.opened()
known = asked in gallery.pictures()

with st.container(horizontal=True, vertical_alignment="bottom", key="board_bar"):
    if asked and known:
        gallery.title(asked)
    else:
        st.subheader("What are we optimising?", anchor=False, width="content")
    st.space("stretch")
    device = gallery.device_picker()

if asked and known:
    gallery.detail(asked, device)
else:
    preload()
    if asked:
        gallery.unknown(asked)
    with st.container(width=parts.TEXT):
        st.caption(
            "Each picture is computed from the benchmark itself: time from left to right, one "
            "coordinate of x upwards, the others where the optimum of the moment has them. Bright "
            "is high (by rank). The dark line is the optimum that an algorithm has to follow."
        )
    gallery.cards(device)
