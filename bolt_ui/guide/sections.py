"""Pieces of the Guide: sections with a live figure each, lessons, words, Table 1, how to cite."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from bolt_core import algorithms
from bolt_core.common import runtime
from bolt_core.figures.guide import guide_charts
from bolt_core.figures.guide.removal_example import who_leaves
from bolt_core.store.export import BIBTEX
from bolt_ui.chart_component import still
from bolt_ui.guide import text
from bolt_ui.lessons.lesson_catalog import LESSONS
from bolt_ui.markdown import with_math

HEIGHTS = {"trade_off": 360, "who_leaves": 360}
FIGURES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "drift": guide_charts.drift,
    "metronome": guide_charts.metronome,
    "trade_off": guide_charts.trade_off,
    "who_leaves": who_leaves,
    "clocks": guide_charts.clocks,
}


@st.cache_data(show_spinner=False)
def figures() -> dict[str, str]:
    """All five as JSON, made once a server."""
    return {name: json.dumps(build(), allow_nan=False) for name, build in FIGURES.items()}


def contents() -> None:
    """Five questions, each a link to its answer."""
    lines = [f"- [{s.question}](#{s.anchor})" for s in text.SECTIONS]
    st.markdown("\n".join(lines))


def sections() -> None:
    drawn = figures()
    for number, section in enumerate(text.SECTIONS, 1):
        st.subheader(with_math(f"{number}. {section.title}"), anchor=section.anchor)
        if section.question != f"{section.title}?":
            st.markdown(f"**{with_math(section.question)}**")
        st.markdown(with_math(section.answer))
        figure = json.loads(drawn[section.figure])
        with st.container(border=True):
            height = HEIGHTS.get(section.figure, 260)
            name = f"guide_{section.figure}"
            still(figure, key=name, height=height)


def lessons() -> None:
    st.subheader("Lessons", anchor="lessons")
    st.markdown("Say what you expect, run the race, look, and only then read what came true.")
    for lesson in LESSONS:
        page, query = lesson.link()
        with st.container(border=True):
            st.markdown(f"**{lesson.title}**")
            st.markdown(with_math(lesson.question))
            st.page_link(
                page, label="Take this lesson", icon=":material/school:", query_params=query
            )


def assumptions() -> None:
    st.subheader("What is assumed, and where it breaks", anchor="assumptions")
    for claim, breaks in text.ASSUMPTIONS:
        st.markdown(f"**{with_math(claim)}.** {with_math(breaks)}")


def glossary() -> None:
    st.subheader("Words and symbols", anchor="glossary")
    symbols, meanings = zip(*text.GLOSSARY, strict=True)
    _table({"": list(map(with_math, symbols)), "what it is": list(map(with_math, meanings))})


def table_1() -> None:
    """Made from the registry: an algorithm that is added appears here by itself."""
    st.subheader("Who competes (Table 1)", anchor="table-1")
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
        "UB: upper bound on cumulative regret. \u2020: under highly restrictive assumptions. GPUCB "
        "is the control: it does not know that time passes. Variants and the random baseline are "
        "in the Arena."
    )


def keys() -> None:
    st.subheader("Keys", anchor="keys")
    _table({"": [key for key, _ in text.KEYS], "what it does": [w for _, w in text.KEYS]})


def cite() -> None:
    st.subheader("How to cite", anchor="cite")
    st.code(BIBTEX.strip(), language="bibtex", wrap_lines=True)


def versions() -> None:
    st.subheader("Versions", anchor="versions")
    found = runtime.versions()
    st.caption(", ".join(f"{name} {number}" for name, number in found.items() if number))


def _table(columns: dict[str, list[str]]) -> None:
    st.table(columns, hide_index=True, hide_header=True, border="horizontal")
