"""The toolbar of the Arena: what to race, made from the registries, kept in the URL.

Limits of a widget hold in the browser only, so what is chosen is checked again before it is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from bolt_core import algorithms, benchmarks
from bolt_core.types import ClockConfig, RunConfig, RunStatus
from ui import session

SLOWDOWN = 15.0  # about the speed of stock BoTorch
CLOCKS = {"cpu": ClockConfig("cpu", SLOWDOWN), "model": ClockConfig("model")}
CUTS = {"60": 60.0, "180": 180.0, "full": math.inf}  # seconds
FIRST = "eggholder"  # the most erratic of the ten
FAVOURITES = ("bolt", "w-dbo", "r-gpucb", "gpucb")
SEEDS = 10
OVERHEAD = 1.5e-3  # seconds a query costs beside the algorithm: objective, oracle, record


@dataclass(frozen=True, slots=True)
class Choice:
    """What the toolbar says, checked."""

    benchmark: str
    algorithms: tuple[str, ...]
    seeds: int
    cut: float  # seconds; infinite for the benchmark's own horizon
    clock: str

    @property
    def horizon(self) -> float:
        return min(self.cut, benchmarks.get(self.benchmark).row.horizon)

    def configs(self) -> list[RunConfig]:
        return [
            RunConfig(
                key, self.benchmark, seed=seed, horizon=self.horizon, clock=CLOCKS[self.clock]
            )
            for key in self.algorithms
            for seed in range(self.seeds)
        ]


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
    st.number_input("Seeds", 1, SEEDS, key="seeds", bind="query-params", width=110)
    st.selectbox("Horizon (s)", list(CUTS), key="cut", bind="query-params", width=110)
    st.selectbox(
        "Clock",
        list(CLOCKS),
        key="clock",
        bind="query-params",
        width=130,
        help="A run lives by its own clock. **cpu**: the time this machine computes, times "
        f"{SLOWDOWN:g}, about the speed of stock BoTorch. **model**: a declared cost per "
        "observation, the same on every machine.",
    )


def algorithm_pills() -> None:
    known = algorithms.catalog()
    st.pills(
        "Algorithms",
        list(known),
        selection_mode="multi",
        default=_favourites(),
        format_func=lambda key: known[key].label,
        key="algos",
        bind="query-params",
        label_visibility="collapsed",
        wrap=True,
    )


def run_button(status: RunStatus | None) -> None:
    """Run, or Stop while the watched race is under way."""
    if status is None or status.ended:
        empty = "algos" in st.session_state and not st.session_state["algos"]
        st.button(
            "Run",
            icon=":material/play_arrow:",
            type="primary",
            key="run",
            shortcut="S",
            on_click=_start,
            disabled=empty,
        )
    else:
        st.button(
            "Stop",
            icon=":material/stop:",
            type="primary",
            key="stop",
            shortcut="S",
            on_click=session.stop,
            disabled=status == RunStatus.STOPPING,
        )


def axis() -> str:
    """The lecture in one switch: per query a slow algorithm looks good, per second it does not."""
    chosen_axis: str = st.segmented_control(
        "x axis",
        ["seconds", "iterations"],
        default="seconds",
        required=True,
        key="x",
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen_axis


def chosen() -> Choice:
    """The toolbar's values; what cannot be is replaced by what can."""
    state, boards = st.session_state, benchmarks.catalog()
    seeds = state.get("seeds", 1)
    return Choice(
        benchmark=state["bench"] if state.get("bench") in boards else FIRST,
        algorithms=tuple(key for key in state.get("algos", ()) if key in algorithms.catalog()),
        seeds=min(max(int(seeds or 1), 1), SEEDS),
        cut=CUTS.get(state.get("cut", ""), 60.0),
        clock=state["clock"] if state.get("clock") in CLOCKS else "cpu",
    )


def expectation(choice: Choice) -> str:
    """How long a press will take, before it is made."""
    runs = len(choice.algorithms) * choice.seeds
    if not runs:
        return "Choose at least one algorithm."
    each = f"{choice.horizon:g} s on its own clock"
    what = f"One run of {each}" if runs == 1 else f"{runs} runs, each of {each}"
    if choice.clock == "model":
        return f"{what}, as fast as this machine computes."
    queries = choice.horizon / benchmarks.get(choice.benchmark).row.cost
    most = runs * (choice.horizon / SLOWDOWN + queries * OVERHEAD)
    return f"{what}: about {_about(most)} here if the machine is idle."


def _start() -> None:
    session.start(chosen().configs())


def _favourites() -> list[str]:
    known = algorithms.catalog()
    return [key for key in FAVOURITES if key in known] or list(known)[:1]


def _about(seconds: float) -> str:
    if seconds < 90:
        return f"{5 * math.ceil(seconds / 5)} s"
    return f"{math.ceil(seconds / 60)} min"
