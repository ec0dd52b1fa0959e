"""The toolbar and the watched race: a race fills the toolbar, and a note says when they differ.

A race that this session did not show before, for example one from a link or from the Runs page,
sets the widgets of the toolbar. What the visitor changes then is for the next race.
"""

from collections.abc import Sequence

import streamlit as st

from bolt_core import algorithms, benchmarks
from bolt_core.analysis.lanes import lanes
from bolt_core.charts.status_row import clocks
from bolt_core.common.text import LONG_RACE, counted, exact_time, listed
from bolt_core.common.types import RunConfig
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store.listing import benchmark_label
from bolt_ui import link_values, markdown, race_settings, session, toolbar

FILLED_FROM = "toolbar_race"  # in the session: the race that set the toolbar last


def fill() -> None:
    """Set the toolbar from the watched race, once per race; call it before a widget is drawn."""
    race_id = session.watched_id()
    if race_id is None or race_id == st.session_state.get(FILLED_FROM):
        return
    race = session.watched()
    if race is None:
        return
    configs = [run.config for run in race.runs]
    if configs[0].benchmark in benchmarks.catalog():
        _set_widgets(configs)
    st.session_state[FILLED_FROM] = race_id


def _set_widgets(configs: Sequence[RunConfig]) -> None:
    values, state = race_settings.widget_values(configs), dict(st.session_state)
    linked = [n for n in (*values, "variants") if n in st.query_params and n not in state]
    if linked:  # a widget prefers the URL when it is made; later it follows the session
        for name in linked:
            del st.query_params[name]
        st.rerun()
    catalog = algorithms.catalog()
    keys = values["algos"]
    values["algos"] = [k for k in keys if catalog[k].kind in toolbar.PILL_KINDS]
    values["variants"] = [k for k in keys if catalog[k].kind not in toolbar.PILL_KINDS]
    for name, value in values.items():
        if not (isinstance(value, list) or link_values.possible(name, str(value))):
            continue  # the toolbar does not offer it; the note names the race
        if state.get(name) != value:
            st.session_state[name] = value


def note(race: RaceSnapshot) -> None:
    """Say that the toolbar is set up for the next race, if it does not describe the shown one."""
    planned = toolbar.settings()[0].configs()
    shown = [run.config for run in race.runs]
    if {config.key for config in planned} == {config.key for config in shown}:
        return
    then = "" if race.status.ended else " Stop this race to start the next one."
    st.caption(
        f":material/info: The charts show {markdown.escape(_described(race))}. The settings above "
        f"are for the next race.{then}"
    )


def _described(race: RaceSnapshot) -> str:
    """Return benchmark, algorithms, horizon, seeds and clock of a race in words."""
    configs = [run.config for run in race.runs]
    first, seeds = configs[0], sorted({config.seed for config in configs})
    of_runs = {run.config.horizon or (run.header or {}).get("horizon") for run in race.runs}
    horizons = sorted(horizon for horizon in of_runs if horizon is not None)
    parts = [
        benchmark_label(first, race.runs[0].header),
        counted(len(lanes(race.runs)), "lane"),
        *([_listed_times(horizons)] if horizons else []),
        f"seed {seeds[0]}" if len(seeds) == 1 else f"{len(seeds)} seeds",
        clocks(race.runs),
    ]
    return ", ".join(parts)


def _listed_times(horizons: Sequence[float]) -> str:
    """Return 60 and 120 s, or 3.47 days."""
    if max(horizons) >= LONG_RACE:
        return listed([exact_time(horizon) for horizon in horizons])
    return f"{listed([f'{horizon:g}' for horizon in horizons])} s"
