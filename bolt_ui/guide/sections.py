"""Parts of the Guide page: questions with a figure each, lessons, glossary, Table 1, citation."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from bolt_core import algorithms
from bolt_core.algorithms.spec import SHARED_DIFFERENCES
from bolt_core.common import runtime
from bolt_core.figures.guide import guide_charts
from bolt_core.figures.guide.removal_example import removal_example
from bolt_core.store.export import BIBTEX
from bolt_ui.chart_component import still
from bolt_ui.guide import text
from bolt_ui.lessons import lesson_panel
from bolt_ui.lessons.lesson_catalog import LESSONS
from bolt_ui.markdown import with_math

DEFAULT_HEIGHT, HEIGHTS = 260, {"trade_off": 360, "removal": 360}  # pixels
FIGURES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "drift": guide_charts.drift,
    "metronome": guide_charts.metronome,
    "trade_off": guide_charts.trade_off,
    "removal": removal_example,
    "clocks": guide_charts.clocks,
}


@st.cache_data(show_spinner=False)
def figures() -> dict[str, str]:
    """Return the five figures as JSON; they are computed once per server."""
    return {name: json.dumps(build(), allow_nan=False) for name, build in FIGURES.items()}


def questions() -> None:
    """Show the five questions as links, then each one with its answer and its figure."""
    links = [f"- [{s.question}](#{s.anchor})" for s in text.SECTIONS]
    st.markdown("\n".join([*links, "- [How do I use it on my plant?](#use-it-on-my-plant)"]))
    for number, section in enumerate(text.SECTIONS, 1):
        st.header(with_math(f"{number}. {section.title}"), anchor=section.anchor)
        if section.question != f"{section.title}?":
            st.markdown(f"**{with_math(section.question)}**")
        st.markdown(with_math(section.answer))
        with st.container(border=True):
            still(
                json.loads(figures()[section.figure]),
                key=f"guide_{section.figure}",
                height=HEIGHTS.get(section.figure, DEFAULT_HEIGHT),
            )


def lessons() -> None:
    """Show each lesson with the link that starts it."""
    st.header("Lessons", anchor="lessons")
    st.markdown(
        "In each lesson you first predict the outcome, then run the race, and then read the "
        "explanation. Every race of a lesson uses seed 0; on other seeds some come out differently."
    )
    for lesson in LESSONS:
        with st.container(border=True):
            st.markdown(f"**{lesson.title}**")
            st.markdown(with_math(lesson.question))
            lesson_panel.link(lesson, "Start this lesson")


def assumptions() -> None:
    """Show the assumptions of the paper, and for each one where it fails."""
    st.header("Assumptions, and where they fail", anchor="assumptions")
    for claim, breaks in text.ASSUMPTIONS.items():
        st.markdown(f"**{with_math(claim)}.** {with_math(breaks)}")


def glossary() -> None:
    """Show the terms and symbols with their meanings."""
    st.header("Glossary", anchor="glossary")
    _table(text.GLOSSARY)


def table_1() -> None:
    """Show Table 1 of the paper, made from the registry of algorithms."""
    st.header("Algorithms (Table 1)", anchor="table-1")
    specs = [s for s in algorithms.catalog().values() if s.kind in ("paper", "control")]
    st.dataframe(
        {
            "Algorithm": [s.label for s in specs],
            "Year": [str(s.year) for s in specs],
            "Assumes of f": [s.assumes_objective for s in specs],
            "Assumes of R(n)": [s.assumes_response_time for s in specs],
            "Stale data": [s.stale_data for s in specs],
            "Guarantee": [s.guarantee for s in specs],
        },
        hide_index=True,
    )
    st.caption(
        "UB: upper bound on the cumulative regret. \u2020: under highly restrictive assumptions. "
        "GPUCB is the control: its model has no time. The Arena also has variants and "
        "baselines."
    )
    st.markdown("**Where ours differ from their sources**")
    ours = "".join(f"\n- {with_math(sentence)}" for sentence in SHARED_DIFFERENCES)
    each = (f"\n- **{s.label}.** {with_math(' '.join(s.differs))}" for s in specs if s.differs)
    st.markdown(ours + "".join(each))


def appendix() -> None:
    """Show the keyboard shortcuts, the BibTeX entry of the paper and the installed versions."""
    st.header("Keyboard shortcuts", anchor="keys")
    _table(text.KEYS)
    st.header("How to cite", anchor="cite")
    st.code(BIBTEX.strip(), language="bibtex", wrap_lines=True)
    st.header("Versions", anchor="versions")
    installed = runtime.versions().items()
    st.caption(", ".join(f"{name} {version}" for name, version in installed if version))


def _table(rows: tuple[tuple[str, str], ...]) -> None:
    terms, meanings = zip(*rows, strict=True)
    columns = {"": list(map(with_math, terms)), "meaning": list(map(with_math, meanings))}
    st.table(columns, hide_index=True, hide_header=True, border="horizontal")
