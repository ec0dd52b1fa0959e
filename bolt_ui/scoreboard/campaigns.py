"""Campaigns of this server: which there are, their results, and the one that is running."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bolt_core.campaigns import campaign, presets, results
from bolt_core.campaigns.background import Progress, last_words, progress
from bolt_core.campaigns.digest import Digest
from bolt_core.campaigns.results import BUNDLED, Results
from bolt_core.common import paths
from bolt_core.common.errors import BoltError
from bolt_core.common.text import duration
from bolt_ui import markdown
from bolt_ui.owner import token
from bolt_ui.server_state import server

STORED = "Built-in results (paper-quick)"
OFFERED = ("tiny", "paper-quick")
BUDGET = 1.0  # seconds of reading before the page is drawn
EVERY = 2.0  # seconds between two looks


def choices() -> list[str]:
    """The stored campaign first, then this server's own."""
    return [*([STORED] if BUNDLED.exists() else []), *campaign.names()]


def found(name: str) -> tuple[Results, int]:
    """A campaign's results, and how many of its finished runs are not read yet."""
    if name == STORED:
        return _stored(BUNDLED, BUNDLED.stat().st_mtime_ns), 0
    return digest(name).read(BUDGET)


def trouble(name: str) -> str | None:
    """Why a campaign cannot be read, if so."""
    try:
        found(name) if name == STORED else digest(name)
    except BoltError as problem:
        return str(problem)
    return None


def digest(name: str) -> Digest:
    plan = campaign.load(name)
    return _digest(paths.campaigns(), name, str(plan.plan.to_json()))


@st.cache_resource(show_spinner=False, max_entries=8)
def _digest(folder: Path, name: str, plan: str) -> Digest:  # noqa: ARG001 - another plan, another digest
    return Digest(campaign.load(name))


@st.cache_resource(show_spinner=False, max_entries=2)
def _stored(path: Path, changed: int) -> Results:  # noqa: ARG001 - read again when it changes
    return results.load(path)


def starter() -> None:
    """A preset to run here, or one's own campaign to go on with."""
    if running():
        return  # one at a time; and a popover left open would cover its Stop button
    with st.popover("Run a campaign", icon=":material/play_arrow:"):
        names = list(dict.fromkeys([*OFFERED, *campaign.names()]))
        name = st.selectbox("Campaign", names, key="campaign_to_run")
        st.caption(_expected(name))
        st.button(
            "Start",
            icon=":material/play_arrow:",
            type="primary",
            key="campaign_start",
            on_click=partial(_start, name),
        )
        st.caption(
            "It runs in the background on all cores but one, goes on when you leave the page, and "
            "ends with the server; what is done is kept. Others: `bolt campaign plan`."
        )


def follow(shown: str | None) -> tuple[object, ...]:
    """How far the running campaign is, told, and as something to compare with the next look."""
    told = _follow_elsewhere(shown) if shown is not None and elsewhere(shown) else ()
    return told + _follow_own()


def _follow_own() -> tuple[object, ...]:
    job = server().campaigns.job
    if job is None or trouble(job.name):
        return ()
    there = digest(job.name)
    told = progress(there.campaign, there.states(), job)
    if job.running:
        row = _told("Running", "red", "campaign_told", job.name, told)
        row.caption(in_words(told), width="content")
        if job.owner == token():
            row.button("Stop", icon=":material/stop:", key="campaign_stop", on_click=_stop)
    elif told.finished < told.runs:
        st.caption(f"**{job.name}** stopped: {in_words(told)}. Run it again to go on.")
        if job.process.returncode not in (0, 130):
            st.caption(markdown.escape(last_words(there.campaign)))
    return job.name, job.running, told.finished


def elsewhere(name: str) -> bool:
    """Is it run by another process than one of this server's: a terminal's, say?"""
    job = server().campaigns.job
    mine = job is not None and job.running and job.name == name
    return name != STORED and not mine and not trouble(name) and digest(name).campaign.running


def running() -> bool:
    """Does this server run one?"""
    job = server().campaigns.job
    return job is not None and job.running


def ticking(left: int, shown: str | None) -> float | None:
    """Seconds between two looks: none when nothing can change."""
    moving = running() or (shown is not None and elsewhere(shown))
    return EVERY if left or moving else None


def _follow_elsewhere(name: str) -> tuple[object, ...]:
    there = digest(name)
    told = progress(there.campaign, there.states(), None)
    row = _told("Running elsewhere", "blue", "campaign_elsewhere", name, told)
    row.caption(f"{in_words(told)}; stop it where it was started", width="content")
    return name, "elsewhere", told.finished


def _told(
    badge: str, colour: Literal["red", "blue"], key: str, name: str, told: Progress
) -> DeltaGenerator:
    """One row: what goes on, its name, a bar; the caller adds the rest."""
    row = st.container(horizontal=True, vertical_alignment="center", key=key)
    row.badge(badge, icon=":material/radio_button_checked:", color=colour)
    row.caption(f"**{name}**", width="content")
    row.progress(told.finished / max(told.runs, 1), width=160)
    return row


def in_words(told: Progress) -> str:
    """12 of 270 runs finished, 1 failed, about 40 min left"""
    words = [f"{told.finished} of {told.runs} runs finished"]
    if told.failed:
        words.append(f"{told.failed} failed")
    if told.left is not None:
        words.append(f"about {duration(told.left)} left")
    return ", ".join(words)


def _expected(name: str) -> str:
    with suppress(BoltError):
        own = name in campaign.names()
        plan = campaign.load(name).plan if own else presets.preset(name)
        hours = plan.hours()
        note = f"{markdown.escape(plan.note)} " if plan.note else ""
        return f"{note}{len(plan.configs())} runs, about {duration(3600 * hours)} of one core."
    return "This plan cannot be read."


def _start(name: str) -> None:
    try:
        server().campaigns.start(name, token())
    except BoltError as problem:
        st.session_state["refusal"] = str(problem)
    else:
        st.session_state["campaign"] = name


def _stop() -> None:
    try:
        server().campaigns.stop(token())
    except BoltError as problem:
        st.session_state["refusal"] = str(problem)
