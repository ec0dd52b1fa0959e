"""A lesson on the screen: its question, a prediction, the run, and what came true."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

from bolt_core.runs import duration_estimate
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_ui import links, markdown, race_buttons, race_status, session
from bolt_ui.chart_component import still
from bolt_ui.lessons import lesson_state
from bolt_ui.lessons.lesson_catalog import LESSONS, Lesson
from bolt_ui.lessons.lesson_judges import Verdict
from bolt_ui.lessons.lesson_state import Sitting, Stage
from bolt_ui.markdown import with_math

FIGURE = 280  # pixels
UNSAID = "No prediction was made."


def show(sitting: Sitting) -> None:
    """Whatever its stage has to say, in one card above the charts."""
    with st.container(border=True, key="lesson"):
        _title(sitting.lesson)
        st.subheader(with_math(sitting.lesson.question), anchor=False)
        STAGES[sitting.stage](sitting)


def unknown() -> None:
    """A link to a lesson that does not exist."""
    if (asked := lesson_state.unknown()) is None:
        return
    with st.container(border=True, key="lesson"):
        st.markdown(f"There is no lesson called **{markdown.escape(asked)}**. These exist:")
        with st.container(horizontal=True):
            for lesson in LESSONS:
                _link(lesson)


def _title(lesson: Lesson) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        number = LESSONS.index(lesson) + 1
        st.caption(
            f":material/school: Lesson {number} of {len(LESSONS)} \N{MIDDLE DOT} {lesson.title}",
            width="stretch",
        )
        st.button(
            "Leave the lesson",
            key="lesson_leave",
            type="tertiary",
            icon=":material/close:",
            on_click=lesson_state.leave,
        )


def _ask(sitting: Sitting) -> None:
    """Choose an option; that, or a skip, allows the run."""
    lesson = sitting.lesson
    if sitting.trouble:
        st.warning(markdown.escape(sitting.trouble), icon=":material/warning:")
    _options(sitting)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Run the race",
            icon=":material/play_arrow:",
            type="primary",
            key="lesson_run",
            shortcut="S",
            disabled=sitting.stage == Stage.ASKED,
            on_click=partial(_run, lesson),
            help="Choose what you expect first." if sitting.stage == Stage.ASKED else None,
        )
        if sitting.guess is None:
            st.button(
                "Skip the prediction", key="lesson_skip", on_click=partial(_run, lesson, skip=True)
            )
        st.caption(expectation(lesson), width="content")
    if reason := session.refusal():
        st.error(
            f"{markdown.escape(reason)}. Your prediction is kept in the address of this page.",
            icon=":material/error:",
        )


def _options(sitting: Sitting) -> None:
    key = f"guess_{sitting.lesson.key}"
    st.radio(
        "What do you expect?",
        range(len(sitting.lesson.options)),
        index=sitting.guess,
        format_func=lambda k: with_math(sitting.lesson.options[k]),
        key=key,
        on_change=lambda: lesson_state.predict(st.session_state[key]),
    )


def _wait(sitting: Sitting) -> None:
    """In line or running; who only watches may still say what they expect."""
    if sitting.guess is None and not sitting.skipped:
        _options(sitting)
    else:
        st.markdown(_expected(sitting))
    race = sitting.race
    if race is not None and not session.owns_race(race.race_id):
        st.caption("Somebody else runs this lesson: you watch it, and see the answer with them.")
    st.caption(
        "The answer comes when the race has ended. While you wait, look at: "
        + with_math(_uncapitalised(sitting.lesson.look))
    )
    if race is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            race_buttons.buttons(race)
    race_buttons.refusal()


def _cut_off(sitting: Sitting) -> None:
    race = sitting.race
    assert race is not None
    st.markdown(_expected(sitting))
    st.markdown(
        f"This run ended as **{race.status}** at {race_status.minutes(race.t)} of "
        f"{race_status.minutes(race.horizon or 0.0)}, before it could settle the question."
    )
    _ways_on(sitting)


def _reveal(sitting: Sitting) -> None:
    """The prediction against the run, the run against what was expected of it, and why."""
    lesson, race = sitting.lesson, sitting.race
    assert race is not None
    verdict = lesson.judge(race)
    text, shown = st.columns([2, 3], gap="medium")
    with text:
        st.markdown(_expected(sitting))
        outcome(sitting, verdict)
        st.markdown(with_math(verdict.said))
        if note := disagreement(lesson, race, verdict):
            st.warning(with_math(note), icon=":material/balance:")
        st.markdown(f"**Why.** {with_math(lesson.reveal)}")
        st.markdown(f"**Look at.** {with_math(lesson.look)}")
    with shown:
        still(verdict.figure, key="lesson_figure", height=FIGURE, view=race.race_id)
    _ways_on(sitting)


def outcome(sitting: Sitting, verdict: Verdict) -> None:
    """Whether the prediction came true in this run."""
    if verdict.option is None:
        st.badge("This run does not say", icon=":material/question_mark:", color="gray")
        return
    true = with_math(sitting.lesson.options[verdict.option])
    if sitting.guess is None:
        st.markdown(f"What happened: **{true}**")
    elif sitting.guess == verdict.option:
        st.badge("Your prediction came true", icon=":material/check:", color="green")
    else:
        st.badge("It came out otherwise", icon=":material/close:", color="orange")
        st.markdown(f"What happened: **{true}**")


def disagreement(lesson: Lesson, race: RaceSnapshot, verdict: Verdict) -> str | None:
    """Why this run is not what the lesson was written for, if it is not."""
    usual = f"What usually happens here is: {lesson.options[lesson.answer]}."
    changed = any(run.speeds for run in race.runs)
    because = (
        "The speed of the device was changed during this run, so it is another race than the "
        "lesson's."
        if changed
        else "One run is one run: another seed or another machine's rounding may tip it."
    )
    if verdict.option == lesson.answer:
        return because if changed else None
    return f"This run disagrees with the lesson. {usual} {because} The reason below is the usual's."


def expectation(lesson: Lesson) -> str:
    """How long a press will take, before it is made."""
    configs = lesson.configs()
    seconds = sum(duration_estimate.cpu_seconds(config) for config in configs)
    return (
        f"{len(configs)} runs of {configs[0].horizon:g} s on the model clock: about "
        f"{5 * math.ceil(seconds / 5)} s here if the machine is idle."
    )


def _expected(sitting: Sitting) -> str:
    if sitting.guess is None:
        return UNSAID
    return f"Predicted: **{with_math(sitting.lesson.options[sitting.guess])}**"


def _ways_on(sitting: Sitting) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Ask me again",
            key="lesson_again",
            icon=":material/replay:",
            on_click=lesson_state.again,
        )
        following = LESSONS[(LESSONS.index(sitting.lesson) + 1) % len(LESSONS)]
        _link(following, "Next: ")
        st.page_link(links.GUIDE, label="All lessons", icon=":material/menu_book:")


def _link(lesson: Lesson, before: str = "") -> None:
    page, query = lesson.link()
    label = f"{before}{lesson.title}"
    st.page_link(page, label=label, icon=":material/school:", query_params=query)


def _run(lesson: Lesson, *, skip: bool = False) -> None:
    if skip:
        lesson_state.predict(None)
    st.session_state["x"] = lesson.x
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
