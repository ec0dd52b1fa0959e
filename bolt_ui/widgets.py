"""Widgets with the arguments that every page gives them: Material icons, and values in the URL."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

Press = Callable[[], None]


def button(label: str, icon: str, key: str, on_click: Press, **rest: Any) -> None:  # noqa: ANN401
    """Show a button with a Material icon; `rest` goes to st.button."""
    st.button(label, icon=f":material/{icon}:", key=key, on_click=on_click, **rest)


def page_link(page: str, label: str, icon: str, **rest: Any) -> None:  # noqa: ANN401
    """Show a link to a page, with a Material icon; `rest` goes to st.page_link."""
    st.page_link(page, label=label, icon=f":material/{icon}:", **rest)


def choice(
    label: str,
    options: Sequence[str],
    key: str,
    widget: Callable[..., str] = st.segmented_control,
    **rest: Any,  # noqa: ANN401
) -> str:
    """Show options of which one is always chosen, the first at first; the choice is in the URL.

    `rest` goes to the widget, which is st.segmented_control or st.pills.
    """
    settings = {"default": options[0], "required": True, "bind": "query-params"} | rest
    return widget(label, options, key=key, **settings)
