"""The toolbar of the Arena: widgets for the settings of a race, bound to the URL."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from bolt_core import algorithms, benchmarks
from bolt_core.benchmarks.spec import KERNELS
from bolt_core.common.devices import NAMES
from bolt_core.common.errors import BoltError
from bolt_core.common.options import options_of
from bolt_core.common.text import LONG_RACE, in_natural_unit
from bolt_core.common.types import ACQUISITIONS, ENGINES, WARMUP
from bolt_ui import markdown, race_settings, session, widgets
from bolt_ui.race_settings import RaceSettings

PRESETS = {  # label: icon, benchmark, what to look for
    "Erratic (Eggholder)": (
        ":material/ssid_chart:",
        "eggholder",
        "The optimum jumps 23 times in 600 s (sampled every 5 s).",
    ),
    "Smooth (Powell)": (
        ":material/show_chart:",
        "powell",
        "The objective drifts slowly (l_T = 552 s), so old data stays useful.",
    ),
    "Almost static (Temperature)": (
        ":material/thermostat:",
        "temperature",
        "The objective changes little between two queries (l_T = 396 s).",
    ),
}
REGRET_VIEWS = {  # URL parameter: label, choices
    "x": ("x axis", ("seconds", "iterations")),
    "stat": ("Regret", ("average", "instant", "cumulative")),
    "scale": ("Scale", ("linear", "log")),
}
PILL_KINDS = ("paper", "control")  # kinds of algorithm with a pill in the toolbar
RENAMED_LABELS = {  # labels in older links, and what they are called now
    "variants": (("ABO, looks now",), "ABO, no waiting"),
    "campaign": (("Stored with BOLT", "Built-in results (paper-quick)"), "Built-in results"),
}
HELP = {  # by URL parameter
    "seeds": "Number of runs per algorithm, each with its own seed.",
    "cut": "When a race ends, in simulated seconds. A shorter horizon cuts the run; the objective "
    "moves as it does over the whole one. The twin of a log always runs over its whole horizon.",
    "seed": "All algorithms get the same random numbers.",
    "warmup": "Random queries before the algorithm chooses its first.",
    "clock": "How the time of a run is measured. **cpu**: computing time on this machine, times "
    "the slowdown. **model**: a declared R(n); a run can then be repeated exactly on the same "
    "machine.",
    "slowdown": "cpu clock only: how many times slower than this machine, for lanes of both "
    f"engines. {race_settings.DEFAULT_SLOWDOWN:g} makes passes of the exact engine about as long "
    "as those of BoTorch with default settings at a slowdown of 1.",
    "device": "model clock only. **nominal**: round figures. **paper**: BoTorch with default "
    "settings, measured on one core.",
    "engine": "**exact**: BOLT's own GP. **botorch**: BoTorch, some 40 times as slow per "
    "pass. On the cpu clock the slowdown multiplies both.",
    "acq": "What each query maximises.",
    "ls": "In space. **one**: for all inputs, as in the paper. **per input**: one for each.",
    "ks": "**paper**: the benchmark's own.",
    "kt": "It also determines n*.",
    "noise": "Noise variance: the paper's, or 1 % of the signal variance.",
}


def _show(widget: Callable[..., object], *values: object, key: str, **rest: object) -> None:
    """Show a widget with its help text, bound to the URL."""
    widget(*values, key=key, help=HELP.get(key), bind="query-params", **rest)


_pick = partial(_show, st.selectbox, width=130)
_count = partial(_show, st.number_input, width=110)


def translate_keys() -> None:
    """Replace keys in the URL by labels and restart the script.

    Links may name benchmarks and algorithms by key, but Streamlit binds a widget to the text it
    shows. The URL is rewritten before a widget reads it.
    """
    labels = {key: spec.label for key, spec in benchmarks.catalog().items()}
    named = st.query_params.get("bench", "")
    benchmark = labels.get(named, named)
    linked = {name: st.query_params.get_all(name) for name in ("algos", "variants")}
    placed = _placed(linked)
    old = [
        name
        for name, (labels_before, _) in RENAMED_LABELS.items()
        if any(_linked(name, label) for label in labels_before)
    ]
    if benchmark == named and placed == linked and not old:
        return
    if benchmark != named:
        st.query_params["bench"] = benchmark
    for name, shown in placed.items():
        if shown != linked[name]:
            st.query_params[name] = shown or ""
    for name in old:
        labels_before, new = RENAMED_LABELS[name]
        values = st.query_params.get_all(name)
        st.query_params[name] = [new if value in labels_before else value for value in values]
    st.rerun()


def _placed(linked: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the linked algorithms by their labels, each at the widget that has its pill.

    Nothing changes if no algorithm is named by its key, or at the other widget.
    """
    catalog = algorithms.catalog()
    labels = {spec.label for spec in catalog.values()}
    labels.update(*(labels_before for labels_before, _ in RENAMED_LABELS.values()))
    named = {
        name: [part for text in texts for part in ([text] if text in labels else text.split(","))]
        for name, texts in linked.items()
    }
    places = {
        name: "algos" if spec.kind in PILL_KINDS else "variants"
        for key, spec in catalog.items()
        for name in (key, spec.label)
    }
    shown = {key: spec.label for key, spec in catalog.items()}
    return {
        place: [
            shown.get(part, part)
            for name, parts in named.items()
            for part in parts
            if places.get(part, name) == place
        ]
        for place in linked
    }


def _linked(name: str, label: str) -> bool:
    return label in st.query_params.get_all(name)


def settings_row() -> None:
    """Show benchmark, seeds, horizon and the Customise popover."""
    labels = {key: spec.label for key, spec in benchmarks.catalog().items()}
    keys, label_of = list(labels), labels.__getitem__
    first = keys.index(race_settings.DEFAULT_BENCHMARK)
    _pick("Benchmark", keys, index=first, format_func=label_of, key="bench", width=190)
    _count("Seeds", 1, race_settings.MAX_SEEDS, 1, key="seeds")
    _horizon(st.session_state.get("bench") or "")
    with st.popover("Customise", icon=":material/tune:"):
        _customise()


def _horizon(benchmark: str) -> None:
    """Show the choice of a horizon, or the one horizon of a benchmark that is not cut."""
    if race_settings.runs_whole(benchmark):
        own = benchmarks.get(benchmark).row.horizon
        label, shown = "Horizon (s)", f"{own:g}"
        if own >= LONG_RACE:
            label, shown = "Horizon", in_natural_unit(own)
        st.selectbox(label, [shown], disabled=True, help=HELP["cut"], width=110)
        return
    horizons = list(race_settings.HORIZON_SECONDS)
    usual = horizons.index(race_settings.DEFAULT_HORIZON)
    _pick("Horizon (s)", horizons, index=usual, key="cut", width=110)


def _customise() -> None:
    _pills("Variants and baselines", "variants", main=False)
    with st.container(horizontal=True):
        _count("First seed", 0, race_settings.MAX_SEED, 0, key="seed")
        _count("Warm-up", 1, race_settings.MAX_WARMUP, WARMUP, key="warmup")
    with st.container(horizontal=True):
        clocks = race_settings.CLOCKS
        _pick("Clock", clocks, index=clocks.index(race_settings.DEFAULT_CLOCK), key="clock")
        usual = race_settings.DEFAULT_SLOWDOWN
        _count("Slowdown", *race_settings.SPEED_RANGE, usual, key="slowdown", width=130)
        _pick("Device", NAMES, key="device")
    with st.expander("Advanced", icon=":material/science:"):
        with st.container(horizontal=True):
            _pick("Engine", ENGINES, key="engine")
            _pick("Acquisition", ACQUISITIONS, key="acq")
            _pick("Lengthscales", race_settings.LENGTHSCALES, key="ls")
        with st.container(horizontal=True):
            _pick("Kernel in space", KERNELS, key="ks")
            _pick("Kernel in time", KERNELS, key="kt")
            _pick("Noise", race_settings.NOISES, key="noise")
        _lanes()


def _lanes() -> None:
    """Show the field for further lanes, and a form that adds one to it."""
    st.text_input(
        "More lanes",
        key="lanes",
        bind="query-params",
        placeholder="bolt;engine=botorch | bolt;speed=4 | w-dbo;alpha=0.5",
        help="In addition to the algorithms chosen above, separated by |: an algorithm's key, then "
        "engine=, speed= (times slower), ard=true (a lengthscale per input) and parameters.",
    )
    catalog = algorithms.catalog()
    with st.form("add_lane", border=False):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            key = st.selectbox("Algorithm", list(catalog), format_func=lambda k: catalog[k].label)
            engine = st.selectbox("On engine", ENGINES)
            speed = st.number_input("Times slower", *race_settings.SPEED_RANGE, 1.0)
        params = st.text_input(
            "Parameters", placeholder="name=value; name=value", help=_parameter_list(catalog)
        )
        if st.form_submit_button("Add a lane", icon=":material/add:"):
            _add_lane(f"{key};engine={engine};speed={speed:g};{params}")


def _add_lane(text: str) -> None:
    try:
        lane = race_settings.Lane.parse(text)
    except BoltError as problem:
        st.error(markdown.escape(str(problem)), icon=":material/error:")
        return
    before = st.session_state.get("lanes") or ""
    st.session_state["lanes_added"] = " | ".join(filter(None, [before, str(lane)]))
    st.rerun()


def fill_lanes_field() -> None:
    """Put a lane that the form added into the field; call it before the field is drawn."""
    if added := st.session_state.pop("lanes_added", None):
        st.session_state["lanes"] = added


def algorithm_pills() -> None:
    """Show the paper's algorithms and the control; variants are in Customise."""
    default = race_settings.default_algorithms()
    _pills("Algorithms", "algos", main=True, default=default, label_visibility="collapsed")


def _pills(label: str, key: str, *, main: bool, **rest: Any) -> None:  # noqa: ANN401 - of st.pills
    catalog = algorithms.catalog()
    st.pills(
        label,
        [name for name, spec in catalog.items() if (spec.kind in PILL_KINDS) == main],
        selection_mode="multi",
        format_func=lambda name: catalog[name].label,
        key=key,
        bind="query-params",
        wrap=True,
        **rest,
    )


def presets() -> None:
    """Show three buttons, each of which starts a race on a typical problem."""
    with st.container(horizontal=True, key="presets"):
        for label, (icon, benchmark, hint) in PRESETS.items():
            start_it = partial(_start_preset, benchmark)
            st.button(label, icon=icon, help=hint, on_click=start_it, key=label)


def _start_preset(benchmark: str) -> None:
    st.session_state["bench"] = benchmark
    start()


def regret_view() -> dict[str, str]:
    """Show the switches of the regret chart and return its view.

    Per iteration a slow algorithm looks good; per second it does not.
    """
    return {
        key: widgets.choice(label, choices, key, label_visibility="collapsed")
        for key, (label, choices) in REGRET_VIEWS.items()
    }


def settings() -> tuple[RaceSettings, list[str]]:
    """Return the toolbar's settings, and a message for each lane that had to be left out."""
    state = {str(key): value for key, value in st.session_state.items()}
    return race_settings.read_settings(state)


def start() -> None:
    """Start a live race with the toolbar's settings."""
    session.start(settings()[0].configs())


def _parameter_list(catalog: Mapping[str, Any]) -> str:
    """Return the parameters of every algorithm with their defaults, as a Markdown list."""
    lines = []
    for spec in catalog.values():
        params = [
            f"`{o.name}` ({f'{o.default} {o.unit}'.strip()})" for o in options_of(spec.params)
        ]
        if params:
            lines.append(f"- **{spec.label}**: {', '.join(params)}")
    return "\n".join(lines)
