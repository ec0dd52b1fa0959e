"""Changing a range, a unit or a largest step while a problem runs."""

from functools import partial
from typing import Any

import streamlit as st

from bolt_core.charts.problem_row import beyond_range
from bolt_core.common.errors import BoltError
from bolt_core.common.knobs import Choice, Integer, Knob
from bolt_core.common.setting_text import setting_line
from bolt_core.common.text import display_name, sentence
from bolt_core.problems.problem_view import PendingSetting, ProblemView
from bolt_ui import markdown
from bolt_ui.problem import selection
from bolt_ui.problem.typed_problem import typed_number
from bolt_ui.server_state import server

REFUSED = "knob_refused"  # in the session: why the last change is not possible
DONE = "knob_changed"  # in the session: what was changed last


def popover(view: ProblemView) -> None:
    """Show the knobs with fields for what can change; measurements outside a new range stay."""
    with st.popover("Knobs", icon=":material/tune:"):
        st.caption("Measurements outside a new range stay, and are still learned from.")
        names = [name for name, knob in view.spec.knobs.items() if not isinstance(knob, Choice)]
        if not names:
            st.write("All knobs of this problem are choices, which cannot change while it runs.")
            return
        name = st.selectbox("Knob", names, format_func=display_name, key="change_knob")
        if name not in view.spec.knobs:
            return
        _fields(view.id, name, view.spec.knobs[name])


def _fields(problem_id: str, name: str, knob: Knob) -> None:
    assert not isinstance(knob, Choice)
    step = "" if knob.max_step is None else f"{knob.max_step:g}"
    present = {
        "low": f"{knob.low:g}",
        "high": f"{knob.high:g}",
        "unit": knob.unit,
        "max_step": step,
    }
    labels = {"low": "Low", "high": "High", "unit": "Unit", "max_step": "Largest step"}
    with st.form(f"change_{name}", border=False):
        for first, second in (("low", "high"), ("unit", "max_step")):
            for key, column in zip((first, second), st.columns(2), strict=True):
                column.text_input(labels[key], present[key], key=f"change_{name}_{key}")
        st.form_submit_button(
            "Change",
            icon=":material/check:",
            on_click=partial(_change, problem_id, name, knob, present),
            type="primary",
        )
    if reason := st.session_state.pop(REFUSED, None):
        st.error(markdown.escape(reason), icon=":material/error:")
    elif done := st.session_state.pop(DONE, None):
        st.caption(f":material/check: {markdown.escape(done)}")


def _change(problem_id: str, name: str, knob: Knob, present: dict[str, str]) -> None:
    """Make the change that was typed; what was left as it is stays exactly so."""
    typed = {key: str(st.session_state.get(f"change_{name}_{key}") or "") for key in present}
    problems, by = server().problems, selection.caller()
    try:
        changes = changed_values(name, knob, present, typed)
        if changes:
            before = problems.view(problem_id).next
            problems.change(problem_id, by, name, changes)
            _skip_outside(problem_id, name)
            problems.next_setting(problem_id, by)
            words = replaced_in_words(before, problems.view(problem_id))
            st.session_state[DONE] = f"{display_name(name)} is changed. {words}".strip()
        else:
            st.session_state[DONE] = "No change."
    except BoltError as problem:
        st.session_state[REFUSED] = sentence(str(problem))


def replaced_in_words(before: PendingSetting | None, view: ProblemView) -> str:
    """Return that a change replaced the next setting, which may be measured already; else ''."""
    after = view.next
    if before is None or after is None or after.id == before.id:
        return ""
    old, new = (setting_line(view.spec.knobs, ask.setting) for ask in (before, after))
    beyond = beyond_range(view.spec.knobs, after.setting)
    return (
        f"The next setting was replaced: {old} \N{RIGHTWARDS ARROW} {new}. {beyond} If you have "
        "measured the old one already, press Adjust and type it. Undo begins anew from here."
    ).replace("  ", " ")


def _skip_outside(problem_id: str, name: str) -> None:
    """Drop settings without a result that are outside the new range."""
    problems, by = server().problems, selection.caller()
    view = problems.view(problem_id)
    knob = view.spec.knobs[name]
    for ask in view.pending:
        if not 0.0 <= knob.to_unit(name, ask.setting[name]) <= 1.0:
            problems.skip(problem_id, by, ask.id)


def changed_values(
    name: str, knob: Knob, present: dict[str, str], typed: dict[str, str]
) -> dict[str, Any]:
    """Return the values that differ from the present texts, as `Problems.change` takes them."""
    changes: dict[str, Any] = {}
    for key, text in typed.items():
        if text.strip() == present[key]:
            continue
        if key == "unit":
            changes[key] = text.strip()
        elif key == "max_step" and not text.strip():
            changes[key] = None
        else:
            value = typed_number(f"{key} of knob {name!r}", text)
            whole = isinstance(knob, Integer) and value.is_integer()
            changes[key] = int(value) if whole else value
    return changes
