"""Checks of single values in a record: type, range and length.

A check is a pair: what a value must be in words, and a function that says whether it is.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from bolt_core.common.errors import BoltError
from bolt_core.common.knob_tables import knob_from_json

MAX_IMPORTED_DIMENSION = 100
MAX_TEXT_LENGTH = 500  # characters of a text in a header
MAX_SCALARS = 100  # parameters of an algorithm, options of a benchmark
MAX_LEVELS = 1_000_000_000  # of a knob
MAX_NUMBER = 1e300
NUMBERS = f"numbers of magnitude up to {MAX_NUMBER:g}"
MAX_INTEGER = 2**53  # exact as a float
MIN_SPEED_FACTOR, MAX_SPEED_FACTOR = 1e-12, 1e12
HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")  # a surrogate, which JSON can name on its own

Check = tuple[str, Callable[[Any], bool]]  # what a value must be, in words and as a function


def whole(low: int, high: int) -> Check:
    """Return the check for an integer within [low, high]."""
    words = f"a whole number from {low} to {high}"
    return words, lambda v: type(v) is int and low <= v <= high


def real(low: float = -MAX_NUMBER, high: float = MAX_NUMBER) -> Check:
    """Return the check for a number within [low, high]."""
    if low < 0:
        words = f"a number of magnitude up to {max(-low, high):g}"
    else:
        words = f"a number from {low:g} to {high:g}"
    return words, lambda v: type(v) in (int, float) and low <= v <= high


def text(length: int = MAX_TEXT_LENGTH) -> Check:
    """Return the check for a text of at most `length` characters."""
    return f"a text of at most {length} characters", lambda v: _is_text(v, length)


def one_of(choices: Sequence[str]) -> Check:
    """Return the check for one of several texts."""
    return f"one of {', '.join(choices)}", lambda v: isinstance(v, str) and v in choices


def optional(check: Check) -> Check:
    """Return a check that null passes as well."""
    words, passes = check
    return f"{words}, or null", lambda v: v is None or passes(v)


def reals(length: int | None = None) -> Check:
    """Return the check for a list of numbers up to MAX_NUMBER."""
    words = f"a list of {NUMBERS}" if length is None else f"{length} {NUMBERS}"
    return words, lambda v: type(v) is list and length in (None, len(v)) and all_real(v)


def all_real(values: Sequence[Any]) -> bool:
    """Whether all values are numbers up to MAX_NUMBER."""
    return all(type(v) in (int, float) and -MAX_NUMBER <= v <= MAX_NUMBER for v in values)


def _is_text(value: object, length: int) -> bool:
    """Whether a value is a text of at most `length` characters that can be written as UTF-8."""
    return isinstance(value, str) and len(value) <= length and not HALF_A_CHARACTER.search(value)


def is_speed(value: object) -> bool:
    """Whether a value is a pair of a time and a factor of the computing time."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all_real(value)
        and MIN_SPEED_FACTOR <= value[1] <= MAX_SPEED_FACTOR
    )


def _is_scalar(value: object) -> bool:
    if isinstance(value, str):
        return _is_text(value, MAX_TEXT_LENGTH)
    return value is None or isinstance(value, bool) or all_real([value])


def is_scalars(values: object) -> bool:
    """Whether a value is an object of few texts, numbers, truth values and nulls."""
    return (
        isinstance(values, dict)
        and len(values) <= MAX_SCALARS
        and all(_is_text(name, MAX_TEXT_LENGTH) and _is_scalar(v) for name, v in values.items())
    )


def is_domain(value: object) -> bool:
    """Whether a value is the domain of a header: numbers of levels, and which are choices."""
    if not isinstance(value, dict) or set(value) != {"levels", "choice"}:
        return False
    levels, choice = value["levels"], value["choice"]
    return (
        type(levels) is list
        and type(choice) is list
        and len(levels) == len(choice) <= MAX_IMPORTED_DIMENSION
        and all(type(flag) is bool for flag in choice)
        and all(
            type(m) is int and flag <= m <= MAX_LEVELS
            for m, flag in zip(levels, choice, strict=True)
        )
    )


def is_bounds(pairs: object) -> bool:
    """Whether a value is a list of pairs of numbers, one per dimension."""
    return (
        isinstance(pairs, list)
        and len(pairs) <= MAX_IMPORTED_DIMENSION
        and all(isinstance(pair, list) and len(pair) == 2 and all_real(pair) for pair in pairs)
    )


def is_knobs(tables: object) -> bool:
    """Whether a value is a list of knobs with their names."""
    if not isinstance(tables, list) or len(tables) > MAX_IMPORTED_DIMENSION:
        return False
    try:
        for table in tables:
            knob_from_json(table["name"], {k: v for k, v in table.items() if k != "name"})
    except (BoltError, AttributeError, LookupError, TypeError):
        return False
    return all(_is_text(table["name"], MAX_TEXT_LENGTH) for table in tables)
