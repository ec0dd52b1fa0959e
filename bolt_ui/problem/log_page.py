"""What was found in a log: the roles of its columns, the verdict, advice, and where to go on."""

import streamlit as st

from bolt_core.common.text import counted, in_natural_unit, shortened
from bolt_core.figures.problem.log_outcome import log_outcome
from bolt_core.figures.problem.log_profile import interval_words, log_profile
from bolt_core.logs.log import Log
from bolt_core.logs.verdict import Drift, Verdict
from bolt_ui import layout, links, markdown
from bolt_ui.chart_component import still
from bolt_ui.problem import log_next_steps, log_roles, selection
from bolt_ui.problem.log_jobs import LogJob, Phase
from bolt_ui.server_state import server
from bolt_ui.widgets import button, page_link

REFRESH_SECONDS = 0.5
ANSWERS = {  # badge, icon, colour
    Drift.YES: ("It drifts", "moving", "orange"),
    Drift.NO: ("No drift", "trending_flat", "green"),
    Drift.UNKNOWN: ("Cannot tell", "help", "gray"),
}
PHASES = (Phase.READING, Phase.ANALYSING)


def show(job: LogJob) -> None:
    """Show a log as far as it is analysed."""
    _head(job)
    if job.error is not None:
        st.error(markdown.escape(job.error), icon=":material/error:")
        if job.headings:
            log_roles.card(job)
        return
    narrow, wide = st.columns([5, 7], gap="small")
    with narrow.container(border=True, height="stretch"):
        if job.log is None:
            st.markdown("**What was read**")
            st.skeleton(height=200)
        else:
            log_roles.card(job)
    with wide.container(border=True, height="stretch"):
        if job.verdict is None:
            _progress(job.key)
        else:
            _verdict(job.verdict)
    if job.log is not None:
        _charts(job.log, job.verdict)
    if job.log is not None and job.verdict is not None:
        _advice(job)
        log_next_steps.card(job, job.log, job.verdict)


def _head(job: LogJob) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(markdown.escape(shortened(job.name, 60)), anchor=False, width="content")
        if job.log is not None:
            st.caption(_extent(job.log), width="content")
        st.space("stretch")
        button("Bring another log", "upload", "log_again", lambda: selection.show_log(None))


def _extent(log: Log) -> str:
    start = "" if log.origin is None else f", from {log.origin:%Y-%m-%d %H:%M} UTC"
    return f"{counted(len(log), 'row')} over {in_natural_unit(log.span)}{start}"


def _progress(key: str) -> None:
    """Show how far the analysis is; the page is drawn again when there is more to show."""
    drawn = server().logs.get(key)

    def body() -> None:
        job = server().logs.get(key)
        if (
            job is None
            or drawn is None
            or job.phase.ended
            or (job.log is None) != (drawn.log is None)
        ):
            st.rerun()
        st.markdown("**Does it drift?**")
        for phase in PHASES:
            done = PHASES.index(phase) < (PHASES.index(job.phase) if job.phase in PHASES else 0)
            now = phase == job.phase
            icon = (
                "check_circle" if done else "progress_activity" if now else "radio_button_unchecked"
            )
            st.markdown(f":material/{icon}: {phase}" + (f", {job.seconds:.0f} s" if now else ""))
        if job.phase == Phase.QUEUED:
            st.caption(f"{Phase.QUEUED}.")

    st.fragment(body, run_every=REFRESH_SECONDS, key="log_progress")()


def _verdict(verdict: Verdict) -> None:
    """Show the answer as a badge and in sentences, with its numbers."""
    badge, icon, colour = ANSWERS[verdict.drift]
    st.markdown(f":{colour}-badge[:material/{icon}: {badge}]")
    for place, words in enumerate(verdict.texts):
        if place == 0:
            st.subheader(typeset(words), anchor=False)
        else:
            st.markdown(typeset(words))
    if verdict.lengthscale is None:
        return
    with st.container(horizontal=True, gap="medium"):
        _number(
            "Evidence for drift", f"{verdict.evidence:,.1f}", f"{verdict.threshold:g} is needed"
        )
        _number("Lengthscale in time", _lengthscale(verdict), interval_words(verdict))
        used = f"of {verdict.total:,}" if verdict.thinned else "all of them"
        _number("Rows used", f"{len(verdict.rows):,}", used)


def typeset(words: str) -> str:
    """Return a sentence about a log as Markdown: names from the file literally, l_T as a symbol."""
    return markdown.escape(words).replace(r"l\_T", "$l_T$")


def _lengthscale(verdict: Verdict) -> str:
    """Return l_T; without drift only how long it is at least."""
    low = None if verdict.interval is None else verdict.interval.low
    if verdict.drift is Drift.NO and low is not None:
        return f"> {in_natural_unit(low)}"
    return in_natural_unit(verdict.lengthscale or 0.0)


def _number(label: str, value: str, hint: str) -> None:
    st.metric(label, value, help=hint, width="content")


def _charts(log: Log, verdict: Verdict | None) -> None:
    first, second = st.columns(2, gap="small")
    with layout.titled(f"**{markdown.escape(log.spec.outcome)}** over time", first):
        still(log_outcome(log), key="log_outcome", height=layout.CHART_HEIGHT)
    with layout.titled("**How fast**: lengthscales that explain the log", second):
        if verdict is None:
            st.skeleton(height=layout.CHART_HEIGHT)
        else:
            still(log_profile(verdict, log.span), key="log_profile", height=layout.CHART_HEIGHT)


def _advice(job: LogJob) -> None:
    if job.advice is None:
        return
    with layout.titled("**What follows**, on this machine"):
        for words in job.advice.texts:
            st.markdown(typeset(words))
        if job.advice.lab:
            page_link(
                links.LAB, r"See why in the n\* lab", "science", query_params=dict(job.advice.lab)
            )
