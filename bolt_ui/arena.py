"""Parts of the Arena page: the toolbar, the built-in recording, and the charts of a race."""

from collections.abc import Callable

import streamlit as st

from bolt_core import benchmarks
from bolt_core.benchmarks.twin import DEFAULT_QUERIES
from bolt_core.common.text import in_natural_unit
from bolt_core.runs.own_problem import is_own_problem
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import (
    layout,
    markdown,
    page_head,
    presentation,
    race_buttons,
    race_in_toolbar,
    race_settings,
    session,
    toolbar,
)
from bolt_ui.chart_component import panels, transport

MAX_LANDSCAPE_DIMENSIONS = 2  # more inputs cannot be drawn as a landscape
REGRET_HEIGHT = 350  # pixels: the chart ends above the fold of a laptop
HEADLINE_HEIGHT, METRONOME_HEIGHT, LEADERBOARD_HEIGHT = 26, 145, 190  # pixels, before drawing
HELP = {"size": "\n\n".join(page_head.DEFINITIONS[name] for name in ("n", "n*"))}
MEASUREMENTS_HELP = "The values y that you measured. The optimum is unknown, so there is no regret."
NEEDS_REGRET = {"response"}  # cards that the user's own problem has not
PAIR = {"size": "**Dataset size** n", "response": "**Response time vs regret**"}


def settings_toolbar(race: RaceSnapshot | None) -> None:
    """Show the settings, the buttons, and how long a race with these settings takes."""
    if race is None:
        page_head.landing()
    toolbar.fill_lanes_field()
    with st.container(horizontal=True, vertical_alignment="bottom", key="toolbar"):
        toolbar.settings_row()
        race_buttons.buttons(race)
        duration = st.container(width="content")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if race is not None:
            page_head.compact_heading("Arena")
        toolbar.algorithm_pills()
    settings, problems = toolbar.settings()
    duration.caption(race_settings.expectation(settings.configs(), session.live_races()))
    if race is not None:
        race_in_toolbar.note(race)
    elif race_settings.runs_whole(settings.common.benchmark):
        _twin_notice(settings.common.benchmark)
    for problem in problems:
        st.warning(markdown.escape(problem), icon=":material/warning:")
    race_buttons.refusal()


def _twin_notice(benchmark: str) -> None:
    """Say that a twin can be raced on: the charts below show a recording of another race."""
    spec = benchmarks.get(benchmark)
    st.info(
        f"**Your twin {markdown.escape(spec.label)} is ready: press Start.** A race on it covers "
        f"{in_natural_unit(spec.row.horizon)} of your plant, with a query every "
        f"{in_natural_unit(spec.row.cost)}: a race has at most {DEFAULT_QUERIES} queries, unless "
        "another time between them was asked for. The charts below are a recording of another "
        "problem.",
        icon=":material/stadium:",
    )


def recording() -> None:
    """Show the built-in recording, which plays automatically until a race is started."""
    race = bundled_race.race()
    show = panels(race)
    show("headline", key="headline", height=HEADLINE_HEIGHT)
    with st.container(border=True):
        if "metronome" not in presentation.hidden():
            _metronome(show, recorded=True)
        transport(race, key="transport", autoplay=True, speed=layout.REPLAY_SPEED)
        st.caption(f"Built-in recording of {bundled_race.label()}.")
    if "controls" not in presentation.hidden():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption("Start a live race:", width="content")
            toolbar.presets()
            presentation.enter_button()
    _charts(race, show)


def race_charts(race: RaceSnapshot) -> None:
    """Show the charts of a live or stored race; one that has ended can be replayed."""
    show = panels(race)
    show("headline", key="headline", height=HEADLINE_HEIGHT)
    with st.container(key="above"):  # also when empty, so that the charts below are not remounted
        if race.status.ended and race.t:
            transport(race, key="transport", speed=layout.REPLAY_SPEED)
    _charts(race, show)
    if "metronome" not in presentation.hidden():
        with st.container(border=True):
            _metronome(show)


def _metronome(show: Callable[..., None], *, recorded: bool = False) -> None:
    st.markdown(
        "**The metronome**: One tick per query. The objective keeps moving, and the more data an "
        "algorithm keeps, the longer it computes."
        + (f" {page_head.recording_name()}." if recorded else "")
    )
    show("metronome", key="metronome", height=METRONOME_HEIGHT)


def _charts(race: RaceSnapshot, show: Callable[..., None]) -> None:
    """Show every chart that the link does not hide."""
    own = is_own_problem(race.runs[0])
    hidden = presentation.hidden() | (NEEDS_REGRET if own else set())
    ranked = "leaderboard" not in hidden
    wide, narrow = st.columns([5, 4], gap="small") if ranked else (st.container(), None)
    with wide.container(border=True, height="stretch"):
        with st.container(horizontal=True, vertical_alignment="center", key="regret_head"):
            if own:
                st.markdown("**Measurements**", width="content", help=MEASUREMENTS_HELP)
                view = {}
            else:
                st.markdown("**Regret**", width="content", help=page_head.DEFINITIONS["regret"])
                st.space("stretch")
                view = toolbar.regret_view()
        show("regret", key="regret", height=REGRET_HEIGHT, **view)
    if narrow is not None:
        with narrow:
            layout.card("**Leaderboard**", "leaderboard", show, LEADERBOARD_HEIGHT)
    pair = [name for name in PAIR if name not in hidden]
    for name, column in zip(pair, st.columns(len(pair), gap="small") if pair else (), strict=True):
        with column:
            layout.card(PAIR[name], name, show, hint=HELP.get(name))
    if "landscape" not in hidden:
        flat = race.runs[0].columns.points.shape[2] <= MAX_LANDSCAPE_DIMENSIONS
        title = "**The landscape now**" if flat else "**Distance to the optimum**"
        title = "**Recent queries**" if own else title
        layout.card(title, "landscape", show)
