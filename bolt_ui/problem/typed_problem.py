"""A problem as it was typed into the form, and the problem that it stands for, or what is wrong.

Everything typed is text. A comma is read as a decimal point, because the keyboards of many phones
have only that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.knob_tables import knob_from_json
from bolt_core.common.knobs import Choice, Knob, Value
from bolt_core.common.setting_text import number, value_of
from bolt_core.common.text import sentence
from bolt_core.online.problem_spec import ProblemSpec

KINDS = {"Number": "real", "Whole number": "integer", "Choice": "choice"}  # as the form names them
SCALES = {"linear": "linear", "log": "log"}


@dataclass(frozen=True, slots=True)
class TypedKnob:
    """One row of the form."""

    name: str = ""
    kind: str = "Number"
    low: str = ""
    high: str = ""
    scale: str = "linear"
    unit: str = ""
    max_step: str = ""
    values: str = ""


@dataclass(frozen=True, slots=True)
class TypedProblem:
    """The whole form."""

    name: str
    outcome: str
    maximize: bool
    unit: str
    knobs: Sequence[TypedKnob]


@dataclass(frozen=True, slots=True)
class Mistakes:
    """Sentences: what is wrong with the form, and with each knob by its place."""

    general: list[str] = field(default_factory=list)
    knobs: dict[int, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.general or self.knobs)


EXAMPLE = TypedProblem(
    "Reactor",
    "yield",
    True,
    "%",
    (
        TypedKnob("feed", "Number", "0", "8", unit="l/min", max_step="1"),
        TypedKnob("stages", "Whole number", "1", "6"),
        TypedKnob("catalyst", "Choice", values="A, B, C"),
    ),
)
EMPTY = TypedProblem("", "", True, "", (TypedKnob(),))


def spec_of(typed: TypedProblem) -> tuple[ProblemSpec | None, Mistakes]:
    """Return the problem, or None and what is wrong; all mistakes are found at once."""
    mistakes = Mistakes()
    knobs = _knobs(typed.knobs, mistakes)
    for what, text in (("the problem", typed.name), ("the outcome", typed.outcome)):
        if not text.strip():
            mistakes.general.append(f"Give {what} a name.")
    if not typed.knobs:
        mistakes.general.append("Add at least one knob.")
    if mistakes:
        return None, mistakes
    try:
        outcome, unit = typed.outcome.strip(), typed.unit.strip()
        return ProblemSpec(knobs, outcome, typed.maximize, unit, typed.name.strip()), mistakes
    except BoltError as problem:
        mistakes.general.append(sentence(str(problem)))
        return None, mistakes


def _knobs(rows: Sequence[TypedKnob], mistakes: Mistakes) -> dict[str, Knob]:
    """Return the knobs by name, without those that have a mistake."""
    knobs: dict[str, Knob] = {}
    for place, row in enumerate(rows):
        try:
            name = row.name.strip()
            if name and name in [other.name.strip() for other in rows[:place]]:
                raise ConfigError(f"there are two knobs {name!r}; give this one another name")
            knobs[name] = _knob(place, row)
        except BoltError as problem:
            mistakes.knobs[place] = sentence(str(problem))
    return knobs


def typed_number(what: str, text: str) -> float:
    """Return a number that was typed; the error names what it is for, and the remedy."""
    plain = text.strip().replace("\N{MINUS SIGN}", "-").replace("\N{NO-BREAK SPACE}", "")
    if plain.count(",") == 1 and "." not in plain:
        plain = plain.replace(",", ".")
    elif "," in plain and (without := _without_thousands(plain)) is not None:
        raise ConfigError(
            f"{what} must be a number, got {text.strip()!r}; type it without a thousands "
            f"separator: {without}"
        )
    return number(what, plain)


def _without_thousands(text: str) -> str | None:
    """Return a number without its thousands separators: 1.234,5 is 1234.5; None: it is none."""
    point = max(text.rfind("."), text.rfind(","))
    if text.count(text[point]) > 1:  # 1,234,567 has no fraction
        point = len(text)
    whole, fraction = text[:point].replace(",", "").replace(".", ""), text[point + 1 :]
    if not (whole.lstrip("-").isdigit() and (fraction.isdigit() or not fraction)):
        return None
    return f"{whole}.{fraction}" if fraction else whole


def typed_value(name: str, knob: Knob, text: str) -> Value:
    """Return the value of a knob that was typed."""
    if isinstance(knob, Choice):
        return value_of(name, knob, text)
    value = typed_number(f"knob {name!r}", text)
    return _whole(value) if knob.levels else value


def _knob(place: int, row: TypedKnob) -> Knob:
    """Return the knob of one row."""
    name = row.name.strip()
    if not name:
        raise ConfigError(f"give knob {place + 1} a name, or remove it")
    table: dict[str, Any] = {"type": KINDS[row.kind]}
    if table["type"] == "choice":
        return knob_from_json(name, table | {"values": _choices(row.values)})
    for key, text in (("low", row.low), ("high", row.high), ("max_step", row.max_step)):
        if text.strip():
            words = "the largest step" if key == "max_step" else key
            value = typed_number(f"{words} of knob {name!r}", text)
            table[key] = _whole(value) if table["type"] == "integer" else value
        elif key != "max_step":
            raise ConfigError(f"knob {name!r} has no {key} end; type a number")
    if row.unit.strip():
        table["unit"] = row.unit.strip()
    if table["type"] == "real":
        table["scale"] = SCALES[row.scale]
    return knob_from_json(name, table)


def _whole(value: float) -> float | int:
    return int(value) if value.is_integer() else value


def _choices(text: str) -> list[Value]:
    """Return the values between commas; as numbers if all of them are numbers."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    try:
        return [_whole(float(word)) for word in words]
    except ValueError:
        return list(words)
