"""A lesson on screen: its question, the prediction, the race and the answer."""

from functools import partial

import streamlit as st

from bolt_core.common.text import minutes
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui import links, markdown, page_head, presentation, race_buttons, session
from bolt_ui.chart_component import still
from bolt_ui.lessons import class_panel, lesson_stage, lesson_state
from bolt_ui.lessons.lesson_catalog import LESSONS, Lesson
from bolt_ui.lessons.lesson_judges import Verdict
from bolt_ui.lessons.lesson_stage import page_of, query_of
from bolt_ui.lessons.lesson_state import LessonState, Stage
from bolt_ui.markdown import with_math
from bolt_ui.race_buttons import start_button
from bolt_ui.race_settings import expectation
from bolt_ui.widgets import button, page_link

FIGURE_HEIGHT = 280  # pixels


def show(state: LessonState) -> None:
    """Show the current stage of a lesson in a card above the charts."""
    lesson_stage.follow_press()
    with st.container(border=True, key="lesson"):
        if presentation.on_stage():
            lesson_stage.head(state.lesson)
            st.header(with_math(state.lesson.question), anchor=False)
        else:
            _title(state.lesson)
            st.subheader(with_math(state.lesson.question), anchor=False)
        STAGES[state.stage](state)
        if state.stage != Stage.REVEALED:
            class_panel.show(state.lesson, racing=state.stage == Stage.UNDER_WAY)


def unknown_lesson() -> None:
    """Say that the lesson in the link does not exist, and link to those that do."""
    if (key := lesson_state.unknown_key()) is None:
        return
    with st.container(border=True, key="lesson"):
        st.markdown(f"There is no lesson **{markdown.escape(key)}**. The lessons are:")
        with st.container(horizontal=True):
            for lesson in LESSONS:
                link(lesson, lesson.title)


def _title(lesson: Lesson) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        number = f"Lesson {LESSONS.index(lesson) + 1} of {len(LESSONS)}"
        page_head.compact_heading(lesson.title)
        st.caption(f":material/school: {number}", width="stretch")
        presentation.enter_button()
        button("Leave the lesson", "close", "lesson_leave", lesson_state.leave, type="tertiary")


def _ask(state: LessonState) -> None:
    """Ask for a prediction; the race can start after it is made or skipped."""
    start = partial(_run, state.lesson)
    asked = state.stage == Stage.ASKED
    advice = "Choose what you expect, or skip the prediction." if asked else None
    if state.problem:
        st.warning(markdown.escape(state.problem), icon=":material/warning:")
    _options(state)
    with st.container(horizontal=True, vertical_alignment="center"):
        start_button("Start the race", start, "lesson_run", disabled=asked, help=advice)
        if state.guess is None:
            skip = partial(start, skip=True)
            st.button("Skip the prediction", key="lesson_skip", on_click=skip)
        st.caption(expectation(state.lesson.configs(), session.live_races()), width="content")
    race_buttons.refusal(". Your prediction is saved in the address of this page.")


def _options(state: LessonState) -> None:
    key = f"guess_{state.lesson.key}"
    st.radio(
        "What do you expect?",
        range(len(state.lesson.options)),
        index=state.guess,
        format_func=lambda k: with_math(state.lesson.options[k]),
        key=key,
        on_change=lambda: lesson_state.predict(st.session_state[key]),
    )


def _wait(state: LessonState) -> None:
    """Show the prediction while the race runs; a viewer without one can still make it."""
    if state.guess is None and not state.skipped:
        _options(state)
    else:
        st.markdown(_expected(state))
    race = state.race
    assert race is not None
    if not session.owns_race(race.race_id):
        st.caption("Another visitor started this race. You can watch it and will see the answer.")
    st.caption(
        "The answer is shown when the race has ended. Meanwhile, look at: "
        + with_math(_uncapitalised(state.lesson.look))
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        race_buttons.buttons(race)
    race_buttons.refusal()


def _cut_off(state: LessonState) -> None:
    """Say that the race ended too early to decide."""
    race = state.race
    assert race is not None
    st.markdown(_expected(state))
    st.markdown(
        f"This race ended (**{race.status}**) at {minutes(race.t)} of "
        f"{minutes(race.horizon or 0.0)}, too early to answer the question."
    )
    _next_steps(state)


def _reveal(state: LessonState) -> None:
    """Compare the prediction with the race, and explain the usual outcome."""
    lesson, race = state.lesson, state.race
    assert race is not None
    verdict = lesson.judge(race)
    text, figure = st.columns([2, 3], gap="medium")
    with text:
        st.markdown(_expected(state))
        _outcome(state, verdict)
        st.markdown(with_math(verdict.summary))
        if note := _disagreement(lesson, race, verdict):
            st.warning(with_math(note), icon=":material/balance:")
        st.markdown(f"**Why.** {with_math(lesson.reveal)}")
        st.markdown(f"**Look at.** {with_math(lesson.look)}")
    with figure:
        still(verdict.figure, key="lesson_figure", height=FIGURE_HEIGHT, view=race.race_id)
    class_panel.show(lesson, racing=True, outcome=verdict.option)
    _next_steps(state)


def _outcome(state: LessonState, verdict: Verdict) -> None:
    """Show whether the prediction came true."""
    if verdict.option is None:
        st.badge("This run does not decide", icon=":material/question_mark:", color="gray")
        return
    if state.guess == verdict.option:
        st.badge("Your prediction came true", icon=":material/check:", color="green")
        return
    if state.guess is not None:
        wrong = "The run disagreed with your prediction"
        st.badge(wrong, icon=":material/close:", color="orange")
    st.markdown(f"What happened: **{with_math(state.lesson.options[verdict.option])}**")


def _disagreement(lesson: Lesson, race: RaceSnapshot, verdict: Verdict) -> str | None:
    """Return why this race differs from the lesson's; None if it does not."""
    changed = any(run.speeds for run in race.runs)
    reason = (
        "The speed of the device was changed during this run, so its settings are not the lesson's."
        if changed
        else "With another seed, or other rounding errors, a single run can end differently."
    )
    if verdict.option == lesson.answer:
        return reason if changed else None
    return (
        f"This run disagrees with the lesson. The usual outcome is: {lesson.options[lesson.answer]}"
        f". {reason} The explanation below is for the usual outcome."
    )


def _expected(state: LessonState) -> str:
    if state.guess is None:
        return "No prediction was made."
    return f"Predicted: **{with_math(state.lesson.options[state.guess])}**"


def _next_steps(state: LessonState) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        button("Try again", "replay", "lesson_again", lesson_state.restart)
        following = LESSONS[LESSONS.index(state.lesson) + 1 :]
        if following:
            link(following[0], f"Next: {following[0].title}")
        else:
            st.caption("This was the last lesson.", width="content")
            button("Start a race of your own", "stadium", "lesson_own", lesson_state.free_arena)
            page_link(links.SCOREBOARD, "Compare many seeds on the Scoreboard", "leaderboard")
        page_link(links.GUIDE, "All lessons", "menu_book")


def link(lesson: Lesson, label: str) -> None:
    """Show a link that opens a lesson at its question."""
    page_link(page_of(lesson), label, "school", query_params=query_of(lesson))


def _run(lesson: Lesson, *, skip: bool = False) -> None:
    if skip:
        lesson_state.predict(None)
    session.start(lesson.configs())


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


STAGES = {
    Stage.ASKED: _ask,
    Stage.PREDICTED: _ask,
    Stage.UNDER_WAY: _wait,
    Stage.CUT_OFF: _cut_off,
    Stage.REVEALED: _reveal,
}
