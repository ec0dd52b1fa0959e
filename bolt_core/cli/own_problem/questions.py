"""Questions about a problem, one after another; a wrong answer is asked for again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from bolt_core.common.errors import BoltError, ConfigError
from bolt_core.common.knobs import Choice, Integer, Knob, Real
from bolt_core.common.setting_text import number
from bolt_core.common.text import sentence

if TYPE_CHECKING:
    from bolt_core.online.problem_spec import ProblemSpec

KINDS = ("real", "integer", "choice")
DIRECTIONS = ("maximize", "minimize")
SCALES = ("linear", "log")
DECADES = 100.0  # high / low from which a log scale is proposed

T = TypeVar("T")


def asked_problem(name: str) -> ProblemSpec:
    """Return the problem that the answers describe; `name` is proposed for it."""
    title = _answer("Name of the problem", lambda text: _checked(text, name=text), name)
    outcome = _answer(
        "Name of the outcome, the number that you measure",
        lambda text: _checked(text, outcome=text, knobs={f"not {text}"[:100]: Real(0, 1)}),
        "y",
    )
    direction = _answer(
        f"Maximize or minimize {outcome}",
        lambda text: _one_of(DIRECTIONS)(
            f"{text[:-3]}ize" if text.lower().endswith("ise") else text
        ),
        "maximize",
    )
    unit = _answer(f"Unit of {outcome} (Enter: none)", lambda text: _checked(text, unit=text), "")
    knobs: dict[str, Knob] = {}
    while name := _asked_knob_name(knobs, outcome):
        knobs[name] = _asked_knob(name)
    return _problem(knobs, outcome, direction == "maximize", unit, title)


def _asked_knob_name(knobs: Mapping[str, Knob], outcome: str) -> str:
    """Return the name of the next knob; nothing if there are no more."""

    def checked(text: str) -> str:
        if text in knobs:
            raise ConfigError(f"there is a knob {text!r} already; choose another name")
        if text or not knobs:
            _problem({text: Real(0, 1)}, outcome)
        return text

    end = " (Enter: no more)" if knobs else ""
    return _answer(f"Name of knob {len(knobs) + 1}{end}", checked, "")


def _asked_knob(name: str) -> Knob:
    kind = _answer("  Type: real, integer or choice", _one_of(KINDS), "real")
    if kind == "choice":
        return _answer("  Values, separated by commas", lambda text: _choice(name, text))
    whole = kind == "integer"
    low, high = _asked_ends(name, whole=whole)
    unit = _answer("  Unit (Enter: none)", lambda text: Real(0, 1, unit=text).check(name).unit, "")
    options: dict[str, Any] = {"low": low, "high": high, "unit": unit}
    if not whole and low > 0:
        proposed = "log" if high / low >= DECADES else "linear"
        options["scale"] = _answer("  Scale: linear or log", _one_of(SCALES), proposed)
    elif not whole and low == 0:
        typer.echo("  The scale is linear: a log scale needs a lowest value above 0.")
    return _answer(
        "  Largest change between two settings"
        f"{', as a factor' if options.get('scale') == 'log' else ''} (Enter: no limit)",
        lambda text: _limited(name, options, text, whole=whole),
        "",
    )


def _asked_ends(name: str, *, whole: bool) -> tuple[float, float]:
    """Return the range of a knob; if it is not valid, either end may be the wrong one."""
    typed: str | None = None
    while True:
        low = _answer("  Lowest value", lambda text: _end(name, text, whole=whole), typed)
        high = _answer("  Highest value", lambda text: _end(name, text, whole=whole))
        try:
            (Integer(int(low), int(high)) if whole else Real(low, high)).check(name)
        except BoltError as problem:
            typer.echo(f"  {sentence(str(problem))}")
            typed = f"{low:.17g}"
        else:
            return low, high


def _limited(name: str, options: Mapping[str, Any], text: str, *, whole: bool) -> Knob:
    """Return a knob with a limit on its steps, or without one if the text is empty."""
    step = {"max_step": _end(name, text, whole=whole)} if text else {}
    fields: dict[str, Any] = {**options, **step}
    knob = (Integer(**fields) if whole else Real(**fields)).check(name)
    low, high = knob.low, knob.high
    span = high / low if isinstance(knob, Real) and knob.scale == "log" else high - low
    if knob.max_step is not None and knob.max_step >= span:
        typer.echo(f"  {knob.max_step:g} limits nothing: the range itself is {span:g}.")
    return knob


def _end(name: str, text: str, *, whole: bool) -> float:
    value = number(f"knob {name!r}", text)
    if whole and not value.is_integer():
        raise ConfigError(f"an integer knob takes whole numbers, got {text!r}")
    return int(value) if whole else value


def _choice(name: str, text: str) -> Choice:
    """Return a choice; its values are numbers if all of them look like numbers."""
    texts = [part.strip() for part in text.split(",") if part.strip()]
    try:
        numbers = [float(part) for part in texts]
    except ValueError:
        return Choice(*texts).check(name)
    return Choice(*(int(n) if n.is_integer() else n for n in numbers)).check(name)


def _problem(knobs: Mapping[str, Knob], *rest: Any) -> ProblemSpec:  # noqa: ANN401 - checked there
    from bolt_core.online.problem_spec import ProblemSpec

    return ProblemSpec(knobs, *rest)


def _checked(text: str, **parts: Any) -> str:  # noqa: ANN401 - checked by the problem
    """Return the text, if a problem with these parts is valid."""
    from bolt_core.online.problem_spec import ProblemSpec

    ProblemSpec(**{"knobs": {"a knob": Real(0, 1)}, "outcome": "an outcome", **parts})
    return text


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    """Return a function that completes the beginning of a word to one of the choices."""

    def completed(text: str) -> str:
        matches = [choice for choice in choices if text and choice.startswith(text.lower())]
        if len(matches) != 1:
            raise ConfigError(f"answer {' or '.join(choices)}, got {text!r}")
        return matches[0]

    return completed


def _answer(question: str, convert: Callable[[str], T], default: str | None = None) -> T:
    """Ask until the answer can be used."""
    proposal = f" [{default}]" if default else ""
    while True:
        try:
            text = input(f"{question}{proposal}: ").strip()
        except EOFError:
            raise ConfigError(
                "the answers ended before the last question; nothing was written. "
                "`bolt new FILE --example` asks nothing"
            ) from None
        try:
            return convert(text or default or "")
        except BoltError as problem:
            typer.echo(f"  {sentence(str(problem))}")
