"""How much of a page is shown: all, a talk (`?present=1`) or a handout (`?hide=controls`)."""

from __future__ import annotations

import streamlit as st

from bolt_ui import markdown

PIECES = ("controls", "leaderboard", "size", "landscape", "response", "metronome")


def presenting() -> bool:
    """A lesson is taken with its question in sight, so it is not presented."""
    return st.query_params.get("present") == "1" and "lesson" not in st.query_params


def present() -> None:
    st.query_params["present"] = "1"


def leave() -> None:
    """The page with everything on it again."""
    for name in ("present", "chapter"):
        st.query_params.pop(name, None)


def way_in() -> None:
    """A button and the P key."""
    if "lesson" in st.query_params:
        return
    st.button(
        "Present",
        icon=":material/slideshow:",
        key="present",
        shortcut="P",
        on_click=present,
        help="One chart at a time, larger, with chapters that Left and Right turn.",
    )


def hidden() -> set[str]:
    return _told() & set(PIECES)


def note() -> None:
    """Names in the link that mean nothing here."""
    if unknown := sorted(_told() - set(PIECES)):
        names = ", ".join(markdown.escape(name) for name in unknown)
        st.caption(
            f":material/info: hide={names} hides nothing: there is no such piece. Choose from "
            f"{', '.join(PIECES)}."
        )


def _told() -> set[str]:
    given = st.query_params.get_all("hide")
    return {name.strip() for part in given for name in part.split(",") if name.strip()}
