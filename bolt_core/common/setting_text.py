"""Settings as text: tables with units and changes, and values that a user types."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.knobs import Choice, Integer, Knob, Real, Value

DIGITS = 4  # of the range of a real knob; a finer setting makes no difference
MIN_EPOCH_SECONDS = 1e8  # a smaller number is no time of day: 1e8 s is in 1973


def value_text(knob: Knob, value: Value) -> str:
    """Return a value of a knob to a ten-thousandth of its range, without the unit."""
    if isinstance(value, bool) or isinstance(knob, Choice):
        return shown_choice(value)
    if isinstance(knob, Integer):
        return str(value)
    if knob.scale == "log":
        return f"{value:.{DIGITS}g}"
    return f"{value:.{_decimals(knob)}f}"


def with_unit(knob: Knob, value: Value) -> str:
    """Return a value of a knob with its unit."""
    return f"{value_text(knob, value)} {knob.unit}".rstrip()


def range_text(knob: Real | Integer) -> str:
    """Return the range of a knob with its unit: 0 to 8 l/min."""
    return f"{knob.low:g} to {knob.high:g} {knob.unit}".rstrip()


def setting_line(knobs: Mapping[str, Knob], setting: Mapping[str, Value]) -> str:
    """Return a setting on one line: feed 3.2 l/min, stages 4."""
    return ", ".join(f"{name} {with_unit(knob, setting[name])}" for name, knob in knobs.items())


def setting_table(
    knobs: Mapping[str, Knob], setting: Mapping[str, Value], last: Mapping[str, Value] | None = None
) -> str:
    """Return a setting as a table, one row per knob; with `last`, what changes from it."""
    rows = []
    for name, knob in knobs.items():
        change = "" if last is None else change_text(knob, last[name], setting[name]) or "(same)"
        rows.append([name, value_text(knob, setting[name]), knob.unit, change])
    return table(rows, right=(1,))


def change_text(knob: Knob, before: Value, after: Value) -> str:
    """Return how a value differs from the one before: +0.4, x 1.3, was A, or nothing."""
    if value_text(knob, before) == value_text(knob, after):
        return ""
    if isinstance(knob, Choice):
        return f"(was {shown_choice(before)})"
    if isinstance(knob, Real) and knob.scale == "log":
        return f"(\N{MULTIPLICATION SIGN} {float(after) / float(before):.3g})"
    difference = float(value_text(knob, after)) - float(value_text(knob, before))  # as shown
    decimals = 0 if isinstance(knob, Integer) else _decimals(knob)
    return f"({difference:+.{decimals}f})"


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Return rows with aligned columns, indented; columns in `right` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if k in right else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"  {'  '.join(cells)}".rstrip())
    return "\n".join(lines)


def number(what: str, text: str, if_not_finite: str = "") -> float:
    """Return a finite number that a user typed; the error names the text and the remedy."""
    try:
        value = float(text)
    except ValueError:
        remedy = "give the number alone, without a unit"
        if text.count(",") == 1 and _is_number(text.replace(",", ".")):
            remedy = f"use a point: {text.replace(',', '.')}"
        raise ConfigError(f"{what} must be a number, got {text!r}; {remedy}") from None
    if math.isfinite(value):
        return value
    remedy = f"; {if_not_finite}" if if_not_finite else ""
    raise ConfigError(f"{what} must be a finite number, got {text!r}{remedy}")


def value_of(name: str, knob: Knob, text: str) -> Value:
    """Return the value of a knob that a user typed."""
    if isinstance(knob, Choice):
        for value in knob.values:
            if shown_choice(value) == text.strip():
                return value
        choices = ", ".join(map(shown_choice, knob.values))
        raise ConfigError(f"knob {name!r} cannot be set to {text!r}; choose one of {choices}")
    value = number(f"knob {name!r}", text)
    return int(value) if isinstance(knob, Integer) and value.is_integer() else value


def typed_setting(knobs: Mapping[str, Knob], pairs: Sequence[str]) -> dict[str, Value]:
    """Return the values that a user typed as name=value."""
    setting: dict[str, Value] = {}
    for pair in pairs:
        name, text = _name_and_value(knobs, pair)
        if text is None:
            raise ConfigError(f"a setting is name=value, such as feed=3.2; got {pair!r}")
        if name not in knobs:
            raise UnknownNameError("knob", name, knobs)
        if name in setting:
            raise ConfigError(f"knob {name!r} is set twice, the second time by {pair!r}")
        setting[name] = value_of(name, knobs[name], text)
    return setting


def _name_and_value(knobs: Mapping[str, Knob], pair: str) -> tuple[str, str | None]:
    """Return both sides of name=value; a name may contain `=`. The value is None without a `=`."""
    parts = pair.split("=")
    for k in range(len(parts) - 1, 0, -1):
        if (name := "=".join(parts[:k]).strip()) in knobs:
            return name, "=".join(parts[k:])
    name, equals, text = pair.partition("=")
    return name.strip(), text if equals else None


def shown_choice(value: Value) -> str:
    """Return a value of a choice as it is written in a problem file, without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def moment(text: str) -> datetime:
    """Return a time that a user typed: ISO, a time of today, or epoch seconds; local if no zone."""
    try:
        if _is_number(text) and float(text) > MIN_EPOCH_SECONDS:
            return datetime.fromtimestamp(float(text), UTC)
        if len(text) <= len("23:59:59") and ":" in text:
            text = f"{datetime.now().astimezone():%Y-%m-%d}T{text}"
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        raise ConfigError(
            f"a time is like 2026-05-03T14:05, 14:05 (today) or seconds since 1970; got {text!r}"
        ) from None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _decimals(knob: Real) -> int:
    """Return how many decimals resolve a ten-thousandth of a range, nearly."""
    return max(0, math.floor(DIGITS - math.log10(knob.high - knob.low)))
