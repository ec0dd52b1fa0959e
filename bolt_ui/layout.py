"""Sizes and containers that several pages share."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

TEXT_WIDTH = 720  # pixels: the widest comfortable line of text
CHART_HEIGHT = 300  # pixels
REPLAY_SPEED = 20.0  # times real speed, at which a replay starts
PRIMARY_TEXT = {"light": "#FFFFFF", "dark": "#12161C"}  # on a primary button: the background


def primary_text() -> None:
    """Set the colour of the text on primary buttons; Streamlit's is white in both themes.

    No colour has a contrast of 4.5:1 both with white text and with the dark background.
    """
    colour = f"light-dark({PRIMARY_TEXT['light']}, {PRIMARY_TEXT['dark']})"
    buttons = "[data-testid^='stBaseButton-primary']:not(:disabled)"
    st.html(f"<style>{buttons}, {buttons} * {{ color: {colour}; }}</style>")


@contextmanager
def titled(
    title: str, column: DeltaGenerator | None = None, hint: str | None = None
) -> Iterator[None]:
    """Open a bordered container with a title, as high as its neighbours."""
    with (column or st).container(border=True, height="stretch"):
        st.markdown(title, help=hint, width="content" if hint else "stretch")
        yield


def card(
    title: str,
    chart: str,
    show: Callable[..., None],
    height: int = CHART_HEIGHT,
    hint: str | None = None,
) -> None:
    """Show a chart and its title in a bordered container as high as its neighbours."""
    with titled(title, hint=hint):
        show(chart, key=chart, height=height)
