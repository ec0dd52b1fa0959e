"""The status of a race on its page: the status row, failures, and unknown links."""

import streamlit as st

from bolt_core.charts import status_row
from bolt_core.common.types import RunStatus
from bolt_core.runs.lane_names import label
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot
from bolt_ui import layout, markdown
from bolt_ui.chart_component import status

has_begun = status_row.has_begun  # for pages, which import nothing from the core


def row(race: RaceSnapshot, run: str = "") -> None:
    """Show the status of a race, which the browser keeps up to date with its polls.

    `run` names the run that the page shows; empty for a page that shows all runs.
    """
    status(race.race_id, status_row.status_row(race, run), run=run, live=not race.status.ended)


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
        what = f"**{markdown.escape(label(algorithm))}** failed {when} ({status_row.seeds(runs)})"
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
