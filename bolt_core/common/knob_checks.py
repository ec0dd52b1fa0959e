"""Checks of the numbers and texts that declare a knob, or that it was set to."""

from __future__ import annotations

import math
from numbers import Integral
from numbers import Real as RealNumber
from typing import TypeGuard

from bolt_core.common.errors import ConfigError

MAX_TEXT = 100  # characters of a unit, or of a value of a choice


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number, numpy's included, and not true or false."""
    if type(value) is bool or not isinstance(value, RealNumber):
        return False
    return math.isfinite(value)


def ends(name: str, low: object, high: object) -> tuple[float, float]:
    """Return low and high as numbers with low < high."""
    first, last = finite(name, "low", low), finite(name, "high", high)
    if not first < last or not math.isfinite(last - first):
        raise ConfigError(
            f"knob {name!r} needs low < high, got low = {first:g} and high = {last:g}"
        )
    return first, last


def finite(name: str, what: str, value: object) -> float:
    """Return a part of a declaration as a number."""
    if is_number(value):
        return float(value)
    raise ConfigError(f"{what} of knob {name!r} must be a finite number, got {value!r}")


def whole(name: str, what: str, value: object) -> int:
    """Return a part of a declaration as a whole number."""
    checked = finite(name, what, value)
    if not checked.is_integer():
        raise ConfigError(f"{what} of knob {name!r} must be a whole number, got {value!r}")
    return int(value) if isinstance(value, Integral) else int(checked)


def number(name: str, value: object, low: float, high: float, unit: str) -> float:
    """Return a value that was set as a number."""
    if is_number(value):
        return float(value)
    ends_in_words = f"{low:g} to {high:g} {unit}".rstrip()
    raise ConfigError(f"knob {name!r} takes a finite number, {ends_in_words}; got {value!r}")


def unit(name: str, text: object) -> str:
    """Return the unit, a short text."""
    if isinstance(text, str) and len(text) <= MAX_TEXT and text.isprintable():
        return text
    raise ConfigError(
        f"unit of knob {name!r} must be a text of at most {MAX_TEXT} characters, got {text!r}"
    )


def is_choice_value(value: object) -> bool:
    """Whether a value can be one of a choice."""
    if isinstance(value, str):
        return 0 < len(value) <= MAX_TEXT and value.isprintable()
    return type(value) in (bool, int, float) and math.isfinite(value)  # type: ignore[arg-type]
