"""`bolt change`: another range of a knob, in the problem file and in its state."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from bolt_core.cli.own_problem import session
from bolt_core.cli.own_problem.problem_file_edit import with_knob
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.files import write_atomically
from bolt_core.common.knobs import Choice, Integer
from bolt_core.common.setting_text import number, range_text

if TYPE_CHECKING:
    from bolt_core.online.problem_spec import ProblemSpec

NO_LIMIT = "none"  # as a max_step


def change(
    problem: session.ProblemFile,
    knob: Annotated[str, Argument(help="The name of the knob.", show_default=False)],
    low: Annotated[str | None, Option(help="The new lower end.")] = None,
    high: Annotated[str | None, Option(help="The new upper end.")] = None,
    unit: Annotated[str | None, Option(help="The new unit; values stay the same numbers.")] = None,
    max_step: Annotated[
        str | None, Option(help=f"The largest change between two settings, or {NO_LIMIT}.")
    ] = None,
) -> None:
    """Change the range, unit or step limit of a knob, in the file and while it runs.

    Observations outside the new range are still learned from. Editing the file by hand has the same
    effect: the next command applies it.

    Example: bolt change problem.toml feed --high 6
    """
    typed = {"low": low, "high": high, "unit": unit, "max_step": max_step}
    changes = {key: text for key, text in typed.items() if text is not None}
    spec = session.read_problem(problem)
    if not session.state_path(problem).exists():
        _edit(problem, spec, knob, changes)
    else:
        with session.opened(problem) as opt:  # applies edits by hand first
            spec = session.read_problem(problem)
            _edit(problem, spec, knob, changes)
            session.adopt_problem(opt, problem)
    new = session.read_problem(problem).knobs[knob]
    if not isinstance(new, Choice):
        step = "" if new.max_step is None else f", steps of at most {new.max_step:g}"
        typer.echo(f"{knob}: {range_text(new)}{step}")


def _edit(problem: Path, spec: ProblemSpec, name: str, changes: dict[str, str]) -> None:
    """Write the problem file with a changed knob; its comments stay."""
    from bolt_core.online.range_change import changed_knob

    if name not in spec.knobs:
        raise UnknownNameError("knob", name, spec.knobs)
    values = {key: _value(spec, name, key, text) for key, text in changes.items()}
    new = changed_knob(name, spec.knobs, values)
    expected = replace(spec, knobs={**spec.knobs, name: new})
    text = with_knob(problem.read_text("utf-8-sig"), name, values, expected)
    if text is None:
        words = ", ".join(f"{key} = {value}" for key, value in changes.items())
        raise ConfigError(
            f"cannot edit {problem} in place; write {words} for knob {name!r} yourself, "
            "and the next command applies it"
        )
    write_atomically(problem, text.encode())


def _value(spec: ProblemSpec, name: str, key: str, text: str) -> Any:  # noqa: ANN401
    if key == "unit":
        return text
    if key == "max_step" and text == NO_LIMIT:
        return None
    value = number(f"{key} of knob {name!r}", text)
    whole = isinstance(spec.knobs[name], Integer) and value.is_integer()
    return int(value) if whole else value
