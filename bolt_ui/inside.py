"""Pieces of the Inside page: which run is looked into, and its panels in Algorithm 1's order."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bolt_core.charts.chart_registry import choices as choices  # pages name it from here
from bolt_core.common.types import RunStatus
from bolt_core.runs.lane_names import lane_key, lane_names
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import race_buttons, race_status, session
from bolt_ui.chart_component import panels, transport

TALL, LOW = 440, 300  # pixels: two charts of 220; one


def looked_at() -> RaceSnapshot:
    """The race that is watched, or the recorded one."""
    return session.watched() or bundled_race.race()


def titles(race: RaceSnapshot) -> dict[str, str]:
    """What each run is called on the screen, by its name in links."""
    runs, names = choices(race), lane_names(race.runs)
    many = len({run.config.seed for run in runs.values()}) > 1
    return {
        name: names[lane_key(run)] + f", seed {run.config.seed}" * many
        for name, run in runs.items()
    }


def linked(race: RaceSnapshot) -> str:
    """The run that the URL looks into, by name or by title; BOLT's first if it says none."""
    called, asked = titles(race), st.query_params.get("show", "")
    return next(
        (name for name, title in called.items() if asked in (name, title)), next(iter(called))
    )


def pick(race: RaceSnapshot) -> str:
    """The run to look into, BOLT's first; in the URL."""
    called = titles(race)
    if (asked := st.query_params.get("show", "")) in called:  # by name; the widget binds titles
        st.query_params["show"] = called[asked]
        st.rerun()
    chosen: str = st.selectbox(
        "Run",
        list(called),
        format_func=lambda name: called[name],
        key="show",
        bind="query-params",
        width=240,
    )
    return chosen if chosen in called else next(iter(called))


def which(race: RaceSnapshot) -> None:
    """What one is looking at, if it is not one's own; why the last press did nothing."""
    race_buttons.refusal()
    race_status.unknown_race(session.watched_id() if session.watched() is None else None)
    if race.race_id == bundled_race.RACE_ID:
        st.caption(f"No live run. This is the recorded one: {bundled_race.label()}.")


def charts(race: RaceSnapshot, name: str) -> None:
    """Left to right, top to bottom: observe, fit, n*, score, remove."""
    show = panels(race, show=name)
    bolt = name.startswith("bolt")
    with st.container(key="above"):  # always there, so that the panels below keep their place
        if race.status.ended and race.span:
            transport(race, key="transport", runs=[choices(race)[name]])
        if race.status == RunStatus.PAUSED:
            _card("**Algorithm 1**, line by line: press Step", "steps", show)
    names = {
        "fit": "**Response time** R(n)" + " **and n\\***" * bolt,
        "scores": "**Relevance of each observation** W\N{SUBSCRIPT TWO}",
        "history": "**Dataset size** n" + " **and n\\***" * bolt + " over time",
        "departures": "**Who left?**",
        "rule": "**Its own rule** for old observations",
        "theta": "**Hyperparameters** over time",
        "posterior": "**Posterior** and the observations",
    }
    rows = [("fit", "scores"), ("history", "departures"), ("theta", "posterior")]
    for row in rows:
        for column, chart in zip(st.columns(2, gap="small"), row, strict=True):
            with column:
                _card(
                    names[chart], chart, show, LOW if chart in ("history", "departures") else TALL
                )
    if not bolt:
        _card(names["rule"], "rule", show, LOW)
    if race.status != RunStatus.PAUSED:
        _card("**Algorithm 1** in the last pass", "steps", show)


def _card(title: str, chart: str, show: Callable[..., None], height: int = LOW) -> None:
    with st.container(border=True, height="stretch"):
        st.markdown(title)
        show(chart, key=chart, height=height)
