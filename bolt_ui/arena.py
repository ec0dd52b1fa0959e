"""Pieces of the Arena: the toolbar with what it will take, and the charts of a race."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from bolt_core.figures.arena.headline import headline
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import markdown, presentation, race_buttons
from bolt_ui import toolbar as controls
from bolt_ui.chart_component import panels, transport
from bolt_ui.race_settings import expectation

TITLES = {
    "average": "Average regret",
    "instant": "Instant regret",
    "cumulative": "Cumulative regret",
}
DIMENSIONS = 2  # up to which a landscape can be looked at
TALL = 350  # pixels: it ends above the fold of a laptop
LINE, STRIP, TABLE = 26, 145, 190  # pixels kept for them until they are drawn
BELOW = {
    "size": "**Dataset size** n",
    "response": "**Response time against regret**: the faster, the better?",
}
METRONOME = "**The metronome**: one tick an answer, and the objective drifts on between two"
SPEED = 20.0  # times real time, at which the recorded race plays


def toolbar(race: RaceSnapshot | None) -> None:
    """What to race, the buttons, and how long it will take."""
    controls.take_added()
    with st.container(horizontal=True, vertical_alignment="bottom", key="toolbar"):
        controls.toolbar()
        race_buttons.buttons(race)
        expected = st.container(width="content")
    controls.algorithm_pills()
    expected.caption(expectation(controls.chosen()))
    for told in controls.troubles():
        st.warning(markdown.escape(told), icon=":material/warning:")
    race_buttons.refusal()


def landing() -> None:
    """Before any press: the recorded race plays by itself, and says what it shows."""
    race = bundled_race.race()
    show = panels(race)
    show("headline", key="headline", height=LINE)
    with st.container(border=True):
        if "metronome" not in presentation.hidden():
            st.markdown(METRONOME)
            show("metronome", key="metronome", height=STRIP)
        transport(race, key="transport", autoplay=True, speed=SPEED)
        st.caption(f"{bundled_race.label()}, cpu clock, by the code you are looking at.")
    if "controls" not in presentation.hidden():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Run one live:", width="content")
            controls.presets()
            presentation.way_in()
    charts(race, show)


def curves(race: RaceSnapshot) -> None:
    """A race of somebody's own, live or stored; a stored one has a cursor."""
    show = panels(race)
    show("headline", key="headline", height=LINE)
    with st.container(key="above"):  # always there, so that the panels below keep their place
        if race.status.ended and race.span:
            transport(race, key="transport", speed=SPEED)
    charts(race, show)
    if "metronome" not in presentation.hidden():
        with st.container(border=True):
            st.markdown(METRONOME)
            show("metronome", key="metronome", height=STRIP)


def charts(race: RaceSnapshot, show: Callable[..., None]) -> None:
    """Whatever a handout does not leave out."""
    away = presentation.hidden()
    ranked = "leaderboard" not in away
    wide, narrow = st.columns([5, 4], gap="small") if ranked else (st.container(), None)
    with wide.container(border=True, height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center", key="regret_head"):
            st.markdown("**Regret**", width="content")
            st.space("stretch")
            view = controls.regret_switches()
        show("regret", key="regret", height=TALL, **view)
    if narrow is not None:
        with narrow.container(border=True, height="stretch"):
            st.markdown("**Leaderboard**")
            show("leaderboard", key="leaderboard", height=TABLE)
    below = [name for name in BELOW if name not in away]
    columns = st.columns(len(below), gap="small") if below else ()
    for name, place in zip(below, columns, strict=True):
        with place.container(border=True, height="stretch"):
            st.markdown(BELOW[name])
            show(name, key=name, height=300)
    if "landscape" not in away:
        with st.container(border=True):
            flat = race.runs[0].columns.points.shape[2] <= DIMENSIONS
            st.markdown("**The landscape now**" if flat else "**Distance to the optimum**")
            show("landscape", key="landscape", height=300)


def has_curve(race: RaceSnapshot) -> bool:
    return headline(race.runs) is not None or any(len(run) > run.config.warmup for run in race.runs)
