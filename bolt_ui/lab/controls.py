"""What the lab turns: kernel, presets and five sliders, all in the URL.

A slider holds its limits in the browser only, and a link may say anything: values are brought to
the nearest step before the widgets see them, and checked again when they are used.
"""

from __future__ import annotations

import streamlit as st

from bolt_core.figures.lab.setting import DIALS, TERMS, Setting, parsed, setting
from bolt_core.theory.kernels import LABELS
from bolt_ui.lab import presets

FIRST = LABELS["matern32"]
HELP = {
    "lt": "How long, in seconds, until the objective has changed: $k_T$ falls off on this scale.",
    "r0": "How long one answer takes with no data at all, observing f included.",
    "lin": "What each observation kept adds to an answer.",
    "quad": "What grows with the square of n: predictions, triangular solves.",
    "cub": "What grows with the cube of n: the Cholesky factor of GP inference.",
}


def follow_link() -> None:
    """Values of a link that are on no step go to the nearest, names of kernels to their labels."""
    for name, dial in DIALS.items():
        if name not in st.session_state and name in st.query_params:
            st.session_state[name] = dial.nearest(parsed(st.query_params[name], dial.default))
    if "k" not in st.session_state and st.query_params.get("k") in LABELS:
        st.session_state["k"] = LABELS[st.query_params["k"]]


def kernel() -> None:
    st.segmented_control(
        "Temporal kernel $k_T$",
        list(LABELS.values()),
        default=FIRST,
        required=True,
        wrap=True,
        key="k",
        bind="query-params",
        help="How fast an observation loses relevance with age.",
    )


def preset_pills() -> None:
    found = presets.presets()
    terms = {name: st.session_state.get(name, DIALS[name].default) for name in TERMS}
    st.session_state["preset"] = presets.active(found, terms)
    st.pills(
        "Response-time preset",
        list(found),
        format_func=lambda name: found[name].label,
        key="preset",
        on_change=_apply,
        wrap=True,
        help="Each sets the four terms of R(n).",
    )


def preset_note() -> None:
    """Where the chosen preset's numbers come from."""
    chosen = st.session_state.get("preset")
    if chosen is not None:
        st.caption(presets.presets()[chosen].said)
    else:
        st.caption("A setting of your own. The address of this page carries it: share the link.")


def sliders() -> None:
    for name, dial in DIALS.items():
        st.select_slider(
            f"{dial.label} ({dial.unit})".replace("l_T", "$l_T$"),
            dial.steps,
            value=dial.default,
            format_func=lambda step: f"{step:g}",
            key=name,
            bind="query-params",
            help=HELP[name],
        )


def current() -> Setting:
    """The controls, checked."""
    names = {label: name for name, label in LABELS.items()}
    state = st.session_state
    values = [state.get(name, dial.default) for name, dial in DIALS.items()]
    return setting(names.get(state.get("k", FIRST), ""), values)


def _apply() -> None:
    chosen = presets.presets().get(st.session_state.get("preset") or "")
    if chosen is not None:
        for name, value in {**chosen.terms, **chosen.more}.items():
            if value != "":
                st.session_state[name] = value
