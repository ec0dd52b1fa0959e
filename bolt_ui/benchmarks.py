"""Parts of the Benchmarks page: one card per benchmark, and the details of one benchmark."""

import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from bolt_core import algorithms, benchmarks
from bolt_core.analysis import response_fit
from bolt_core.analysis.paper_table import paper_table2
from bolt_core.benchmarks.spec import (
    NEAR_CONSTANT_FACTOR,
    QUASI_STATIC_FACTOR,
    REASONABLE_SIZE,
    BenchmarkSpec,
    TableRow,
    near_constant,
    quasi_static,
)
from bolt_core.benchmarks.twin import is_twin
from bolt_core.common import devices
from bolt_core.common.devices import thinking_time
from bolt_core.common.text import counted, exact_time, in_natural_unit, seconds, shortened
from bolt_core.common.time_limit import call_within
from bolt_core.figures.benchmarks import benchmark_charts, thumbnail
from bolt_core.theory.kernels import LABELS
from bolt_ui import layout, link_values, links, session
from bolt_ui.chart_component import still
from bolt_ui.markdown import escape, with_math
from bolt_ui.widgets import choice, page_link

CARD_WIDTH, CHART_HEIGHT = 270, 360  # pixels
PLUGIN_LIMIT_SECONDS = 10.0  # for the picture of a plug-in's benchmark
DEVICES = link_values.BOARD_DEVICES
FORMER_DEVICE_LABEL = link_values.FORMER_TEXTS["board_device"][0]  # of the paper device
SOURCES = {"closed form": "closed-form function"}  # names in records: names on screen
DEVICE_HELP = (
    "Whether a problem is easy depends on the device. **nominal device**: round figures, the "
    "default of the model clock. **paper device**: BoTorch with default settings, measured on one "
    "core and stored with this app. **this race**: R(n) as measured in the race you watch."
)
MEANING = with_math(
    f"**Quasi-static**: l_T is at least {QUASI_STATIC_FACTOR:g} times R({REASONABLE_SIZE}), so the "
    "objective hardly changes between two queries; the paper expects that algorithms with resets "
    "may still perform well. "
    f"**Near-constant R**: R(\N{LEFT FLOOR}H / R(0)\N{RIGHT FLOOR}) is at most "
    f"{NEAR_CONSTANT_FACTOR:g} R(0), so computation is cheap even with all data that the "
    "horizon allows; the paper expects all algorithms to perform well. The paper writes "
    "\N{MUCH GREATER-THAN} and \N{TILDE OPERATOR} without numbers; these thresholds "
    "are ours, and they agree with its Table 3 on the nominal device."
)


def _drawn() -> dict[str, tuple[str, str] | str]:
    """Return a picture (SVG) and a description of each benchmark, or why a plug-in has none."""
    return {key: _draw(key) for key in benchmarks.catalog()}


@st.cache_data(show_spinner=False)
def _draw(key: str) -> tuple[str, str] | str:
    def draw() -> tuple[str, str]:
        benchmark = benchmarks.load(key)
        return thumbnail.thumbnail(benchmark), thumbnail.describe(benchmark)

    if key in benchmarks.built_in():
        return draw()
    try:
        return call_within(PLUGIN_LIMIT_SECONDS, draw)
    except BaseException as problem:  # noqa: BLE001 - the code of a plug-in
        return shortened(f"{type(problem).__name__}: {problem}", 300)


def pictures() -> dict[str, tuple[str, str]]:
    """Return a picture (SVG) and a description of each benchmark; made once per server."""
    return {key: drawn for key, drawn in _drawn().items() if not isinstance(drawn, str)}


def broken() -> dict[str, str]:
    """Return the benchmarks of plug-ins that cannot be drawn, each with its error."""
    return {key: drawn for key, drawn in _drawn().items() if isinstance(drawn, str)}


@st.cache_resource(show_spinner=False, max_entries=32)
def overview(key: str) -> benchmark_charts.Overview:
    """Return what all charts of a benchmark share; a plug-in has a time limit to compute it."""

    def compute() -> benchmark_charts.Overview:
        return benchmark_charts.overview(benchmarks.load(key))

    return compute() if key in benchmarks.built_in() else call_within(PLUGIN_LIMIT_SECONDS, compute)


def linked_benchmark() -> str | None:
    """Return the benchmark key that the link asks for; it need not exist."""
    # A link from a page to itself leaves the address bar unchanged; the update writes it again.
    st.query_params.update({})
    key: str | None = st.query_params.get("board")
    return key


def device_picker() -> tuple[float, ...]:
    """Show the choice of a device, which is in the URL, and return its coefficients of R(n)."""
    measured = _measured_device()
    if st.query_params.get("board_device") == FORMER_DEVICE_LABEL:
        st.session_state.setdefault("board_device", "paper")
    offered = [name for name in DEVICES if name != "race" or measured is not None]
    link_values.refuse_unknown("board_device", {name: DEVICES[name] for name in offered})
    format_func = DEVICES.__getitem__
    chosen = choice("Device", offered, "board_device", format_func=format_func, help=DEVICE_HELP)
    if chosen not in offered:  # a link without a value
        chosen = offered[0]
    return measured if chosen == "race" and measured is not None else devices.device(chosen)


def cards(device: tuple[float, ...]) -> None:
    """Show one card per benchmark: the ten of the paper, those of this package, twins of logs."""
    shown = [benchmarks.get(key) for key in pictures()]
    groups = {
        "In the paper": [spec for spec in shown if spec.in_paper],
        "Ours": [spec for spec in shown if not (spec.in_paper or is_twin(spec.key))],
        "Twins of logs": [spec for spec in shown if is_twin(spec.key)],
    }
    for number, (title, specs) in enumerate(groups.items()):
        if not specs:
            continue
        st.markdown(f"**{title}**")
        with st.grid("auto", min_column_width=CARD_WIDTH, key=f"cards_{number}"):
            for spec in specs:
                with st.container(border=True, height="stretch", gap="xsmall"):
                    _card(spec, device)


def plugin_problems() -> None:
    """Show one card per plug-in that cannot be used, with its error."""
    for key, error in broken().items():
        _plugin_error(key, error)
    for problem in (*benchmarks.problems(), *algorithms.problems()):
        st.error(escape(str(problem)), icon=":material/extension_off:")


def _card(spec: BenchmarkSpec, device: tuple[float, ...]) -> None:
    picture, description = pictures()[spec.key]
    st.image(picture, width="stretch", alt=description)
    rest = {"icon_position": "right", "query_params": {"board": spec.key}}
    page_link(links.BENCHMARKS, f"**{spec.label}**", "arrow_forward", **rest)
    horizon, cost, l_T = (text.replace(" ", "\N{NO-BREAK SPACE}") for text in _times(spec))
    facts = (_dimensions(spec), f"H {horizon}", f"R(0) {cost}", with_math(f"l_T {l_T}"))
    st.caption(" \N{MIDDLE DOT} ".join(facts))
    verdicts = reversed(_verdicts(spec, device).items())
    st.caption("  \n".join(f"{where}: {verdict}" for where, verdict in verdicts), help=MEANING)


def _times(spec: BenchmarkSpec) -> tuple[str, str, str]:
    """Return horizon, cost of a query and l_T as text; of the twin of a log in their own units."""
    row, text = spec.row, in_natural_unit if is_twin(spec.key) else exact_time
    return text(row.horizon), text(row.cost), text(row.lengthscale_time)


def computed(row: TableRow, device: tuple[float, ...]) -> tuple[bool, bool]:
    """Return whether a benchmark is quasi-static, and whether R is near-constant, on a device."""
    return quasi_static(row, device), near_constant(row, device)


def details(key: str, device: tuple[float, ...]) -> None:
    """Show one benchmark: charts with a time slider, parameters, the paper's results, notes."""
    try:
        _details(key, device)
    except Exception as problem:
        if key in benchmarks.built_in():
            raise
        _plugin_error(key, shortened(f"{type(problem).__name__}: {problem}", 300))


def _plugin_error(key: str, error: str) -> None:
    """Show a card with the error of a plug-in's benchmark."""
    name = f"**{escape(benchmarks.get(key).label)}** (benchmark {escape(key)}, of a plug-in)"
    st.error(f"{name} cannot be drawn: {escape(error)}", icon=":material/extension_off:")


def _details(key: str, device: tuple[float, ...]) -> None:
    spec, board = benchmarks.get(key), overview(key).board
    st.markdown(thumbnail.motion(overview(key).path))
    st.fragment(_charts, key=f"moving_{key}")(key)
    parameters, results = st.columns(2, gap="small")
    with parameters.container(border=True, height="stretch"):
        _parameters(spec, device)
    with results.container(border=True, height="stretch"):
        _results(spec)
    with st.container(width=layout.TEXT_WIDTH):
        st.markdown("**Notes**\n" + "\n".join(f"- {note}" for note in spec.notes))
        st.caption(f"Source: {SOURCES.get(board.source, board.source)}.")


def title(key: str) -> None:
    """Show the name of a benchmark, with links to all benchmarks and to a race on this one."""
    page_link(links.BENCHMARKS, "All benchmarks", "arrow_back")
    st.title(benchmarks.get(key).label, anchor=False, width="content")
    page_link(links.ARENA, "Race on this benchmark", "stadium", query_params=links.race(key))


def unknown(key: str) -> None:
    """Say that a link names a benchmark that does not exist."""
    name = key.replace("`", "")[:60]
    st.markdown(f"There is no benchmark `{name}`. These are the benchmarks available:")


def _charts(key: str) -> None:
    """Show the landscape at one time, and the whole path of the optimum."""
    try:
        _moving_charts(key)
    except Exception as problem:
        if key in benchmarks.built_in():
            raise
        _plugin_error(key, shortened(f"{type(problem).__name__}: {problem}", 300))


def _moving_charts(key: str) -> None:
    shown = overview(key)
    horizon, step = shown.board.horizon, float(shown.path.t[1])
    t: float = st.slider(
        "Time t", 0.0, horizon, 0.3 * horizon, step, format="%g s", key=f"at_{key}"
    )
    left, right = st.columns(2, gap="small")
    with layout.titled(f"**Landscape** at {t:g} s", left):
        _show(benchmark_charts.landscape(shown, t), "landscape", key)
    with layout.titled("**Path of the optimum**", right):
        _show(benchmark_charts.optimum(shown, t), "optimum", key)


def _parameters(spec: BenchmarkSpec, device: tuple[float, ...]) -> None:
    st.markdown("**Parameters** (Table 3)" if spec.in_paper else "**Parameters**")
    row, board = spec.row, overview(spec.key).board
    max_queries = math.floor(row.horizon / row.cost)
    horizon, cost, l_T = _times(spec)
    kernels = [LABELS.get(k, k) for k in (spec.spatial_kernel, spec.temporal_kernel)]
    noise = f"{row.noise_variance:g}"
    if variance := board.landscape.variance:
        noise += f" ({100 * row.noise_variance / variance:.2g} % of the variance of f)"
    rows = {
        "Dimensions": _dimensions(spec),
        "Horizon H": horizon,
        "Cost of one query, R(0)": f"{cost}, so at most {max_queries:,} queries",
        f"R({REASONABLE_SIZE}) on the device": _response_time(row, device, REASONABLE_SIZE),
        f"R({max_queries:,}) on the device": _response_time(row, device, max_queries),
        with_math("Temporal lengthscale l_T"): f"about {l_T}",
        "Noise variance": noise,
        "Kernels assumed": f"{kernels[0]} in space, {kernels[1]} in time",
    } | _verdicts(spec, device)
    st.table({"what": list(rows), "value": list(rows.values())}, hide_index=True, hide_header=True)
    st.caption(MEANING)


def _results(spec: BenchmarkSpec) -> None:
    st.markdown("**Results in the paper** (Table 2)")
    row: Mapping[str, Any] | None = paper_table2()["benchmarks"].get(spec.key)
    if row is None:
        whose = "is the twin of a log" if is_twin(spec.key) else "is ours"
        st.caption(f"There are no results in the paper: this benchmark {whose}.")
    else:
        _show(benchmark_charts.published(row, spec.label), "published", spec.key)


def _show(figure: dict[str, Any], chart: str, board: str) -> None:
    still(figure, key=chart, view=f"{board} {chart}", height=CHART_HEIGHT)


def _dimensions(spec: BenchmarkSpec) -> str:
    return f"{counted(spec.dimension, 'input')} + time"


def _verdict(quasi: bool | None, near: bool | None) -> str:
    if not (quasi or near):
        return "neither quasi-static nor near-constant R"
    return ", ".join(["quasi-static"] * bool(quasi) + ["near-constant R"] * bool(near))


def _verdicts(spec: BenchmarkSpec, device: tuple[float, ...]) -> dict[str, str]:
    """Return in words what a benchmark is on the device and, if it is the paper's, in the paper."""
    row = spec.row
    paper = {"In the paper": _verdict(row.quasi_static, row.near_constant)} if spec.in_paper else {}
    return {"On this device": _verdict(*computed(row, device))} | paper


def _response_time(row: TableRow, device: tuple[float, ...], n: int) -> str:
    response = row.cost + thinking_time(device, n)
    return seconds(response) if response <= row.horizon else "longer than the horizon"


def _measured_device() -> tuple[float, ...] | None:
    """Return R(n) - R(0) as BOLT fitted it in the watched race; None without such a fit."""
    race = session.watched()
    for run in race.runs if race else ():
        fit = response_fit.newest_fit(run) if run.config.algorithm == "bolt" else None
        spec = benchmarks.catalog().get(run.config.benchmark)
        if fit is not None and spec is not None:
            constant, *rest = fit.response.coefficients
            return (max(constant - spec.row.cost, 0.0), *rest)
    return None
