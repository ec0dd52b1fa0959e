"""The buttons of a race: start, stop, pause, freeze, share, export; the same on every page.

Only the visitor who started a race can stop, pause or step it; others watch, and can start a race
of their own with the same settings.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from bolt_core import benchmarks
from bolt_core.charts.races import SEPARATOR, split_ids
from bolt_core.common.text import sentence
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store import export
from bolt_ui import downloads, markdown, presentation, race_status, session, toolbar
from bolt_ui.chart_component import freeze, moment, refresh
from bolt_ui.owner import token
from bolt_ui.race_settings import CLOCKS, query
from bolt_ui.server_state import server
from bolt_ui.widgets import button

DEVICE_FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)  # how many times slower the optimizer can be made


def buttons(race: RaceSnapshot | None) -> None:
    """Show the actions for a race; without one, or after its end, the start button."""
    if race is None or race.status.ended:
        start_button("Start a live race", toolbar.start, disabled=not toolbar.settings()[0].lanes)
        if race is not None:
            _after_the_end(race)
    elif session.owns_race(race.race_id):
        _control(race)
    else:
        st.badge("Watching, read only", icon=":material/visibility:", color="gray")
        purpose = "Starts a race with the same settings that you can stop and pause."
        _start_same(race, "Start my own", "content_copy", "copy", purpose)


def start_button(
    label: str,
    start: Callable[[], None],
    key: str = "run",
    **rest: Any,  # noqa: ANN401
) -> None:
    """Show the primary button (and the S key) that starts a race; `rest` goes to st.button."""
    button(label, "play_arrow", key, start, type="primary", shortcut="S", **rest)


def refusal(remark: str = "") -> None:
    """Show once why the last press had no effect, with a remark after the reason."""
    if reason := session.refusal():
        st.error(f"{markdown.escape(sentence(reason))}{remark}", icon=":material/error:")
    if pending := session.confirmation():
        reason, confirm, verb = pending
        with st.container(border=True, key="confirmation"):
            st.warning(markdown.escape(sentence(reason)), icon=":material/warning:")
            with st.container(horizontal=True):
                button(f"{verb} anyway", "play_arrow", "confirm", confirm)
                cancel = f"Do not {verb.lower()}"
                button(cancel, "close", "dismiss", session.dismiss_confirmation)


def status_bar(race: RaceSnapshot, run: str = "") -> None:
    """Show one row: the status (`race_status.row`), and freeze, share and export."""
    with st.container(horizontal=True, vertical_alignment="center", key="head"):
        with st.container(key="told", width="stretch"):
            race_status.row(race, run)
        if "controls" in presentation.hidden():
            return
        if not race.status.ended:
            if session.owns_race(race.race_id):
                _device_speed(race)
            freeze(race.race_id)
            refresh()
        _share(race)
        _export(race)
        if "lesson" not in st.query_params:  # its button is in its own head
            presentation.enter_button()


def _after_the_end(race: RaceSnapshot) -> None:
    """Offer to repeat a race with a failed run, and to continue one that did not finish."""
    if any(run.status == RunStatus.FAILED for run in race.runs):
        purpose = "Starts a race with the settings of this one, not those of the toolbar."
        _start_same(race, "Restart", "replay", "again", purpose)
    if _can_continue(race) and server().conductor.may_take_up(race.race_id, token()):
        purpose = (
            "Continues where the race was cut off. On the model clock the result is the same as "
            "without the interruption."
        )
        proceed = partial(session.continue_race, race.race_id)
        button("Continue race", "resume", "go_on", proceed, help=purpose)


def _start_same(race: RaceSnapshot, label: str, icon: str, key: str, purpose: str) -> None:
    start = partial(session.start, [run.config for run in race.runs])
    button(label, icon, key, start, help=purpose)


def _control(race: RaceSnapshot) -> None:
    stopping = race.status == RunStatus.STOPPING
    button("Stop", "stop", "stop", session.stop, type="primary", shortcut="S", disabled=stopping)
    if race.status == RunStatus.PAUSED:
        button("Resume", "play_arrow", "resume", session.resume)
        button("Step", "step", "step", session.step, shortcut="Right")
    elif not stopping:
        button("Pause", "pause", "pause", session.pause)


def _can_continue(race: RaceSnapshot) -> bool:
    """Return whether this is a single unfinished race that the conductor can continue."""
    config = race.runs[0].config
    return (
        race.status in (RunStatus.STOPPED, RunStatus.INTERRUPTED)
        and config.benchmark in benchmarks.catalog()
        and config.clock.kind in CLOCKS
        and SEPARATOR not in race.race_id
        and ":" not in race.race_id
        and not config.options.get("path")
    )


def _device_speed(race: RaceSnapshot) -> None:
    st.session_state["device_speed"] = race.speed  # it may have been set in another session
    st.selectbox(
        "Device",
        sorted({*DEVICE_FACTORS, race.speed}),
        format_func=lambda factor: f"Slow the optimizer: {factor:g}\N{MULTIPLICATION SIGN}",
        key="device_speed",
        on_change=session.change_speed,
        width=210,
        label_visibility="collapsed",
        help="How many times longer the algorithms compute from now on; below 1 is faster.",
    )


def _share(race: RaceSnapshot) -> None:
    """Show links to the settings, to the race and to the moment that the replay shows."""
    with st.popover("Share", icon=":material/link:"):
        address = urlsplit(st.context.url or "http://localhost:8501/")
        base = f"{address.scheme}://{address.netloc}/"
        link = f"{base}?race={race.race_id}"
        if race.runs[0].config.benchmark in benchmarks.catalog():
            settings = query([run.config for run in race.runs])
            st.caption("The settings, to start the same race:")
            st.code(f"{base}?{settings}", language=None, wrap_lines=True)
            link += f"&{settings}"
        st.caption("This race on this server:")
        st.code(link, language=None, wrap_lines=True)
        if race.status.ended:
            st.caption("This page at the current moment of the replay:")
            moment(race.race_id)


def _export(race: RaceSnapshot) -> None:
    with st.popover("Export", icon=":material/download:"):
        downloads.drawn(race)
        name = export.file_name(race, "jsonl", datetime.now(UTC).date())
        downloads.records(partial(server().races.records, split_ids(race.race_id)), name)
        downloads.citation()
        st.caption("PNG and SVG: the buttons in the corner of each chart.")
