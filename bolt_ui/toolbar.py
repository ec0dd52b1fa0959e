"""The toolbar of the Arena: what to race, made from the registries, kept in the URL."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import streamlit as st

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import KERNELS
from bolt_core.common.devices import NAMES
from bolt_core.common.errors import BoltError
from bolt_core.common.options import options_of
from bolt_core.common.types import ACQUISITIONS, ENGINES, WARMUP
from bolt_ui import session
from bolt_ui.race_settings import (
    CLOCKS,
    CUTS,
    FIRST,
    LARGEST_SEED,
    LONGEST_WARMUP,
    NOISES,
    SEEDS,
    SLOWDOWN,
    SPEEDS,
    Choice,
    Lane,
    checked,
    favourites,
)

PRESETS: dict[str, tuple[str, str, dict[str, Any]]] = {  # label: icon, what to look for, choices
    "Erratic (Eggholder)": (
        ":material/ssid_chart:",
        "The optimum leaps every few seconds: whoever answers late is lost.",
        {"bench": "eggholder"},
    ),
    "Smooth (Powell)": (
        ":material/show_chart:",
        "It drifts slowly, so old data stay useful and n* is large.",
        {"bench": "powell"},
    ),
    "Almost static (Temperature)": (
        ":material/thermostat:",
        "Hardly anything moves: forgetting costs more than waiting.",
        {"bench": "temperature"},
    ),
}
MAIN = ("paper", "control")  # kinds of algorithm with a pill of their own


def translate_keys() -> None:
    """Links may name benchmarks and algorithms by key; Streamlit binds what it shows, the label.

    The URL is rewritten before a widget has seen it, and the page begins again.
    """
    known = algorithms.catalog()
    boards = _keys("bench", benchmarks.catalog())
    told = {name: _keys(name, known) for name in ("algos", "variants")}
    if not boards and not any(told.values()):
        return
    if boards:
        st.query_params["bench"] = benchmarks.get(boards[0]).label
    for name in told:  # an algorithm goes where its pill is; what the link leaves alone stays
        here = [k for k in chain(*told.values()) if (known[k].kind in MAIN) == (name == "algos")]
        if here or told[name]:
            st.query_params[name] = [known[key].label for key in here] or ""
    st.rerun()


def _keys(name: str, known: Mapping[str, Any]) -> list[str]:
    given = [key for part in st.query_params.get_all(name) for key in part.split(",")]
    return [key for key in given if key in known and known[key].label != key]


def toolbar() -> None:
    """One row of pickers, each bound to the URL."""
    boards = benchmarks.catalog()
    st.selectbox(
        "Benchmark",
        list(boards),
        index=list(boards).index(FIRST),
        format_func=lambda key: boards[key].label,
        key="bench",
        bind="query-params",
        width=190,
    )
    _number("Seeds", "seeds", (1, SEEDS), 1, "How often each lane runs, from the first seed on.")
    st.selectbox("Horizon (s)", list(CUTS), key="cut", bind="query-params", width=110)
    with st.popover("Customise", icon=":material/tune:"):
        _customise()


def _customise() -> None:
    _pills("Variants and the baseline", "variants", main=False)
    with st.container(horizontal=True):
        _number("First seed", "seed", (0, LARGEST_SEED), 0, "Same seed, same luck for every lane.")
        _number(
            "Warm-up", "warmup", (1, LONGEST_WARMUP), WARMUP, "Random queries before the first ask."
        )
    with st.container(horizontal=True):
        _pick(
            "Clock",
            "clock",
            CLOCKS,
            "A run lives by its own clock. **cpu**: the time this machine computes, times the "
            "slowdown. **model**: a declared cost per observation, the same on every machine.",
        )
        st.number_input(
            "Slowdown",
            *SPEEDS,
            SLOWDOWN,
            key="slowdown",
            bind="query-params",
            width=130,
            help=f"cpu clock: how many times slower than this machine. {SLOWDOWN:g} is about the "
            "speed of stock BoTorch.",
        )
        _pick("Device", "device", NAMES, "model clock: **paper** is stock BoTorch, measured.")
    with st.expander("Advanced", icon=":material/science:"):
        with st.container(horizontal=True):
            _pick("Engine", "engine", ENGINES, "**exact**: ours. **botorch**: the reference.")
            _pick("Acquisition", "acq", ACQUISITIONS, "What a query maximises.")
        with st.container(horizontal=True):
            _pick("Kernel in space", "ks", KERNELS, "**paper**: the benchmark's own.")
            _pick("Kernel in time", "kt", KERNELS, "It decides n* too.")
            _pick("Noise", "noise", NOISES, "Table 3's variance, or 1 % of Var f.")
        _lanes()


def _lanes() -> None:
    """Lanes of one's own: the same algorithm on another engine, device or with other parameters."""
    st.text_input(
        "More lanes",
        key="lanes",
        bind="query-params",
        placeholder="bolt;engine=botorch | bolt;speed=4 | w-dbo;alpha=0.5",
        help="Beside the algorithms chosen above, with | between them: an algorithm's key, then "
        "engine=, speed= (times slower) and its own parameters.",
    )
    known = algorithms.catalog()
    with st.form("add_lane", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            key = st.selectbox("Algorithm", list(known), format_func=lambda k: known[k].label)
            engine = st.selectbox("On engine", ENGINES)
            speed = st.number_input("Times slower", *SPEEDS, 1.0)
        told = st.text_input(
            "Parameters", placeholder="name=value; name=value", help=_parameters(known)
        )
        if st.form_submit_button("Add a lane", icon=":material/add:"):
            _add(f"{key};engine={engine};speed={speed:g};{told}")


def _add(text: str) -> None:
    try:
        lane = Lane.parse(text)
    except BoltError as problem:
        st.error(str(problem), icon=":material/error:")
        return
    before = st.session_state.get("lanes") or ""
    st.session_state["lanes_added"] = " | ".join(filter(None, [before, str(lane)]))
    st.rerun()


def take_added() -> None:
    """What the form added goes into the field before the field is drawn."""
    if added := st.session_state.pop("lanes_added", None):
        st.session_state["lanes"] = added


def algorithm_pills() -> None:
    """The paper's algorithms and the control; variants are in Customise."""
    _pills("Algorithms", "algos", main=True, default=favourites(), label_visibility="collapsed")


def _pills(label: str, key: str, *, main: bool, **rest: Any) -> None:  # noqa: ANN401 - of st.pills
    known = algorithms.catalog()
    st.pills(
        label,
        [name for name, spec in known.items() if (spec.kind in MAIN) == main],
        selection_mode="multi",
        format_func=lambda name: known[name].label,
        key=key,
        bind="query-params",
        wrap=True,
        **rest,
    )


def presets() -> None:
    """Three problems to begin with, and what to look for in each."""
    with st.container(horizontal=True, key="presets"):
        for label, (icon, words, told) in PRESETS.items():
            st.button(label, icon=icon, help=words, on_click=_preset, args=(told,), key=label)


def _preset(told: Mapping[str, Any]) -> None:
    st.session_state.update(told)
    start()


def regret_switches() -> dict[str, str]:
    """How to look at regret. Per query a slow algorithm looks good, per second it does not."""
    told = {
        "x": ("x axis", ("seconds", "iterations")),
        "stat": ("Regret", ("average", "instant", "cumulative")),
        "scale": ("Scale", ("linear", "log")),
    }
    return {
        key: st.segmented_control(
            label,
            choices,
            default=choices[0],
            required=True,
            key=key,
            bind="query-params",
            label_visibility="collapsed",
        )
        for key, (label, choices) in told.items()
    }


def chosen() -> Choice:
    """The toolbar's values; what cannot be is replaced by what can."""
    return checked(_state())[0]


def troubles() -> list[str]:
    """What of the toolbar had to be left out."""
    return checked(_state())[1]


def _state() -> dict[str, Any]:
    return {str(key): value for key, value in st.session_state.items()}


def start() -> None:
    session.start(chosen().configs())


def _pick(label: str, key: str, choices: tuple[str, ...], help: str) -> None:  # noqa: A002
    st.selectbox(label, choices, key=key, bind="query-params", width=130, help=help)


def _number(label: str, key: str, within: tuple[int, int], usual: int, help: str) -> None:  # noqa: A002
    st.number_input(label, *within, usual, key=key, bind="query-params", width=110, help=help)


def _parameters(known: Mapping[str, Any]) -> str:
    """Every algorithm's parameters, from their own metadata."""
    lines = []
    for spec in known.values():
        told = [f"`{o.name}` ({_usual(o)})" for o in options_of(spec.params)]
        if told:
            lines.append(f"- **{spec.label}**: {', '.join(told)}")
    return "\n".join(lines)


def _usual(option: Any) -> str:  # noqa: ANN401 - an Option
    unit = f" {option.unit}" if option.unit else ""
    return f"{option.default}{unit}"
