"""What the presses on a running problem do: each is checked here and decided by the core."""

import math
from collections.abc import Callable, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import streamlit as st

from bolt_core.common.errors import BoltError, ConflictError
from bolt_core.common.knobs import Value
from bolt_core.common.setting_text import value_text
from bolt_core.common.text import sentence
from bolt_core.problems.caller import Caller
from bolt_core.problems.problems import Problems
from bolt_ui.problem.typed_problem import typed_number, typed_value

MAX_TEXT = 100  # characters of a typed value
FAILED = "failed"  # typed in place of a value


class SettingChangedError(ConflictError):
    """A measurement is of a setting that has a result already, or was skipped."""


def perform(problems: Problems, problem_id: str, message: object, by: Caller) -> dict[str, Any]:
    """Do what a press in the browser asks for; return what became of it, under the press's key."""
    told = message if isinstance(message, Mapping) else {}
    key = str(told.get("key", ""))[:MAX_TEXT]
    action = ACTIONS.get(str(told.get("do", "")))
    answer: dict[str, Any] = {"key": key}
    if action is None:
        return answer | ({} if told.get("do") == "refresh" else {"error": "Press a button again."})
    try:
        action(problems, problem_id, told, by)
    except BoltError as problem:
        answer["error"] = sentence(str(problem))
        answer["changed"] = isinstance(problem, SettingChangedError)
    else:
        with suppress(BoltError):  # the next setting; a plant that runs asks for it itself
            if not problems.is_running(problem_id):
                problems.next_setting(problem_id, by)
    return answer


def correct(problems: Problems, problem_id: str, message: object, by: Caller) -> str | None:
    """Correct a value of the table; return why that is not possible, or None."""
    told = message if isinstance(message, Mapping) else {}
    row, text = told.get("row"), str(told.get("text", ""))[:MAX_TEXT].strip()
    if type(row) is not int:
        return "Press a value of the table again."
    try:
        value = None if text.lower() == FAILED else typed_number("the corrected value", text)
        problems.correct(problem_id, by, row, value)
    except BoltError as problem:
        return sentence(str(problem))
    return None


def attempt(what: Callable[[], object]) -> None:
    """Do something; if the core refuses, keep the reason for the page to show."""
    with keeping_refusal():
        what()


@contextmanager
def keeping_refusal() -> Any:  # noqa: ANN401 - a context manager
    """Keep the reason if the core refuses what is done in this context."""
    try:
        yield
    except BoltError as problem:
        st.session_state["problem_refusal"] = sentence(str(problem))


def refusal() -> str | None:
    """Return, once, why the last press had no effect."""
    reason: str | None = st.session_state.pop("problem_refusal", None)
    return reason


def _ask_id(message: Mapping[str, Any]) -> int | None:
    number = message.get("ask")
    return number if type(number) is int else None


def _set_otherwise(
    problems: Problems, problem_id: str, message: Mapping[str, Any]
) -> dict[str, Value] | None:
    """Return the knobs that were set otherwise than asked for; None if all were set as asked."""
    texts = message.get("setting")
    view, ask_id = problems.view(problem_id), _ask_id(message)
    asked = next((ask.setting for ask in view.pending if ask.id == ask_id), None)
    if not isinstance(texts, list) or asked is None or len(texts) != len(view.spec.knobs):
        return None
    changed: dict[str, Value] = {}
    for (name, knob), typed in zip(view.spec.knobs.items(), texts, strict=True):
        text = str(typed)[:MAX_TEXT].strip()
        if text != value_text(knob, asked[name]):
            changed[name] = typed_value(name, knob, text)
    return changed or None


def _check_waiting(
    problems: Problems, problem_id: str, message: Mapping[str, Any], value: float | None
) -> None:
    """Refuse a result of a setting that others answered or skipped; a repeated press is none."""
    view, ask_id = problems.view(problem_id), _ask_id(message)
    if ask_id is None or any(ask.id == ask_id for ask in view.pending):
        return
    log = view.log
    told = log.loc[(log["ask"] == ask_id) & ~log["pending"], view.spec.outcome]
    if not any(value is None if math.isnan(y) else y == value for y in told):
        raise SettingChangedError(
            "the setting has changed since you began: the one you measured has a result, or was "
            "skipped; press Save again if the value is of the setting shown now"
        )


def _save(problems: Problems, problem_id: str, message: Mapping[str, Any], by: Caller) -> None:
    text = str(message.get("text", ""))[:MAX_TEXT]
    value = typed_number("the measurement", text)
    _check_waiting(problems, problem_id, message, value)
    setting = _set_otherwise(problems, problem_id, message)
    problems.tell(problem_id, value, by, ask_id=_ask_id(message), setting=setting)


def _failed(problems: Problems, problem_id: str, message: Mapping[str, Any], by: Caller) -> None:
    _check_waiting(problems, problem_id, message, None)
    setting = _set_otherwise(problems, problem_id, message)
    problems.tell(problem_id, None, by, ask_id=_ask_id(message), setting=setting)


def _skip(problems: Problems, problem_id: str, message: Mapping[str, Any], by: Caller) -> None:
    problems.skip(problem_id, by, _ask_id(message))


def _undo(problems: Problems, problem_id: str, message: Mapping[str, Any], by: Caller) -> None:
    told = message.get("told")
    problems.undo(problem_id, by, told=told if type(told) is int else None)


ACTIONS = {"save": _save, "failed": _failed, "skip": _skip, "undo": _undo}
