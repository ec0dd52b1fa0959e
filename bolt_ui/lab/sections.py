"""Parts of the n* lab: the chart of n*, the sentence that explains it, and three further views."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bolt_core.figures.lab.bound_chart import NOISES, bound_curve, bound_summary
from bolt_core.figures.lab.figure1 import figure1_kernels, figure1_responses
from bolt_core.figures.lab.removal_chart import (
    TIMES,
    LeftOut,
    checked_rows,
    posterior_now,
    removal_summary,
)
from bolt_core.figures.lab.setting import Setting
from bolt_core.figures.lab.size_chart import headline, size_lab, size_summary
from bolt_ui import layout, link_values
from bolt_ui.chart_component import still
from bolt_ui.lab import drag
from bolt_ui.markdown import with_math
from bolt_ui.widgets import choice

TALL, MIDDLE, SHORT = 440, 300, 220  # chart heights, pixels
NOISE_HELP = "In the paper's synthetic benchmarks from 2.5e-8 (Powell) to 0.62 (Shekel)."
FIGURE, BOUND, REMOVAL = "Figure 1 of the paper", "The regret bound", "One observation fewer"


def question() -> None:
    """Show the question that the lab answers."""
    st.caption(
        "How many observations should a time-varying optimizer keep? Each observation adds "
        "information, but it also increases the response time, and with it the age of all others. "
        "n\\* is the size at which the two balance."
    )


def show(figure: Mapping[str, Any], key: str, height: int) -> None:
    """Show a chart of the lab, and its caption below it with typeset symbols."""
    meta = {**figure["layout"]["meta"], "caption": ""}
    still({**figure, "layout": {**figure["layout"], "meta": meta}}, key=key, height=height)
    st.caption(with_math(figure["layout"]["meta"]["caption"]))


def verdict(setting: Setting) -> None:
    """Show n* and the reason for it."""
    with st.container(horizontal=True, vertical_alignment="center", key="verdict"):
        st.header(with_math(headline(setting)), anchor=False, width="content")
        with st.container(width=layout.TEXT_WIDTH):
            st.markdown(with_math(size_summary(setting)))


def size(setting: Setting) -> None:
    """Show R(n) and the curve that n* maximises."""
    show(size_lab(setting), "lab_size", TALL)


def look_further() -> str:
    """Show the choice of a further view, which is in the URL, and return it."""
    views = [FIGURE, BOUND, REMOVAL]
    link_values.refuse_unknown("more", views)
    return choice("Look further", views, "more", wrap=True)


def further(view: str, setting: Setting) -> None:
    """Show a view that depends on the setting; Figure 1 does not, and is drawn only once."""
    if view == BOUND:
        _bound(setting)
    elif view == REMOVAL:
        _removal(setting)


def figure1() -> None:
    """Show both panels of Figure 1 of the paper."""
    st.caption(
        "Computed by this package. The paper prints no constants; those named below are ours. The "
        "sliders have no effect here. Dots: n\\*."
    )
    left, right = st.columns(2, gap="small")
    with layout.titled("**Left: the kernel** $k_T$", left):
        show(figure1_kernels(), "lab_kernels", MIDDLE)
    with layout.titled("**Right: the response time** R(n)", right):
        show(figure1_responses(), "lab_responses", MIDDLE)


def _bound(setting: Setting) -> None:
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="bottom", key="bound_head"):
            st.markdown("**Theorem 3.6 as n varies**", width="content")
            label, levels = "Noise variance / signal variance", {f"{v:g}": v for v in NOISES}
            link_values.refuse_unknown("bound_noise", levels)
            noise = choice(label, list(levels), "bound_noise", help=NOISE_HELP)
        level = levels.get(noise, NOISES[0])
        st.markdown(with_math(bound_summary(setting, level)))
        show(bound_curve(setting, level), "lab_bound", MIDDLE)


def _removal(setting: Setting) -> None:
    with st.container(border=True):
        st.markdown("**Theorem 3.8: leave observations out**")
        out = st.pills(
            "Left out",
            list(range(1, len(TIMES) + 1)),
            selection_mode="multi",
            key="out",
            bind="query-params",
            help="Or drag an observation out of the plot below, and back in.",
        )
        left = LeftOut(setting, checked_rows([number - 1 for number in out]))
        st.markdown(with_math(removal_summary(left)))
        show(posterior_now(left), "lab_posterior", SHORT)
        drag.dataset(left, on_move=_store_moved)
        st.caption(
            "Ten made-up observations of a moving function. A larger disc has a larger relevance "
            "score W\N{SUBSCRIPT TWO} (the number next to it): how much the surrogate would change "
            "without it. Both sides of the inequality are integrals over all x and the next two "
            "lengthscales. $k_T$ and $l_T$ are those set above; \N{GREEK SMALL LETTER BETA} is "
            "that of BOLT."
        )


def _store_moved() -> None:
    st.session_state["out"] = [row + 1 for row in checked_rows(drag.moved_rows())]
