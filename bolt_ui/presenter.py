"""Before an audience: one chart at a time, larger, with the headline and nothing in the way.

`?present=1` hides the navigation and shows chapters, turned by Left and Right; `&chapter=3` is
where the talk is. The race runs on across them, and without one the recorded race plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import bundled_race
from bolt_ui import presentation, race_buttons, race_status, session, toolbar
from bolt_ui.chart_component import chapters, panels, preload, pressed, transport

SPEED = 20.0  # times real time, at which the recorded race plays
SWITCHES = ("x", "stat", "scale")  # how to look at a chart, as in the URL of its page


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chart of the talk."""

    title: str
    chart: str


CHAPTERS = (
    Chapter("Metronome", "metronome"),
    Chapter("Who wins", "regret"),
    Chapter("Why n*", "fit"),
    Chapter("Who leaves", "scores"),
)


def show(
    race: RaceSnapshot | None,
    status: Callable[[], None],
    pace: float | None,
    *,
    begun: bool,
    first: int = 1,
    within: str = "",
) -> None:
    """The chapter of the URL, or the page's own first one; `within`: the run to look into."""
    seen = race or bundled_race.race()
    chosen = number(st.query_params.get("chapter", ""), first)
    titles = [chapter.title for chapter in CHAPTERS]
    with st.container(horizontal=True, vertical_alignment="center", key="present_head"):
        with st.container(width="stretch"):
            chapters(titles, chosen - 1, key="chapters", on_press=_turn)
        if "controls" not in presentation.hidden():
            _buttons(race)
        st.button(
            "Leave presenter mode",
            key="leave_presenter",
            icon=":material/close:",
            type="tertiary",
            shortcut="P",
            on_click=presentation.leave,
        )
    race_buttons.refusal()
    presentation.note()
    race_status.failures(seen)
    if begun:
        preload()  # the next chapter may be the first plot
        view = {name: st.query_params[name] for name in SWITCHES if name in st.query_params}
        draw = panels(seen, stage=True, show=within)
        draw("headline", key="headline", height=40)
        chart = CHAPTERS[chosen - 1].chart
        draw(chart, key=f"stage_{chart}", height=400, **view)
    with st.container(key="present_foot"):
        if race is not None:
            st.fragment(status, run_every=pace, key="status_told")()
        if seen.status.ended and seen.span and begun:
            transport(seen, key="transport", autoplay=race is None, speed=SPEED)
        if race is None:
            st.caption(f"{bundled_race.label()}, cpu clock.")


def number(told: str, usual: int) -> int:
    """Of a chapter, from 1; what cannot be is the usual one."""
    numbers = [str(k + 1) for k in range(len(CHAPTERS))]
    return numbers.index(told) + 1 if told in numbers else usual


def _turn() -> None:
    to = pressed("chapters")
    if isinstance(to, int) and 0 <= to < len(CHAPTERS):
        st.query_params["chapter"] = str(to + 1)


def _buttons(race: RaceSnapshot | None) -> None:
    if race is not None and not race.status.ended:
        race_buttons.buttons(race)
        return
    again = partial(session.start, [run.config for run in race.runs]) if race else toolbar.start
    st.button(
        "Run it live" if race is None else "Run again",
        icon=":material/play_arrow:",
        type="primary",
        key="run",
        shortcut="S",
        on_click=again,
    )
