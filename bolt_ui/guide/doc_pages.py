"""The pages of the folder `docs` on the Guide page; without the folder the section is left out."""

import re
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from bolt_ui.project_files import DOCS

REFERENCE = (
    "knobs",
    "logs",
    "service",
    "clocks",
    "campaigns",
    "records",
    "notation",
    "integrations",
)
PROMISES = ("durability", "security", "limits")
WIDE_COLUMNS = re.compile(r"(\| *constant *)?\| *test *\|$")  # at the end of the heading of a table
TESTS = re.compile(r"\s*\(`tests/[^()]*\)")  # the tests of a sentence
LINK = re.compile(r"\[([^\]]+)\]\(\w+\.md\)")  # to another of the pages
HEADING = re.compile(r"^## ", re.MULTILINE)


def reference() -> None:
    """Show the pages that explain how to use BOLT."""
    _section(
        "Reference",
        "reference",
        REFERENCE,
        "How to declare a problem of your own, ask and tell over HTTP, what a second is in a run, "
        "how to plan many runs, what a record holds, the names of the paper's symbols in the "
        "code, and BOLT inside and beside other optimization programs.",
    )


def promises() -> None:
    """Show the pages about failures, rights and limits."""
    _section(
        "Promises and limits",
        "promises",
        PROMISES,
        "What a failure costs, who may do what, and how much may run. Each statement has a test; "
        "the files in the folder `docs` name it. `docs/claims.md` lists the sentences of the other "
        "pages, of the report and of the README with the tests that hold them.",
    )


def _section(title: str, anchor: str, names: Sequence[str], introduction: str) -> None:
    """Show each page in an expander."""
    texts = {name: text for name in names if (text := _read(DOCS / f"{name}.md"))}
    if not texts:
        return
    st.header(title, anchor=anchor)
    st.markdown(introduction)
    for name, text in texts.items():
        with st.expander(name.capitalize()):
            st.markdown(for_screen(text))


def for_screen(text: str) -> str:
    """Return a page without its title and the names of tests and constants, which are too wide."""
    lines, in_table, dropped = [], False, 0
    for line in text.splitlines()[1:]:
        if line.startswith("|") and not in_table:  # the heading of a table
            wide = WIDE_COLUMNS.search(line)
            dropped = wide.group().count("|") - 1 if wide else 0
        in_table = line.startswith("|")
        shortened = in_table and dropped
        lines.append(line.rsplit("|", dropped + 1)[0] + "|" if shortened else line)
    page = LINK.sub(r"\1", TESTS.sub("", "\n".join(lines)))
    return HEADING.sub("### ", page).strip()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
