"""Pieces of the Arena: status, progress, errors, and what is said before a run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import streamlit as st

from bolt_core import benchmarks
from bolt_core.common.devices import clock_label
from bolt_core.common.text import duration
from bolt_core.common.types import RunStatus
from bolt_core.runs.lane_names import label
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot
from bolt_ui import layout, markdown

BADGES: dict[str, tuple[str, str, Any]] = {
    RunStatus.QUEUED: ("Queued", ":material/hourglass_empty:", "gray"),
    RunStatus.STARTING: ("Starting", ":material/hourglass_top:", "blue"),
    RunStatus.WARMING_UP: ("Warming up", ":material/shuffle:", "blue"),
    RunStatus.RUNNING: ("Live", ":material/radio_button_checked:", "red"),
    RunStatus.PAUSED: ("Paused", ":material/pause_circle:", "orange"),
    RunStatus.STOPPING: ("Stopping", ":material/stop_circle:", "gray"),
    RunStatus.FINISHED: ("Finished", ":material/check_circle:", "green"),
    RunStatus.STOPPED: ("Stopped", ":material/stop_circle:", "gray"),
    RunStatus.FAILED: ("Failed", ":material/error:", "red"),
    RunStatus.INTERRUPTED: ("Interrupted", ":material/power_off:", "orange"),
}
STARTING = ("Getting ready.", "Loading PyTorch: about 3 s, once.")
HOUR = 3600.0


def status_row(race: RaceSnapshot) -> None:
    name, icon, colour = BADGES[race.status]
    st.badge(name, icon=icon, color=colour)
    st.caption(_about(race), width="content")
    if race.position is not None:
        st.caption(f"**Number {race.position} in line**", width="content")
    elif not race.status.ended and race.horizon:
        st.progress(min(race.t / race.horizon, 1.0), width=160)
        st.caption(progress_text(race), width="content")


def waiting(race: RaceSnapshot) -> str:
    """What a race without a curve yet is waiting for."""
    if race.position is not None:
        return (
            "Three races share this machine already. Yours starts when one of them ends, or after "
            "two minutes in the place of one that nobody watches."
        )
    if race.status.ended:
        return "No query was made after the warm-up, so there is no curve to draw."
    if race.status == RunStatus.STARTING:
        return f"{STARTING[_loads_torch(race)]} {race.runs[0].config.warmup} random queries first."
    made = min((len(run) for run in race.runs), default=0)
    return f"{made} of {race.runs[0].config.warmup} random warm-up queries made."


def progress_text(race: RaceSnapshot) -> str:
    told = [f"{minutes(race.t)} of {minutes(race.horizon or 0.0)}"]
    if race.status == RunStatus.PAUSED:
        told += ["others waited; it comes back by itself"] if race.yielded else []
    else:
        told += ["estimating" if race.eta is None else f"{_left(race.eta)} left"]
    if race.pace is not None:
        told += [f"\N{MULTIPLICATION SIGN}{race.pace:.1f} real time"]
    return " \N{MIDDLE DOT} ".join(told)


def minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def turned(before: RaceSnapshot, now: RaceSnapshot) -> bool:
    """Something changed that the page itself shows, not only its panels."""
    return _standing(before) != _standing(now)


def _standing(race: RaceSnapshot) -> tuple[object, ...]:
    failed = [run.run_id for run in race.runs if run.status == RunStatus.FAILED]
    return race.status, race.warning, tuple(failed)


def failures(race: RaceSnapshot) -> None:
    """One card for each reason an algorithm failed for; the traceback is one click away."""
    broken: dict[tuple[str, str], list[RunSnapshot]] = {}
    for run in race.runs:
        if run.status == RunStatus.FAILED:
            reason = (run.error or "no reason was kept").partition("\n")[0]
            broken.setdefault((run.config.algorithm, reason), []).append(run)
    for (algorithm, reason), runs in broken.items():
        first = runs[0]
        when = f"at {first.columns['t'][-1]:.1f} s" if len(first) else "before its first query"
        who = f"**{markdown.escape(label(algorithm))}** failed {when} ({_seeds(runs)})"
        st.error(f"{who}: {markdown.escape(reason)}", icon=":material/error:")
        if details := (first.error or "").partition("\n")[2].strip():
            with st.expander("Details", icon=":material/code:", type="compact"):
                st.code(details, language=None)
    if race.warning:
        goes_on = "" if race.status.ended else " The run goes on."
        st.caption(f":material/warning: {markdown.escape(race.warning)}{goes_on}")
        _toast_once(race)


def _toast_once(race: RaceSnapshot) -> None:
    """What cannot be saved is said aloud when it begins, and below the status from then on."""
    told = st.session_state.setdefault("warned", set())
    if race.race_id not in told:
        told.add(race.race_id)
        st.toast(markdown.escape(race.warning or ""), icon=":material/warning:", duration="long")


def unknown_race(asked: str | None) -> None:
    """A link leads to a race this server does not know; its settings may be in the link too."""
    if asked is None:
        return
    with st.container(width=layout.TEXT_WIDTH):
        st.subheader("This race is not on this server", anchor=False)
        st.write(
            "It was run elsewhere, or its files are gone. The toolbar above holds the settings of "
            "the link: press Run to run it again. Below is the recorded race."
        )
        st.code(asked, language=None)


def _about(race: RaceSnapshot) -> str:
    config = race.runs[0].config
    board = benchmarks.catalog().get(config.benchmark)
    own = str((race.runs[0].header or {}).get("label") or config.benchmark)
    name = board.label if board else markdown.escape(own)
    return " \N{MIDDLE DOT} ".join([name, _seeds(race.runs), clock_label(config.clock)])


def _loads_torch(race: RaceSnapshot) -> bool:
    """Some run thinks with BoTorch, and nobody did before it."""
    wanted = any(run.config.engine.name == "botorch" for run in race.runs)
    return wanted and "botorch" not in sys.modules


def _seeds(runs: Sequence[RunSnapshot]) -> str:
    seeds = sorted({run.config.seed for run in runs})
    return f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"


def _left(eta: float) -> str:
    if eta >= HOUR:
        return duration(eta)
    return f"{eta:.0f} s" if eta < 60 else minutes(eta)
