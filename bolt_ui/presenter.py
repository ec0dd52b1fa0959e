"""Presenter mode: one large chart at a time, with the headline, for an audience.

`?present=1` hides the navigation and shows chapters, changed with the Left and Right keys;
`&chapter=3` is the current one. A live race continues across chapters; without one the built-in
recording plays.
"""

from functools import partial

import streamlit as st

from bolt_core.runs.own_problem import is_own_problem
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import layout, presentation, race_buttons, race_status, session, toolbar
from bolt_ui.chart_component import chapters, panels, pressed, transport
from bolt_ui.markdown import with_math

CHAPTERS = {  # name in the bar: chart
    "Metronome": "metronome",
    "Regret": "regret",
    "Why n*": "fit",
    "Removals": "scores",
}
TITLES = {  # by chart
    "metronome": "Each algorithm keeps its own pace",
    "regret": "Which algorithm follows the optimum best",
    "fit": "Why BOLT keeps n* observations",
    "scores": "Which observation is removed next",
}
OWN_TITLES = {"regret": "What has been measured"}  # of a problem without a known optimum
HEADLINE_HEIGHT, CHART_HEIGHT = 40, 400  # pixels


def show(race: RaceSnapshot | None, *, begun: bool, first: int = 1, run: str = "") -> None:
    """Show the chapter of the URL, or chapter `first`; the Inside charts show the run `run`."""
    shown = race or bundled_race.race()
    own = is_own_problem(shown.runs[0])
    names = ["Measurements" if own and name == "Regret" else name for name in CHAPTERS]
    number = chapter_number(st.query_params.get("chapter", ""), first)
    with st.container(horizontal=True, vertical_alignment="center", key="present_head"):
        with st.container(width="stretch"):
            chapters(names, number - 1, key="chapters", on_press=_change_chapter)
        if "controls" not in presentation.hidden():
            _buttons(race)
        presentation.leave_button()
    chart = list(CHAPTERS.values())[number - 1]
    titles = TITLES | (OWN_TITLES if own else {})
    st.title(with_math(titles[chart]), anchor=False)
    race_buttons.refusal()
    presentation.note()
    race_status.failures(shown)
    if begun:
        view = {k: st.query_params[k] for k in toolbar.REGRET_VIEWS if k in st.query_params}
        draw = panels(shown, stage=True, show=run)
        draw("headline", key="headline", height=HEADLINE_HEIGHT)
        draw(chart, key=f"stage_{chart}", height=CHART_HEIGHT, **view)
    with st.container(key="present_foot"):
        if race is not None:
            race_status.row(race, run)
        if shown.status.ended and shown.t and begun:
            transport(shown, key="transport", autoplay=race is None, speed=layout.REPLAY_SPEED)
        if race is None:
            st.caption(f"Built-in recording of {bundled_race.label()}.")


def chapter_number(text: str, default: int) -> int:
    """Return the number of a chapter, from 1; the default if `text` names none."""
    return next((k + 1 for k in range(len(CHAPTERS)) if text == str(k + 1)), default)


def _change_chapter() -> None:
    index = pressed("chapters")
    if isinstance(index, int) and 0 <= index < len(CHAPTERS):
        st.query_params["chapter"] = str(index + 1)


def _buttons(race: RaceSnapshot | None) -> None:
    if race is None:
        race_buttons.start_button("Start a live race", toolbar.start)
    elif race.status.ended:
        again = partial(session.start, [run.config for run in race.runs])
        race_buttons.start_button("Start again", again)
    else:
        race_buttons.buttons(race)
