"""The campaigns of this server: their names, their results, and the one that is running."""

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bolt_core.campaigns import campaign, presets, results
from bolt_core.campaigns.background import Progress, last_log_line, progress
from bolt_core.campaigns.digest import Digest
from bolt_core.campaigns.expected_time import default_workers, expected_time
from bolt_core.campaigns.results import BUNDLED, Results
from bolt_core.common import paths
from bolt_core.common.errors import BoltError
from bolt_core.common.text import duration
from bolt_ui import markdown, session
from bolt_ui.owner import token
from bolt_ui.server_state import server
from bolt_ui.widgets import button

BUILT_IN = "Built-in results"
OFFERED_PRESETS = ("tiny", "paper-quick")
READING_SECONDS = 1.0  # of records before the page is drawn
REFRESH_SECONDS = 2.0


def choices() -> list[str]:
    """Return the built-in results, then the campaigns of this server."""
    return [*([BUILT_IN] if BUNDLED.exists() else []), *campaign.names()]


def results_of(name: str) -> tuple[Results, int]:
    """Return a campaign's results, and how many of its finished runs are not read yet."""
    if name == BUILT_IN:
        return _built_in(BUNDLED, BUNDLED.stat().st_mtime_ns), 0
    return digest(name).read(READING_SECONDS)


def read_error(name: str) -> str | None:
    """Return why a campaign cannot be read, if so."""
    try:
        if name == BUILT_IN:
            results_of(name)
        else:
            digest(name)
    except BoltError as problem:
        return str(problem)
    return None


def digest(name: str) -> Digest:
    """Return the results of a campaign of this server, which are read as its runs end."""
    plan = campaign.load(name)
    return _digest(paths.campaigns(), name, str(plan.plan.to_json()))


@st.cache_resource(show_spinner=False, max_entries=8)
def _digest(folder: Path, name: str, plan: str) -> Digest:  # noqa: ARG001 - part of the cache key
    return Digest(campaign.load(name))


@st.cache_resource(show_spinner=False, max_entries=2)
def _built_in(path: Path, changed: int) -> Results:  # noqa: ARG001 - part of the cache key
    return results.load(path)


def starter() -> None:
    """Show a popover that starts a preset, or continues a campaign of this server."""
    if running():
        return  # one at a time; and an open popover would cover the Stop button
    with st.popover("Run a campaign", icon=":material/play_arrow:"):
        names = list(dict.fromkeys([*OFFERED_PRESETS, *campaign.names()]))
        name = st.selectbox("Campaign", names, key="campaign_to_run")
        st.caption(_expected(name))
        button("Start", "play_arrow", "campaign_start", partial(_start, name), type="primary")
        st.caption(
            "It runs in the background on all cores but one, also after you leave the page, and "
            "stops with the server; finished runs are kept. For other campaigns: `bolt campaign "
            "plan`."
        )


def follow(shown: str | None) -> tuple[object, ...]:
    """Show the progress of running campaigns; return it, to be compared with the next time."""
    elsewhere = _follow_elsewhere(shown) if shown is not None and runs_elsewhere(shown) else ()
    return elsewhere + _follow_own()


def _follow_own() -> tuple[object, ...]:
    job = server().campaigns.job
    if job is None or read_error(job.name):
        return ()
    reader = digest(job.name)
    status = progress(reader.campaign, reader.states(), job)
    if job.running:
        row = _status_row("Running", "red", "campaign_told", job.name, status)
        row.caption(progress_text(status, estimating=True), width="content")
        if server().campaigns.may_stop(token()):
            row.button("Stop", icon=":material/stop:", key="campaign_stop", on_click=_stop)
    elif status.finished < status.runs:
        name = markdown.escape(job.name)
        st.caption(f"**{name}** stopped: {progress_text(status)}. Run it again to continue.")
        if job.process.returncode not in (0, 130):
            st.caption(markdown.escape(last_log_line(reader.campaign)))
    return job.name, job.running, status.finished


def runs_elsewhere(name: str) -> bool:
    """Whether a process that this server did not start runs the campaign, as in a terminal."""
    if name in (BUILT_IN, running()) or read_error(name):
        return False
    return digest(name).campaign.running


def running() -> str | None:
    """Return the name of the campaign that this server runs, if any."""
    job = server().campaigns.job
    return job.name if job is not None and job.running else None


def refresh_seconds(unread: int, shown: str | None) -> float | None:
    """Return the seconds between two refreshes; None if nothing can change."""
    changing = unread or running() or (shown is not None and runs_elsewhere(shown))
    return REFRESH_SECONDS if changing else None


def _follow_elsewhere(name: str) -> tuple[object, ...]:
    reader = digest(name)
    status = progress(reader.campaign, reader.states(), None)
    row = _status_row("Running elsewhere", "blue", "campaign_elsewhere", name, status)
    row.caption(f"{progress_text(status)}; stop it where it was started", width="content")
    return name, "elsewhere", status.finished


def _status_row(
    badge: str, colour: Literal["red", "blue"], key: str, name: str, status: Progress
) -> DeltaGenerator:
    """Show a badge, the campaign's name and a progress bar; return the row, to be continued."""
    row = st.container(horizontal=True, vertical_alignment="center", key=key)
    row.badge(badge, icon=":material/radio_button_checked:", color=colour)
    row.caption(f"**{markdown.escape(name)}**", width="content")
    row.progress(status.finished / max(status.runs, 1), width=160)
    return row


def progress_text(status: Progress, *, estimating: bool = False) -> str:
    """Return a progress in words: 12 of 270 runs finished, 1 failed, about 40 min left."""
    parts = [f"{status.finished} of {status.runs} runs finished"]
    if status.failed:
        parts.append(f"{status.failed} failed")
    if status.seconds_left is not None:
        parts.append(f"about {duration(status.seconds_left)} left")
    elif estimating:
        parts.append("estimating the time left")
    return ", ".join(parts)


def _expected(name: str) -> str:
    with suppress(BoltError):
        planned = name in campaign.names()
        plan = campaign.load(name).plan if planned else presets.preset(name)
        note = f"{markdown.escape(plan.note)} " if plan.note else ""
        pending = campaign.load(name).pending() if planned else plan.configs()
        if not pending:
            return f"{note}All {len(plan.configs())} runs are finished."
        takes = expected_time(pending, default_workers(pending))
        return f"{note}{len(pending)} runs. Takes about {takes}."
    return "This plan cannot be read."


def _start(name: str, *, confirmed: bool = False) -> None:
    with session.keeping_refusal(partial(_start, name, confirmed=True)):
        server().campaigns.start(name, token(), confirmed=confirmed)
        st.session_state["campaign"] = name


def _stop() -> None:
    with session.keeping_refusal():
        server().campaigns.stop(token())
