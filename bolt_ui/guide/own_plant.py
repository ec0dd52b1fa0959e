"""Use it on my plant: from a log to a loop in five steps, each with a link."""

from dataclasses import dataclass

import streamlit as st

from bolt_ui import links
from bolt_ui.markdown import with_math
from bolt_ui.widgets import page_link


@dataclass(frozen=True, slots=True)
class PlantStep:
    """What to do, and where."""

    title: str
    text: str
    label: str  # of the link
    door: str = ""  # of the page "Your problem"; "": the Arena
    example: str = ""  # the log to begin with


STEPS = (
    PlantStep(
        "Bring a log",
        "Export what you have as CSV: one row per measurement, with a time, the knobs and one "
        "outcome. The page guesses which column is what and says why. If you have no log, describe "
        "the knobs and go on with step 4.",
        "Bring a log",
        "log",
    ),
    PlantStep(
        "Read the verdict",
        "Does the effect of the knobs change with time, and over which l_T? Too few rows to say is "
        "an answer too. n* and the advice on sampling say how much data to keep and how often to "
        "measure.",
        "See an example",
        "log",
        "reactor.csv",
    ),
    PlantStep(
        "Race on a twin",
        "The twin is a sample of the process that was fitted to your log. Race algorithms on it "
        "before anything is touched: which one tracks your process best?",
        "Go to the Arena",
    ),
    PlantStep(
        "Start the loop",
        "Start from the log, or describe the knobs with ranges, units and the largest step that "
        "your plant allows. The page shows the next setting; set it, measure, type the value, "
        "press Enter. A setting stays fresh for as long as the page says. Failed, Skip and Undo "
        "are for what happens at a plant.",
        "Describe the knobs",
        "describe",
    ),
    PlantStep(
        "Let a program do it",
        "The same problem can be driven over HTTP: under Share and export, the page has its token "
        "and the two requests of a loop. The page shows what the program does, live.",
        "Open your problems",
        "list",
    ),
)


def section() -> None:
    """Show the five steps."""
    st.header("Use it on my plant", anchor="use-it-on-my-plant")
    st.markdown(
        "From a log to a loop in five steps, without a line of Python. To see the whole loop "
        "first, press **Try it with a simulated plant** on the page **Your problem**."
    )
    for number, step in enumerate(STEPS, 1):
        with st.container(border=True):
            st.markdown(f"**{number}. {step.title}.** {with_math(step.text)}")
            if not step.door:
                page_link(links.ARENA, step.label, "stadium")
            elif step.door == "list":
                page_link(links.PROBLEM, step.label, "tune")
            else:
                query = {"door": step.door} | ({"example": step.example} if step.example else {})
                page_link(links.PROBLEM, step.label, "tune", query_params=query)
