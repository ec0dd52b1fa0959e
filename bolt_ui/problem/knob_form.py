"""The form that describes a problem: its outcome, and one row of fields per knob."""

import streamlit as st

from bolt_core.common.errors import BoltError
from bolt_core.common.text import sentence
from bolt_ui import markdown
from bolt_ui.problem import selection
from bolt_ui.problem.typed_problem import (
    EMPTY,
    EXAMPLE,
    KINDS,
    SCALES,
    Mistakes,
    TypedKnob,
    TypedProblem,
    spec_of,
)
from bolt_ui.server_state import server
from bolt_ui.widgets import button

ROWS = "form_rows"  # in the session: numbers of the rows of knobs, in order
IS_EXAMPLE = "form_is_example"  # in the session: whether the example was filled in last
MISTAKES = "form_mistakes"  # in the session: of the last press of Start
DIRECTIONS = ("as large as possible", "as small as possible")
FIELDS = ("name", "kind", "low", "high", "scale", "unit", "max_step", "values")
GENERAL_FIELDS = ("form_name", "form_outcome", "form_unit", "form_direction")


def show() -> None:
    """Show the form; its press of Start creates the problem and shows it."""
    if ROWS not in st.session_state:
        _fill(EXAMPLE)
    mistakes: Mistakes = st.session_state.get(MISTAKES, Mistakes())
    with st.container(horizontal=True, vertical_alignment="center"):
        example = st.session_state.get(IS_EXAMPLE, False)
        words = "This example is filled in: type over it." if example else "Type what you have."
        st.markdown(words, width="content")
        button("Clear", "ink_eraser", "form_clear", lambda: _fill(EMPTY), type="tertiary")
        button("Example", "restart_alt", "form_example", lambda: _fill(EXAMPLE), type="tertiary")
    with st.container(border=True):
        st.markdown("**What you measure**")
        _outcome_fields()
    rows: list[int] = st.session_state[ROWS]
    for place, row in enumerate(rows):
        with st.container(border=True, key=f"knob_card_{row}"):
            _knob_fields(place, row, removable=len(rows) > 1)
            if place in mistakes.knobs:
                st.error(markdown.escape(mistakes.knobs[place]), icon=":material/error:")
    for words in mistakes.general:
        st.error(markdown.escape(words), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="center"):
        button("Add a knob", "add", "form_add", _add_row)
        button("Start", "play_arrow", "form_start", _start, type="primary")
        st.caption("The first 15 settings are random; then the model chooses.", width="content")


def typed() -> TypedProblem:
    """Return what stands in the form."""
    state = st.session_state
    knobs = [
        TypedKnob(**{name: state.get(_key(row, name)) or _blank(name) for name in FIELDS})
        for row in state[ROWS]
    ]
    name, outcome, unit = (state.get(f"form_{key}") or "" for key in ("name", "outcome", "unit"))
    return TypedProblem(name, outcome, state.get("form_direction") != DIRECTIONS[1], unit, knobs)


def _outcome_fields() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _text("Name of the problem", "form_name", 220)
        _text("Outcome", "form_outcome", 180, placeholder="yield")
        _text("Unit of the outcome", "form_unit", 140, placeholder="none")
        st.selectbox(
            "It should be", DIRECTIONS, key="form_direction", width=210, persist_state="session"
        )


def _knob_fields(place: int, row: int, *, removable: bool) -> None:
    """Show the fields of one knob; those that its type has."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _text(f"Knob {place + 1}", _key(row, "name"), 160, placeholder="name")
        kind = st.selectbox(
            "Type", list(KINDS), key=_key(row, "kind"), width=150, persist_state="session"
        )
        if kind == "Choice":
            _text("Values, separated by commas", _key(row, "values"), 320, placeholder="A, B, C")
        else:
            _text("Low", _key(row, "low"), 100)
            _text("High", _key(row, "high"), 100)
            _text("Unit", _key(row, "unit"), 100, placeholder="none")
            if kind == "Number":
                st.selectbox(
                    "Scale",
                    list(SCALES),
                    key=_key(row, "scale"),
                    width=110,
                    persist_state="session",
                    help="log: for a knob over several powers of ten.",
                )
            help_text = (
                "The largest change between two settings, in the knob's unit; for a log scale the "
                "largest factor. Leave it empty for no limit."
            )
            _text(
                "Largest step", _key(row, "max_step"), 120, placeholder="no limit", hint=help_text
            )
        st.button(
            "Remove",
            icon=":material/delete:",
            key=f"form_remove_{row}",
            on_click=_remove_row,
            args=(row,),
            type="tertiary",
            disabled=not removable,
            help=f"Remove knob {place + 1}",
        )


def _text(label: str, key: str, width: int, placeholder: str = "", hint: str | None = None) -> None:
    st.text_input(
        label, key=key, width=width, placeholder=placeholder, help=hint, persist_state="session"
    )


def _start() -> None:
    """Create the problem that was typed, or keep what is wrong with it."""
    spec, mistakes = spec_of(typed())
    if spec is not None:
        try:
            created = server().problems.create(spec, selection.caller())
            _remember_token(created.id, created.token)
            selection.show_problem(created.id)
            _forget()
        except BoltError as problem:
            mistakes.general.append(sentence(str(problem)))
    st.session_state[MISTAKES] = mistakes


def _remember_token(problem_id: str, token: str) -> None:
    """Keep the token for HTTP, which is given only once, for as long as this session lasts."""
    st.session_state.setdefault("problem_tokens", {})[problem_id] = token


def _fill(problem: TypedProblem) -> None:
    """Put a problem into the form."""
    state = st.session_state
    _forget()
    state["form_name"], state["form_outcome"] = problem.name, problem.outcome
    state["form_unit"] = problem.unit
    state[IS_EXAMPLE] = problem is EXAMPLE
    state["form_direction"] = DIRECTIONS[0 if problem.maximize else 1]
    first = state.get("form_next_row", 0)
    state[ROWS] = list(range(first, first + len(problem.knobs)))
    state["form_next_row"] = first + len(problem.knobs)
    for row, knob in zip(state[ROWS], problem.knobs, strict=True):
        for name in FIELDS:
            state[_key(row, name)] = getattr(knob, name)


def _forget() -> None:
    """Empty the form."""
    for row in st.session_state.get(ROWS, ()):
        for name in FIELDS:
            st.session_state.pop(_key(row, name), None)
    for name in (ROWS, MISTAKES, *GENERAL_FIELDS):
        st.session_state.pop(name, None)


def _add_row() -> None:
    row = st.session_state.get("form_next_row", 0)
    st.session_state["form_next_row"] = row + 1
    st.session_state[ROWS] = [*st.session_state[ROWS], row]
    st.session_state.pop(MISTAKES, None)


def _remove_row(row: int) -> None:
    st.session_state[ROWS] = [other for other in st.session_state[ROWS] if other != row]
    st.session_state.pop(MISTAKES, None)


def _key(row: int, name: str) -> str:
    return f"knob_{row}_{name}"


def _blank(name: str) -> str:
    return str(getattr(TypedKnob(), name))
