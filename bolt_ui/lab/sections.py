"""Pieces of the n* lab: the chart, its sentence, and three ways to look further."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bolt_core.figures.lab.bound_chart import NOISES, bound_curve, bound_in_words
from bolt_core.figures.lab.figure1 import figure1_kernels, figure1_responses
from bolt_core.figures.lab.removal_chart import (
    TIMES,
    LeftOut,
    chosen,
    posterior_now,
    removal_in_words,
)
from bolt_core.figures.lab.setting import Setting
from bolt_core.figures.lab.size_chart import headline, size_in_words, size_lab
from bolt_ui.chart_component import still
from bolt_ui.lab import drag
from bolt_ui.layout import TEXT_WIDTH
from bolt_ui.markdown import with_math

TALL, MIDDLE, SHORT = 440, 300, 220  # pixels
FIGURE, BOUND, REMOVAL = "Figure 1 of the paper", "The regret bound", "One observation fewer"


def question() -> None:
    """For somebody who comes by a link."""
    st.caption(
        "How many observations should a time-varying optimizer keep? Each one tells something, and "
        "each one makes every answer slower and so all the others older. n\\* is where the two "
        "balance."
    )


def show(figure: Mapping[str, Any], key: str, height: int) -> None:
    """Every chart of the lab goes through here: the figure, then its caption with its symbols."""
    meta = {**figure["layout"]["meta"], "caption": ""}
    still({**figure, "layout": {**figure["layout"], "meta": meta}}, key=key, height=height)
    st.caption(with_math(figure["layout"]["meta"]["caption"]))


def verdict(setting: Setting) -> None:
    """n*, and why, before any chart."""
    with st.container(horizontal=True, vertical_alignment="center", key="verdict"):
        st.header(with_math(headline(setting)), anchor=False, width="content")
        with st.container(width=TEXT_WIDTH):
            st.markdown(with_math(size_in_words(setting)))


def size(setting: Setting) -> None:
    show(size_lab(setting), "lab_size", TALL)


def look_further() -> str:
    """One of three, in the URL."""
    view: str = st.segmented_control(
        "Look further",
        [FIGURE, BOUND, REMOVAL],
        default=FIGURE,
        required=True,
        wrap=True,
        key="more",
        bind="query-params",
    )
    return view


def further(view: str, setting: Setting) -> None:
    """What depends on the setting. Figure 1 does not: it is drawn once, and not by every move."""
    if view == BOUND:
        _bound(setting)
    elif view == REMOVAL:
        _removal(setting)


def figure1() -> None:
    """Both panels."""
    st.caption(
        "Computed by this package, not copied: the paper prints no constants, so those named below "
        "are ours. The sliders do not act here. Dots: n*."
    )
    left, right = st.columns(2, gap="small")
    with left.container(border=True, height="stretch"):
        st.markdown("**Left: the kernel** $k_T$")
        show(figure1_kernels(), "lab_kernels", MIDDLE)
    with right.container(border=True, height="stretch"):
        st.markdown("**Right: the response time** R(n)")
        show(figure1_responses(), "lab_responses", MIDDLE)


def _bound(setting: Setting) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom", key="bound_head"):
            st.markdown("**Theorem 3.6 as n varies**", width="content")
            noise = st.segmented_control(
                "Noise variance / signal variance",
                [f"{value:g}" for value in NOISES],
                default=f"{NOISES[0]:g}",
                required=True,
                key="bound_noise",
                bind="query-params",
                help="The paper's benchmarks have about 0.01.",
            )
        level = float(noise) if noise in {f"{value:g}" for value in NOISES} else NOISES[0]
        st.markdown(with_math(bound_in_words(setting, level)))
        show(bound_curve(setting, level), "lab_bound", MIDDLE)


def _removal(setting: Setting) -> None:
    with st.container(border=True):
        st.markdown("**Theorem 3.8: leave an observation out**")
        out = st.pills(
            "Left out",
            list(range(1, len(TIMES) + 1)),
            selection_mode="multi",
            key="out",
            bind="query-params",
            help="Or drag it out of the plot below; dropped back into the plot, it is in again.",
        )
        left = LeftOut(setting, chosen([number - 1 for number in out]))
        st.markdown(with_math(removal_in_words(left)))
        show(posterior_now(left), "lab_posterior", SHORT)
        drag.dataset(left, on_move=_moved)
        st.caption(
            "Ten made-up observations of a moving function; the larger the disc, the larger its "
            "relevance score (W\N{SUBSCRIPT TWO}, beside it) against the ten without it. Both "
            "sides are integrals over all places and the next two lengthscales. $k_T$ and $l_T$ "
            "are those above, \N{GREEK SMALL LETTER BETA} is BOLT's."
        )


def _moved() -> None:
    st.session_state["out"] = [i + 1 for i in chosen(drag.moved())]
