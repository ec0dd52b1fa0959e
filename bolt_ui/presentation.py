"""How much of a page is shown: everything, presenter mode (`?present=1`) or less (`?hide=...`)."""

from functools import partial

import streamlit as st

from bolt_ui import markdown, widgets

PIECES = ("controls", "leaderboard", "size", "landscape", "response", "metronome")


def on_stage() -> bool:
    """Return whether the page is in presenter mode."""
    return st.query_params.get("present") == "1"


def presenting() -> bool:
    """Return whether the page shows chapters of a race; a lesson shows its question instead."""
    return on_stage() and "lesson" not in st.query_params


def leave() -> None:
    """Leave presenter mode."""
    for name in ("present", "chapter"):
        st.query_params.pop(name, None)


def enter_button() -> None:
    """Show the button (and the P key) that starts presenter mode."""
    enter = partial(st.query_params.update, present="1")
    purpose = (
        "Shows the lesson in large letters; the Left and Right keys change the lesson."
        if "lesson" in st.query_params
        else "Shows one large chart at a time; the Left and Right keys change the chapter."
    )
    widgets.button("Present", "slideshow", "present", enter, shortcut="P", help=purpose)


def leave_button() -> None:
    """Show the button (and the P key) that leaves presenter mode; Escape presses it too."""
    label, key = "Leave presenter mode", "leave_presenter"
    widgets.button(label, "close", key, leave, type="tertiary", shortcut="P")


def hidden() -> set[str]:
    """Return the pieces of the page that the link hides."""
    return _names_in_link() & set(PIECES)


def note() -> None:
    """Say which names after `hide=` are not pieces of the page."""
    if unknown := sorted(_names_in_link() - set(PIECES)):
        names = ", ".join(map(markdown.escape, unknown))
        st.caption(
            f":material/info: hide={names} has no effect: there is no such piece. Choose from "
            f"{', '.join(PIECES)}."
        )


def _names_in_link() -> set[str]:
    parts = st.query_params.get_all("hide")
    return {name.strip() for part in parts for name in part.split(",") if name.strip()}
