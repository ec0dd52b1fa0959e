"""Checks of the numbers and texts that declare a knob, or that it was set to."""

from __future__ import annotations

import math
from numbers import Integral
from numbers import Real as RealNumber
from typing import TypeGuard

from bolt_core.common.errors import ConfigError
from bolt_core.common.limits import MAX_RATIO, MAX_VALUE, MIN_WIDTH
from bolt_core.common.text import shortened

MAX_TEXT = 100  # characters of a unit, or of a value of a choice


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number, numpy's included, and not true or false."""
    if type(value) is bool or not isinstance(value, RealNumber):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def ends(name: str, low: object, high: object) -> tuple[float, float]:
    """Return low and high as numbers with low < high."""
    first, last = finite(name, "low", low), finite(name, "high", high)
    if max(abs(first), abs(last)) > MAX_VALUE or 0 < last - first < MIN_WIDTH:
        raise ConfigError(
            f"low and high of knob {name!r} must lie within {MAX_VALUE:g} of 0 and {MIN_WIDTH:g} "
            f"apart, got low = {first:g} and high = {last:g}; use another unit"
        )
    if not first < last:
        raise ConfigError(
            f"knob {name!r} needs low < high, got low = {first:g} and high = {last:g}"
        )
    return first, last


def check_log_range(name: str, low: float, high: float) -> None:
    """Raise a ConfigError if a range cannot have a logarithmic scale."""
    if low <= 0:
        raise ConfigError(
            f"low of knob {name!r} must be above 0 with scale = 'log', got {low:g}; "
            "use scale = 'linear' or a small positive low"
        )
    if high / MAX_RATIO > low:
        raise ConfigError(
            f"high of knob {name!r} may be at most {MAX_RATIO:g} times low with scale = 'log', "
            f"got low = {low:g} and high = {high:g}; use a larger low"
        )


def finite(name: str, what: str, value: object) -> float:
    """Return a part of a declaration as a number."""
    if is_number(value):
        return float(value)
    raise ConfigError(
        f"{what} of knob {name!r} must be a finite number, got {shortened(repr(value), 40)}"
    )


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
