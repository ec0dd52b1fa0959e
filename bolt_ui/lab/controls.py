"""Controls of the n* lab: kernel, presets and five sliders, all of them in the URL.

A link may hold any value, and a slider checks its limits in the browser only. Values are therefore
moved to the nearest step before a widget gets them, and checked again when they are used.
"""

import streamlit as st

from bolt_core.figures.lab.setting import DIALS, TERMS, Setting, parse_number, setting
from bolt_core.theory.kernels import LABELS
from bolt_ui.lab import presets
from bolt_ui.widgets import choice

DEFAULT_KERNEL = LABELS["matern32"]
HELP = {
    "lt": "Time, in seconds, over which the objective changes: $k_T$ decreases on this scale.",
    "r0": "Response time without any data, including the query itself.",
    "lin": "Response time added per observation kept.",
    "quad": "Response time that grows with the square of n: predictions, triangular solves.",
    "cub": "Response time that grows with the cube of n: the Cholesky factor of the GP.",
}


def follow_link() -> None:
    """Set the widgets from the link: numbers to the nearest step, kernel names to their labels."""
    for name, dial in DIALS.items():
        if name not in st.session_state and name in st.query_params:
            st.session_state[name] = dial.nearest(parse_number(st.query_params[name], dial.default))
    if "k" not in st.session_state and st.query_params.get("k") in LABELS:
        st.session_state["k"] = LABELS[st.query_params["k"]]


def kernel() -> None:
    """Show the choice of the temporal kernel."""
    label, meaning = "Temporal kernel $k_T$", "How fast an observation loses relevance with age."
    choice(label, list(LABELS.values()), "k", default=DEFAULT_KERNEL, wrap=True, help=meaning)


def preset_pills() -> None:
    """Show the response-time presets; the one that the sliders match is selected."""
    offered = presets.presets()
    terms = {name: st.session_state.get(name, DIALS[name].default) for name in TERMS}
    st.session_state["preset"] = presets.matching(offered, terms)
    st.pills(
        "Response-time preset",
        list(offered),
        format_func=lambda name: offered[name].label,
        key="preset",
        on_change=_apply_preset,
        wrap=True,
        help="Each preset sets the four terms of R(n).",
    )


def preset_note() -> None:
    """Say where the numbers of the selected preset come from."""
    chosen = st.session_state.get("preset")
    if chosen is not None:
        st.caption(presets.presets()[chosen].origin)
    else:
        st.caption("These are your own settings. The address of this page contains them.")


def sliders() -> None:
    """Show one slider per number of the setting."""
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
    """Return the setting of all controls, checked."""
    names = {label: name for name, label in LABELS.items()}
    state = st.session_state
    values = [state.get(name, dial.default) for name, dial in DIALS.items()]
    return setting(names.get(state.get("k", DEFAULT_KERNEL), ""), values)


def _apply_preset() -> None:
    chosen = presets.presets().get(st.session_state.get("preset") or "")
    if chosen is not None:
        st.session_state.update({**chosen.terms, **chosen.kernel_settings})
