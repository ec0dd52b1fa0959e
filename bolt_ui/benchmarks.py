"""Pieces of the Benchmarks page: a card for each, and one of them opened."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from bolt_core import benchmarks
from bolt_core.analysis import response_fit
from bolt_core.analysis.paper_table import paper_table2
from bolt_core.benchmarks.spec import (
    NEAR_CONSTANT,
    QUASI_STATIC,
    REASONABLE_SIZE,
    BenchmarkSpec,
    TableRow,
    near_constant,
    quasi_static,
)
from bolt_core.common import devices
from bolt_core.common.devices import thinking_time
from bolt_core.common.text import counted, significant
from bolt_core.figures.benchmarks import benchmark_charts, thumbnail
from bolt_ui import layout, links, session
from bolt_ui.chart_component import still
from bolt_ui.markdown import with_math

CARD, HEIGHT = 270, 360  # pixels
FIRST = "eggholder"  # the most erratic of the ten
DEVICES = {"nominal": "nominal device", "paper": "paper device", "race": "this race"}
SOURCES = {"closed form": "closed-form function"}  # names used in records, on screen
HELP = (
    "Whether a problem is easy depends on the device that solves it. **nominal device**: the model "
    "clock's round figures. **paper device**: BoTorch with default settings, measured on one "
    "core and stored with this app. "
    "**this race**: R(n) as the race you watch has measured it, if it has."
)
MEANING = with_math(
    f"**Quasi-static**: l_T is at least {QUASI_STATIC:g} times R({REASONABLE_SIZE}), so the "
    "objective hardly moves while one looks; resets do well. **Near-constant R**: "
    f"R(\N{LEFT FLOOR}H / R(0)\N{RIGHT FLOOR}) is at most {NEAR_CONSTANT:g} R(0), so thinking is "
    "cheap even with all the data the horizon allows; everybody does well. The paper writes "
    "\N{MUCH GREATER-THAN} and \N{TILDE OPERATOR} without numbers: these are ours, and agree with "
    "its Table 3 on the nominal device."
)


@st.cache_data(show_spinner=False)
def pictures() -> dict[str, tuple[str, str]]:
    """Every benchmark in one picture, and in words; made once a server."""
    boards = {key: benchmarks.load(key) for key in benchmarks.catalog()}
    return {key: (thumbnail.thumbnail(b), thumbnail.describe(b)) for key, b in boards.items()}


@st.cache_resource(show_spinner=False, max_entries=32)
def looked(key: str) -> benchmark_charts.Look:
    return benchmark_charts.look(benchmarks.load(key))


def opened() -> str | None:
    """The benchmark the link asks for, known or not."""
    st.query_params.update({})  # a link from a page to itself leaves the address bar: say it again
    asked: str | None = st.query_params.get("board")
    return asked


def device_picker() -> tuple[float, ...]:
    """Whose R(n) the verdicts are for; in the URL."""
    measured = _of_the_race()
    offered = [name for name in DEVICES if name != "race" or measured is not None]
    chosen = st.segmented_control(
        "Device",
        offered,
        default=offered[0],
        required=True,
        format_func=DEVICES.__getitem__,
        key="board_device",
        bind="query-params",
        help=HELP,
    )
    return measured if chosen == "race" and measured is not None else devices.device(chosen)


def cards(device: tuple[float, ...]) -> None:
    """The paper's ten, then ours."""
    for title, ours in (("In the paper", False), ("Ours", True)):
        st.markdown(f"**{title}**")
        boards = [spec for spec in benchmarks.catalog().values() if spec.in_paper != ours]
        with st.grid("auto", min_column_width=CARD, key=f"cards_{ours}".lower()):
            for spec in boards:
                with st.container(border=True, height="stretch", gap="xsmall"):
                    _card(spec, device)


def _card(spec: BenchmarkSpec, device: tuple[float, ...]) -> None:
    picture, words = pictures()[spec.key]
    st.image(picture, width="stretch", alt=words)
    st.page_link(
        links.BENCHMARKS,
        label=f"**{spec.label}**",
        icon=":material/arrow_forward:",
        icon_position="right",
        query_params={"board": spec.key},
    )
    st.caption(" \N{MIDDLE DOT} ".join(_facts(spec)))
    with st.container(horizontal=True, gap="xsmall"):
        if spec.in_paper:
            paper = (spec.row.quasi_static, spec.row.near_constant)
            st.badge(f"paper: {verdict(*paper)}", color="gray", help=MEANING)
        st.badge(f"device: {verdict(*computed(spec.row, device))}", color="blue", help=MEANING)


def computed(row: TableRow, device: tuple[float, ...]) -> tuple[bool, bool]:
    return quasi_static(row, device), near_constant(row, device)


def verdict(quasi: bool | None, near: bool | None) -> str:
    words = ["quasi-static"] * bool(quasi) + ["near-constant R"] * bool(near)
    return ", ".join(words) or "neither quasi-static nor near-constant R"


def detail(key: str, device: tuple[float, ...]) -> None:
    """All about one benchmark; the charts move on their own with the slider."""
    spec = benchmarks.get(key)
    st.markdown(thumbnail.motion(looked(key).path))
    st.fragment(_moving, key=f"moving_{key}")(key)
    facts, results = st.columns(2, gap="small")
    with facts.container(border=True, height="stretch"):
        _table(spec, device)
    with results.container(border=True, height="stretch"):
        _results(spec)
    with st.container(width=layout.TEXT_WIDTH):
        st.markdown("**What to know**\n" + "\n".join(f"- {note}" for note in spec.notes))
        st.caption(f"Source: {SOURCES.get(looked(key).board.source, looked(key).board.source)}.")


def title(key: str) -> None:
    """The way back, the name, the way on."""
    st.page_link(links.BENCHMARKS, label="All benchmarks", icon=":material/arrow_back:")
    st.subheader(benchmarks.get(key).label, anchor=False, width="content")
    st.page_link(
        links.ARENA,
        label="Race on it",
        icon=":material/stadium:",
        query_params=links.race(key),
    )


def unknown(key: str) -> None:
    st.markdown(f"There is no benchmark `{key.replace('`', '')[:60]}` here. These are all:")


def _moving(key: str) -> None:
    """The landscape at one time, and the whole path of its optimum."""
    seen = looked(key)
    horizon, step = seen.board.horizon, float(seen.path.t[1])
    t: float = st.slider(
        "Time t", 0.0, horizon, 0.3 * horizon, step, format="%g s", key=f"at_{key}"
    )
    left, right = st.columns(2, gap="small")
    with left.container(border=True, height="stretch"):
        st.markdown(f"**Landscape** at {t:g} s")
        _show(benchmark_charts.landscape(seen, t), "landscape", key)
    with right.container(border=True, height="stretch"):
        st.markdown("**Path of the optimum**")
        _show(benchmark_charts.optimum(seen, t), "optimum", key)


def _table(spec: BenchmarkSpec, device: tuple[float, ...]) -> None:
    st.markdown("**The problem** (Table 3)" if spec.in_paper else "**The problem**")
    row, board = spec.row, looked(spec.key).board
    most = math.floor(row.horizon / row.cost)
    noise = f"{row.noise_variance:g}"
    if variance := board.landscape.variance:
        noise += f" ({100 * row.noise_variance / variance:.2g} % of the variance of f)"
    rows = {
        "Dimensions": _dimensions(spec),
        "Horizon H": f"{row.horizon:g} s",
        "Cost of one query, R(0)": f"{row.cost:g} s, so at most {most:,} queries",
        f"R({REASONABLE_SIZE}) on the device": _seconds(row, device, REASONABLE_SIZE),
        f"R({most:,}) on the device": _seconds(row, device, most),
        with_math("Temporal lengthscale l_T"): f"about {row.lengthscale_time:g} s",
        "Noise variance": noise,
        "Kernels assumed": f"{spec.spatial_kernel} in space, {spec.temporal_kernel} in time",
        "On this device": verdict(*computed(row, device)),
    }
    if spec.in_paper:
        rows["In the paper"] = verdict(row.quasi_static, row.near_constant)
    st.table({"what": list(rows), "value": list(rows.values())}, hide_index=True, hide_header=True)
    st.caption(MEANING)


def _results(spec: BenchmarkSpec) -> None:
    st.markdown("**In the paper** (Table 2)")
    row: Mapping[str, Any] | None = paper_table2()["benchmarks"].get(spec.key)
    if row is None:
        st.caption("The paper has no results here: this benchmark is ours.")
    else:
        _show(benchmark_charts.published(row, spec.label), "published", spec.key)


def _show(figure: dict[str, Any], chart: str, board: str) -> None:
    still(figure, key=chart, view=f"{board} {chart}", height=HEIGHT)


def _facts(spec: BenchmarkSpec) -> list[str]:
    row = spec.row
    return [
        _dimensions(spec),
        f"H {row.horizon:g} s",
        f"R(0) {row.cost:g} s",
        with_math(f"l_T {row.lengthscale_time:g} s"),
    ]


def _dimensions(spec: BenchmarkSpec) -> str:
    return f"{counted(spec.dimension, 'input')} + time"


def _seconds(row: TableRow, device: tuple[float, ...], n: int) -> str:
    taken = row.cost + thinking_time(device, n)
    return f"{significant(taken)} s" if taken <= row.horizon else "longer than the horizon"


def _of_the_race() -> tuple[float, ...] | None:
    """What thinking costs where the watched race runs, from the newest fit of its BOLT."""
    race = session.watched()
    for run in race.runs if race else ():
        found = response_fit.newest_fit(run) if run.config.algorithm == "bolt" else None
        board = benchmarks.catalog().get(run.config.benchmark)
        if found is not None and board is not None:
            first, *rest = found.response.coefficients
            return (max(first - board.row.cost, 0.0), *rest)
    return None
