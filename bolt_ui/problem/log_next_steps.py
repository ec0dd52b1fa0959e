"""Where to go on from a log: a race on its twin, or a problem that is warm-started with it."""

from datetime import UTC, datetime, timedelta
from functools import partial

import streamlit as st

from bolt_core.benchmarks.twin import DEFAULT_QUERIES, race_length
from bolt_core.common.errors import BoltError
from bolt_core.common.text import counted, display_name, in_natural_unit, sentence
from bolt_core.figures.problem.present import is_forgotten
from bolt_core.logs.log import Log
from bolt_core.logs.verdict import Verdict
from bolt_core.problems.problems import MeasuredRow
from bolt_ui import layout, links, markdown
from bolt_ui.problem import selection
from bolt_ui.problem.log_jobs import LogJob
from bolt_ui.race_settings import DEFAULT_ALGORITHMS
from bolt_ui.server_state import server
from bolt_ui.widgets import button

MAX_ROWS = 5000  # of a log that a problem begins with, the newest
REFUSED = "log_refused"  # in the session: why the last press had no effect
MINUTE = "%Y-%m-%d %H:%M UTC"
TWIN = (
    "A sample of the process that was fitted to your log, and that passes through your log within "
    "its noise. Algorithms race on it in the Arena, and nothing of your plant is touched."
)


def card(job: LogJob, log: Log, verdict: Verdict) -> None:
    """Show both ways on."""
    if reason := st.session_state.pop(REFUSED, None):
        st.error(markdown.escape(reason), icon=":material/error:")
    first, second = st.columns(2, gap="small")
    with layout.titled("**Try it on a twin**", first):
        st.markdown(TWIN)
        st.caption(
            "There are too few rows to fit a process."
            if verdict.inference is None
            else _race_in_words(log)
        )
        st.space("stretch")
        pressed = st.button(
            "Race on a twin of this process",
            icon=":material/stadium:",
            key="log_twin",
            disabled=verdict.inference is None,
        )
    with layout.titled("**Go on with your plant**", second):
        rows = min(len(log), MAX_ROWS)
        enough = rows >= log.spec.warmup
        chosen = "is chosen by the model, not at random" if enough else "is still random"
        begins = f"A new problem that begins with {_rows_in_words(rows, len(log))}"
        st.markdown(f"{begins}: its first setting {chosen}.")
        if verdict.lengthscale is not None:
            st.caption(
                "Its $l_T$ may differ from the one above: it is learned from the rows that BOLT "
                "keeps, with one lengthscale for all knobs, and again with every measurement."
            )
        now = _ends_now(job, log, verdict.lengthscale)
        st.space("stretch")
        button(
            "Start from this log",
            "play_arrow",
            "log_start",
            partial(_start, log, ends_now=now),
            type="primary",
        )
    if pressed:
        _open_twin(log, verdict)


def _race_in_words(log: Log) -> str:
    """Say how often a race on the twin queries, and why not at every row."""
    race = race_length(log.span, log.spacing)
    every = f"A race covers {in_natural_unit(race.horizon)}, with a query every "
    if race.cost <= log.spacing:
        return f"{every}{in_natural_unit(race.cost)}, as in the log."
    return (
        f"{every}{in_natural_unit(race.cost)}. Your rows are {in_natural_unit(log.spacing)} apart; "
        f"a race has at most {DEFAULT_QUERIES} queries, so that it ends within minutes."
    )


def _rows_in_words(rows: int, total: int) -> str:
    return f"the newest {rows:,} of {total:,} rows" if rows < total else counted(rows, "row")


def _ends_now(job: LogJob, log: Log, lengthscale: float | None) -> bool:
    """Ask whether an old log counts as if it ended now; return the answer."""
    if log.origin is None:
        st.caption("The file has no dates: its last row counts as measured now.")
        return True
    age = (datetime.now(UTC) - log.origin).total_seconds() - log.span
    if age < log.spacing:
        return False
    forgotten = is_forgotten(age, lengthscale)
    if forgotten:
        st.caption(
            f"With $l_T$ = {in_natural_unit(lengthscale or 0.0)}, rows that are "
            f"{in_natural_unit(age)} old say next to nothing about now. To learn from them, their "
            "last one has to count as measured now."
        )
    return st.checkbox(
        f"Count the last row as measured now (it is {in_natural_unit(max(age, 0.0))} old)",
        value=job.example or forgotten,
        key=f"log_ends_now_{job.key}",
        help="The process has drifted since the log ended: where its best setting is now has to be "
        "measured again. How fast it drifts is learned from the log either way.",
    )


def _start(log: Log, *, ends_now: bool) -> None:
    """Create the problem and show it."""
    try:
        now = datetime.now(UTC)
        rows = measured_rows(log, now, ends_now=ends_now)
        notes = [origin_in_words(log, now, ends_now=ends_now)]
        created = server().problems.create(log.spec, selection.caller(), rows, notes)
        selection.show_problem(created.id)
    except BoltError as problem:
        st.session_state[REFUSED] = sentence(str(problem))


def origin_in_words(log: Log, now: datetime, *, ends_now: bool) -> str:
    """Return which rows a problem began with, and whether their times were shifted."""
    rows = _rows_in_words(min(len(log), MAX_ROWS), len(log))
    words = f"It began with {rows} of {display_name(log.name)}"
    if log.origin is None:
        return f"{words}, which has no dates: its last row counts as measured on {now:{MINUTE}}."
    end = log.origin + timedelta(seconds=log.span)
    if not ends_now:
        return f"{words}, whose last row was measured on {end:{MINUTE}}."
    age = in_natural_unit(max((now - end).total_seconds(), 0.0))
    return (
        f"{words}, whose last row was measured on {end:{MINUTE}}. All of its times were moved by "
        f"{age}, so that the last row counts as measured on {now:{MINUTE}}."
    )


def measured_rows(log: Log, now: datetime, *, ends_now: bool) -> list[MeasuredRow]:
    """Return the newest rows of a log as measurements of a problem, oldest first."""
    last = float(log.times[-1])
    begin = now - timedelta(seconds=last) if ends_now or log.origin is None else log.origin
    settings = log.settings()
    return [
        MeasuredRow(settings[k], begin + timedelta(seconds=float(log.times[k])), float(log.y[k]))
        for k in range(max(len(log) - MAX_ROWS, 0), len(log))
    ]


def _open_twin(log: Log, verdict: Verdict) -> None:
    """Store the twin and open the Arena with it and four algorithms in the toolbar."""
    from bolt_core.benchmarks import stored_twins
    from bolt_core.logs.twin import twin_of

    try:
        key = stored_twins.save(twin_of(log, verdict))
        query = links.race(key, DEFAULT_ALGORITHMS)
    except BoltError as problem:
        st.session_state[REFUSED] = sentence(str(problem))
        st.rerun()
    st.switch_page(links.ARENA, query_params=query)
