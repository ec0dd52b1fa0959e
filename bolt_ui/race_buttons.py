"""The buttons of a race, the same on every page that shows one: run, halt, freeze, share, export.

Only who started a race may stop, halt or step it; everybody else watches, and may run the same
settings as a race of their own. They belong to the page itself, not to its ticking part, so that a
press never waits for a tick.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urlsplit

import streamlit as st

from bolt_core import benchmarks
from bolt_core.charts.races import SEPARATOR, split_ids
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import export
from bolt_ui import downloads, markdown, presentation, race_status, session, toolbar
from bolt_ui.chart_component import freeze, moment, refresh
from bolt_ui.race_settings import CLOCKS, query
from bolt_ui.server_state import server

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
NEIGHBOURS = """
The machine was busy with something else too: what takes a second alone took this race
**{times:.1f} s**. The cpu clock leaves out the time a thread waits, so the race goes on and is
nearly what it would have been alone.

Not quite: a second of Python work beside it charges about 15 to 20 ms to the clock
(`bolt bench clock`, line "charged"). R(n) looks a little larger, and n\\* a little smaller, than
they are. The model clock never notices.
"""


def buttons(race: RaceSnapshot | None) -> None:
    """What can be done with what is shown; without a race, the one thing to do."""
    if race is None or race.status.ended:
        _run(race)
    elif session.owns_race(race.race_id):
        _halt(race)
    else:
        st.badge("Watching, read only", icon=":material/visibility:", color="gray")
        words = "The same settings, as a race that is yours to stop and halt."
        _same(race, "Run my own", ":material/content_copy:", "copy", words)


def refusal() -> None:
    """Why the last press did nothing, told once."""
    if reason := session.refusal():
        st.error(markdown.escape(reason), icon=":material/error:")


def status(race: RaceSnapshot, show: Callable[[], None], pace: float | None) -> None:
    """One row: how the race stands, told again every `pace` seconds; freeze, share, export."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        with st.container(key="told", width="stretch"):
            st.fragment(show, run_every=pace, key="status_told")()
        if "controls" in presentation.hidden():
            return
        if not race.status.ended:
            if session.owns_race(race.race_id):
                _device(race)
            freeze(race.race_id)
            refresh()
        share(race)
        saved(race)
        presentation.way_in()


def told(race: RaceSnapshot) -> None:
    """How the race stands; drawn again with every tick."""
    with st.container(horizontal=True, vertical_alignment="center", key="status"):
        race_status.status_row(race)
        disturbed(race)


def disturbed(race: RaceSnapshot) -> None:
    """A chip where neighbours may show on the clock; a press explains it."""
    if race.disturbed is None:
        return
    with st.popover(":orange[:material/warning: Timings disturbed]", type="tertiary", key="amber"):
        st.markdown(NEIGHBOURS.format(times=race.disturbed))


def _run(race: RaceSnapshot | None) -> None:
    st.button(
        "Run" if race is not None else "Run it live on this machine",
        icon=":material/play_arrow:",
        type="primary",
        key="run",
        shortcut="S",
        on_click=toolbar.start,
        disabled=not toolbar.chosen().lanes,
    )
    if race is not None and any(run.status == RunStatus.FAILED for run in race.runs):
        words = "The same settings once more, whatever the toolbar says."
        _same(race, "Restart", ":material/replay:", "again", words)
    if race is not None and _can_go_on(race):
        st.button(
            "Go on",
            icon=":material/resume:",
            key="go_on",
            on_click=partial(session.continue_race, race.race_id),
            help="From where it was cut off; on the model clock as if nothing had happened.",
        )


def _same(race: RaceSnapshot, label: str, icon: str, key: str, words: str) -> None:
    configs = [run.config for run in race.runs]
    st.button(label, icon=icon, key=key, on_click=partial(session.start, configs), help=words)


def _halt(race: RaceSnapshot) -> None:
    st.button(
        "Stop",
        icon=":material/stop:",
        type="primary",
        key="stop",
        shortcut="S",
        on_click=session.stop,
        disabled=race.status == RunStatus.STOPPING,
    )
    if race.status == RunStatus.PAUSED:
        st.button("Resume", icon=":material/play_arrow:", key="resume", on_click=session.resume)
        st.button(
            "Step", icon=":material/step:", key="step", shortcut="Right", on_click=session.step
        )
    elif race.status != RunStatus.STOPPING:
        st.button("Pause", icon=":material/pause:", key="pause", on_click=session.pause)


def _can_go_on(race: RaceSnapshot) -> bool:
    """One race, cut off, of a benchmark on a clock that the conductor can turn."""
    cut_off = race.status in (RunStatus.STOPPED, RunStatus.INTERRUPTED)
    config = race.runs[0].config
    known = config.benchmark in benchmarks.catalog() and config.clock.kind in CLOCKS
    one = SEPARATOR not in race.race_id and ":" not in race.race_id
    return cut_off and known and one and not config.options.get("path")


def _device(race: RaceSnapshot) -> None:
    st.session_state["device_speed"] = race.speed  # whoever set it, and in whatever session
    st.selectbox(
        "Device",
        sorted({*SPEEDS, race.speed}),
        format_func=lambda factor: f"Thinking \N{MULTIPLICATION SIGN}{factor:g}",
        key="device_speed",
        on_change=session.change_speed,
        width=130,
        label_visibility="collapsed",
        help="How many times as long the algorithms think from now on; below 1 is faster.",
    )


def share(race: RaceSnapshot) -> None:
    with st.popover("Share", icon=":material/link:"):
        address = urlsplit(st.context.url or "http://localhost:8501/")
        base = f"{address.scheme}://{address.netloc}/"
        link = f"{base}?race={race.race_id}"
        if race.runs[0].config.benchmark in benchmarks.catalog():
            st.caption("The settings: whoever opens it can run the same.")
            st.code(f"{base}?{settings(race)}", language=None, wrap_lines=True)
            link += "&" + settings(race)
        st.caption("This race, as it runs or ran on this server:")
        st.code(link, language=None, wrap_lines=True)
        if race.status.ended:
            st.caption("This page, at the moment at which the replay stands:")
            moment(race.race_id)


def settings(race: RaceSnapshot) -> str:
    """The race's settings as a query."""
    return query([run.config for run in race.runs])


def saved(race: RaceSnapshot) -> None:
    with st.popover("Export", icon=":material/download:"):
        downloads.drawn(race)
        name = export.file_name(race, "jsonl", datetime.now(UTC).date())
        downloads.records(partial(server().races.records, split_ids(race.race_id)), name)
        downloads.citation()
        st.caption("PNG and SVG: the buttons at the corner of each chart.")
