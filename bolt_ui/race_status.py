"""The status of a race: badge, progress, what it waits for, failures, and unknown links."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from bolt_core.common.devices import clock_label
from bolt_core.common.text import duration
from bolt_core.common.types import RunStatus
from bolt_core.runs.lane_names import label
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store.listing import benchmark_label
from bolt_ui import layout, markdown, session
from bolt_ui.chart_component import preload

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
SEPARATOR = " \N{MIDDLE DOT} "
HOUR_SECONDS = 3600.0
REDRAW_SECONDS, FIRST_CHART_SECONDS = 2.0, 0.3  # between redraws; until the first chart
DISTURBED = """
The machine was also busy with something else: work that takes 1 s alone took this race
**{factor:.1f} s**. The cpu clock leaves out the time a thread waits, so the race continues and its
result is nearly the same as on an idle machine.

It is not exactly the same: each second of Python work in parallel adds about 15 to 20 ms to the
clock (`bolt bench clock`, line "charged"), so R(n) looks slightly larger and n\\* slightly smaller.
The model clock is not affected.
"""


def updates(
    race: RaceSnapshot,
    current: Callable[[], RaceSnapshot | None],
    begun: Callable[[RaceSnapshot], bool],
) -> Callable[[], None]:
    """Return a function that shows the status of a race and keeps it up to date.

    `current` returns the race as it is now, and `begun` whether a race has something to draw. The
    whole page is run again when its buttons or cards change, or when the first chart can be drawn.
    """
    live, drawn = not race.status.ended, begun(race)

    def status() -> None:
        now = current()
        if now is None:
            return
        session.touch()
        _status_row(now)
        if not begun(now):
            preload()
            st.caption(waiting(now))
        if live and (_page_state(now) != _page_state(race) or (begun(now) and not drawn)):
            st.rerun()

    queued = race.position is not None
    period = REDRAW_SECONDS if drawn or queued else FIRST_CHART_SECONDS
    return st.fragment(status, run_every=period if live else None, key="status_told")


def _page_state(race: RaceSnapshot) -> tuple[object, ...]:
    """Return what the page shows of a race outside its charts."""
    failed = [run.run_id for run in race.runs if run.status == RunStatus.FAILED]
    return race.status, race.warning, tuple(failed)


def _status_row(race: RaceSnapshot) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="status"):
        name, icon, colour = BADGES[race.status]
        st.badge(name, icon=icon, color=colour)
        st.caption(_description(race), width="content")
        if race.position is not None:
            st.caption(f"**Number {race.position} in the queue**", width="content")
        elif not race.status.ended and race.horizon:
            st.progress(min(race.t / race.horizon, 1.0), width=110)
            st.caption(progress_text(race), width="content")
        if race.disturbed is not None:
            chip = ":orange[:material/warning: Timings disturbed]"
            with st.popover(chip, type="tertiary", key="amber"):
                st.markdown(DISTURBED.format(factor=race.disturbed))


def waiting(race: RaceSnapshot) -> str:
    """Return what a race without a curve is waiting for."""
    warmup = race.runs[0].config.warmup
    if race.position is not None:
        return (
            "Three races are already running on this machine. This one starts when one of them "
            "ends, or after two minutes in place of a race that is not being watched."
        )
    if race.status.ended:
        return "No query was made after the warm-up, so there is no curve to draw."
    if race.status == RunStatus.STARTING:
        loading = "Loading PyTorch takes about 3 s, once." if _loads_torch(race) else "Starting."
        return f"{loading} The first {warmup} queries are random."
    made = min((len(run) for run in race.runs), default=0)
    return f"{made} of {warmup} random warm-up queries made."


def progress_text(race: RaceSnapshot) -> str:
    """Return simulated time, remaining time and simulation speed in words."""
    parts = [f"{minutes(race.t)} of {minutes(race.horizon or 0.0)}"]
    if race.status != RunStatus.PAUSED:
        parts.append("estimating" if race.eta is None else f"{_remaining(race.eta)} left")
    elif race.yielded:
        parts.append("paused for waiting races; resumes automatically")
    if race.pace is not None:
        parts.append(f"simulating at {race.pace:.1f}\N{MULTIPLICATION SIGN} real speed")
    return SEPARATOR.join(parts)


def minutes(seconds: float) -> str:
    """Return a time as minutes and seconds: 3:05."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def failures(race: RaceSnapshot) -> None:
    """Show one card per cause of failure, with the traceback in an expander; then the warning."""
    failed: dict[tuple[str, str], list[RunSnapshot]] = {}
    for run in race.runs:
        if run.status == RunStatus.FAILED:
            reason = (run.error or "no reason was recorded").partition("\n")[0]
            failed.setdefault((run.config.algorithm, reason), []).append(run)
    for (algorithm, reason), runs in failed.items():
        first = runs[0]
        when = f"at {first.columns['t'][-1]:.1f} s" if len(first) else "before its first query"
        what = f"**{markdown.escape(label(algorithm))}** failed {when} ({_seeds(runs)})"
        st.error(f"{what}: {markdown.escape(reason)}", icon=":material/error:")
        if details := (first.error or "").partition("\n")[2].strip():
            with st.expander("Details", icon=":material/code:", type="compact"):
                st.code(details, language=None)
    if race.warning:
        continues = "" if race.status.ended else " The race continues."
        st.caption(f":material/warning: {markdown.escape(race.warning)}{continues}")
        _toast_once(race)


def _toast_once(race: RaceSnapshot) -> None:
    """Show the warning of a race as a toast, once per session."""
    warned = st.session_state.setdefault("warned", set())
    if race.race_id not in warned:
        warned.add(race.race_id)
        st.toast(markdown.escape(race.warning or ""), icon=":material/warning:", duration="long")


def unknown_race(race_id: str | None) -> None:
    """Say that the race of a link is not on this server; its settings may be in the link too."""
    if race_id is None:
        return
    with st.container(width=layout.TEXT_WIDTH):
        st.subheader("This race is not on this server", anchor=False)
        st.write(
            "It was run elsewhere, or its files were deleted. If the link has settings, they are "
            "in the toolbar above: start a live race to repeat it. Below is the built-in recording."
        )
        st.code(race_id, language=None)


def _description(race: RaceSnapshot) -> str:
    config = race.runs[0].config
    name = markdown.escape(benchmark_label(config, race.runs[0].header))
    return SEPARATOR.join([name, _seeds(race.runs), clock_label(config.clock)])


def _loads_torch(race: RaceSnapshot) -> bool:
    """Return whether a run needs BoTorch and nothing has imported it yet."""
    needed = any(run.config.engine.name == "botorch" for run in race.runs)
    return needed and "botorch" not in sys.modules


def _seeds(runs: Sequence[RunSnapshot]) -> str:
    seeds = sorted({run.config.seed for run in runs})
    return f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"


def _remaining(seconds: float) -> str:
    if seconds >= HOUR_SECONDS:
        return duration(seconds)
    return f"{seconds:.0f} s" if seconds < 60 else minutes(seconds)
