"""A plan for a class of 45 minutes: what to show when, and what to ask."""

from dataclasses import dataclass

import streamlit as st

from bolt_core.store import bundled_race
from bolt_ui import links
from bolt_ui.lessons.lesson_catalog import BY_KEY
from bolt_ui.lessons.lesson_stage import page_of
from bolt_ui.markdown import with_math
from bolt_ui.widgets import page_link


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the class."""

    minutes: int
    show: str
    question: str  # for the class
    page: str = ""  # "": the page of the lesson
    label: str = ""  # of the link; "": the title of the lesson
    lesson: str = ""

    @property
    def target(self) -> tuple[str, dict[str, str]]:
        """Return the page and the query of the link."""
        if self.lesson:
            return page_of(BY_KEY[self.lesson]), {"lesson": self.lesson}
        recording = {"present": "1", "race": bundled_race.RACE_ID}
        return self.page, recording if self.page == links.ARENA else {}

    @property
    def link_text(self) -> str:
        """Return the text of the link."""
        return self.label or BY_KEY[self.lesson].title


PLAN = (
    Step(
        4,
        "Play the built-in recording in presenter mode. Say what moves, what a query is and what "
        "regret is.",
        "Where would you query next, and how sure are you?",
        page=links.ARENA,
        label="Arena, presenter mode",
    ),
    Step(
        5,
        "Run the lesson on the metronome. Ask the class before you start the race.",
        "What does an algorithm pay for keeping all its data?",
        lesson="metronome",
    ),
    Step(
        6,
        "Run the lesson on how much data is enough.",
        "If more data are better, why is keeping all of them not the best?",
        lesson="how-much-data",
    ),
    Step(
        4,
        "Move the sliders of the n* lab: response time, then l_T.",
        "Which slider makes n* larger, and why?",
        page=links.LAB,
        label="n* lab",
    ),
    Step(
        4,
        "Run the lesson on the slower device.",
        "Why does the same objective deserve less data on a slower device?",
        lesson="slower-device",
    ),
    Step(
        5,
        "Run the lesson on the fast engine.",
        "Would you buy the faster machine? What would BOLT do with it?",
        lesson="fast-engine",
    ),
    Step(
        5,
        "Run the lesson on stale observations, and look at the relevance of each observation.",
        "Which observation would you remove, and is it the oldest?",
        lesson="stale-not-old",
    ),
    Step(
        5,
        "Run the lesson on held regret.",
        "Which of the two numbers would the operator of a plant ask for?",
        lesson="held-regret",
    ),
    Step(
        4,
        "Run the lesson on what removing observations gains.",
        "If a device is slow enough, is it worth removing anything? If it is fast enough?",
        lesson="what-removal-gains",
    ),
    Step(
        3,
        "Show the Scoreboard: several seeds, with their spread. A single race proves little.",
        "Which differences are larger than the spread over seeds?",
        page=links.SCOREBOARD,
        label="Scoreboard",
    ),
)


def section() -> None:
    """Show the plan, one row per step with its link."""
    total = sum(step.minutes for step in PLAN)
    st.subheader(f"A class of {total} minutes", anchor="class-plan")
    st.markdown(
        "In each lesson, **Ask the class** gives an address under which everyone predicts on their "
        "own phone. You see the predictions as bars, then start the race. It takes less than a "
        "minute on an idle machine."
    )
    begin = 0
    for step in PLAN:
        with st.container(border=True):
            st.markdown(f"**{begin} to {begin + step.minutes} min.** {with_math(step.show)}")
            st.markdown(f"*Ask:* {with_math(step.question)}")
            page, query = step.target
            page_link(page, with_math(step.link_text), "arrow_forward", query_params=query)
        begin += step.minutes
