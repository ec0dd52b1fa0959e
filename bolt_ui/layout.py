"""Sizes and containers that several pages share."""

from collections.abc import Callable

import streamlit as st

TEXT_WIDTH = 720  # pixels: the widest comfortable line of text
CHART_HEIGHT = 300  # pixels
REPLAY_SPEED = 20.0  # times real speed, at which a replay starts


def card(title: str, chart: str, show: Callable[..., None], height: int = CHART_HEIGHT) -> None:
    """Show a chart and its title in a bordered container as high as its neighbours."""
    with st.container(border=True, height="stretch"):
        st.markdown(title)
        show(chart, key=chart, height=height)
