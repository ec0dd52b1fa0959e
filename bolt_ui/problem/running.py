"""A problem that runs: its head, the loop of setting and measurement, its charts and its table."""

from datetime import UTC, datetime
from functools import partial

import streamlit as st

from bolt_core.charts.problem_row import page_state, problem_row
from bolt_core.common.text import counted, display_name
from bolt_core.figures.problem.told_table import pages
from bolt_core.problems.problem_view import ProblemView
from bolt_core.problems.reading import RACE_PREFIX
from bolt_ui import chart_component, layout, markdown
from bolt_ui.problem import actions, components, knob_changes, selection, sharing
from bolt_ui.server_state import server
from bolt_ui.widgets import button

ANSWER = "problem_answer"  # in the session: what became of the last press
MEASURED_HEIGHT, KNOB_HEIGHT, WHY_HEIGHT = 320, 220, 440  # pixels
RELEVANCE = "**Relevance of each measurement** W\N{SUBSCRIPT TWO}"
KNOBS_PER_ROW = 3
MAX_KNOBS_DRAWN = 12
WATCHING = (
    "You are watching. Only the browser that created this problem, a program with its token, and "
    "the operator of this server, may enter measurements or change it."
)


def show(view: ProblemView) -> None:
    """Show the whole page of one problem."""
    may_change = server().problems.may_change(view.id, selection.caller())
    _head(view, may_change)
    if reason := actions.refusal():
        st.error(markdown.escape(reason), icon=":material/error:")
    for note in view.notes:
        st.caption(f":material/info: {markdown.escape(note)}")
    if may_change and view.next is None and not server().problems.is_running(view.id):
        actions.attempt(partial(server().problems.next_setting, view.id, selection.caller()))
        view = server().problems.view(view.id)
    left, right = st.columns([5, 7], gap="small")
    with left.container(border=True, height="stretch"):
        _loop(view.id, may_change)
    chart = partial(chart_component.panel, race=RACE_PREFIX + view.id, live=True)
    with right:
        layout.card("**Measurements**", "measured", chart, MEASURED_HEIGHT)
    if view.best is None:
        _missing(view)
        _table(view, may_change)
        return
    _knob_charts(view, chart)
    first, second = st.columns(2, gap="small")
    with first:
        layout.card("**How fast it drifts**", "drift", chart, layout.CHART_HEIGHT)
    with second:
        layout.card(RELEVANCE, "scores", chart, layout.CHART_HEIGHT)
    first, second = st.columns(2, gap="small")
    with first:
        layout.card("**Response time** R(n) **and n\\***", "fit", chart, WHY_HEIGHT)
    with second:
        _table(view, may_change)


def _head(view: ProblemView, may_change: bool) -> None:
    """Show the name of the problem, what is optimized, and the buttons for everything rare."""
    spec = view.spec
    with st.container(horizontal=True, vertical_alignment="center", key="problem_bar", gap="small"):
        st.button(
            "All problems",
            icon=":material/arrow_back:",
            key="problem_leave",
            on_click=selection.leave,
            type="tertiary",
        )
        st.title(markdown.escape(display_name(spec.name)), anchor=False, width="content")
        st.caption(
            markdown.escape(f"{spec.direction} {display_name(spec.outcome)}"), width="content"
        )
        st.space("stretch")
        if view.simulated and may_change:
            _plant_button(view.id)
        if may_change:
            knob_changes.popover(view)
        sharing.popover(view, may_change)
    if not may_change:
        st.caption(f":material/visibility: {WATCHING}")
    st.set_page_config(page_title=f"{spec.name} \N{MIDDLE DOT} Your problem \N{MIDDLE DOT} BOLT")


def _plant_button(problem_id: str) -> None:
    problems, by = server().problems, selection.caller()
    if problems.is_running(problem_id):
        stop = partial(actions.attempt, partial(problems.stop_plant, problem_id, by))
        button("Stop the plant", "stop", "plant_stop", stop)
    else:
        start = partial(actions.attempt, partial(problems.start_plant, problem_id, by))
        button("Run the plant", "play_arrow", "plant_start", start)


def _loop(problem_id: str, may_change: bool) -> None:
    """Show the next setting and the field, as a fragment: a press redraws nothing else."""
    problems = server().problems
    drawn_state = page_state(problems.view(problem_id), problems.is_running(problem_id))

    def body() -> None:
        view, running = problems.view(problem_id), problems.is_running(problem_id)
        components.operator(
            RACE_PREFIX + problem_id,
            problem_row(view, running, datetime.now(UTC)),
            key="operator",
            may_change=may_change,
            answer=st.session_state.get(ANSWER),
            on_press=partial(_press, problem_id),
        )
        if page_state(view, running) != drawn_state:
            st.rerun()  # the rest of the page shows the knobs, or whether the plant runs

    st.fragment(body, key="problem_loop")()


def _press(problem_id: str) -> None:
    message = chart_component.pressed("operator")
    if message is not None:
        by = selection.caller()
        st.session_state[ANSWER] = actions.perform(server().problems, problem_id, message, by)


def _knob_charts(view: ProblemView, chart: partial[None]) -> None:
    """Show one slice of the model per knob."""
    names = list(view.spec.knobs)[:MAX_KNOBS_DRAWN]
    for first in range(0, len(names), KNOBS_PER_ROW):
        columns = st.columns(min(KNOBS_PER_ROW, len(names)), gap="small")
        row = names[first : first + KNOBS_PER_ROW]
        for k, (name, column) in enumerate(zip(row, columns, strict=False), first):
            with layout.titled(f"Along **{markdown.escape(display_name(name))}**", column):
                chart("knob", key=f"knob_chart_{k}", height=KNOB_HEIGHT, knob=str(k))
    if len(view.spec.knobs) > MAX_KNOBS_DRAWN:
        st.caption(f"The first {MAX_KNOBS_DRAWN} knobs of {len(view.spec.knobs)} are drawn.")


def _missing(view: ProblemView) -> None:
    """Say what is missing until there is a model, and what will be shown then."""
    warmup = counted(view.spec.warmup, "measurement")
    st.caption(
        f":material/hourglass_empty: After a warm-up of {warmup} the model is learned. Then this "
        "page shows what it expects along each knob, how fast the process drifts, the response "
        r"time R(n) with n\*, and how relevant each measurement still is."
    )


def _table(view: ProblemView, may_change: bool) -> None:
    """Show what was told; the owner corrects a value where it stands."""

    def body() -> None:
        count = pages(server().problems.view(view.id).run)
        with st.container(border=True, height="stretch"):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown("**Measurements told**", width="content")
                if may_change:
                    st.caption("Press a value to correct it.", width="content")
                st.space("stretch")
                page = 1
                if count > 1:
                    page = st.pagination(count, key="told_page")
                sharing.csv_button(view.id, "told_csv")
            if reason := st.session_state.pop("correction_refused", None):
                st.error(markdown.escape(reason), icon=":material/error:")
            press = partial(_correct, view.id) if may_change else None
            components.told_table(RACE_PREFIX + view.id, page, key="results", on_press=press)

    st.fragment(body, key="problem_table")()


def _correct(problem_id: str) -> None:
    message = chart_component.pressed("results")
    if message is not None:
        reason = actions.correct(server().problems, problem_id, message, selection.caller())
        if reason:
            st.session_state["correction_refused"] = reason
