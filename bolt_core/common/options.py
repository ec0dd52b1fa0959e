"""Options of benchmarks and parameters of algorithms: name, default, bounds, unit and help.

A benchmark lists its options; the parameters of an algorithm are the fields of a dataclass:

    window: int = param(100, "observations kept", low=10, high=500, unit="observations")

The command line and the app build their controls from them. Values out of bounds are refused.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, cast

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.types import Scalar


@dataclass(frozen=True, slots=True)
class Option:
    """One option; its type is that of its default."""

    name: str
    default: Scalar
    help: str
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""

    def parse(self, value: Scalar) -> Scalar:
        """Return `value` as this option's type; raise a ConfigError if it is not valid."""
        if self.choices:
            if value not in self.choices:
                raise ConfigError(
                    f"{self.name} must be one of {', '.join(self.choices)}; got {value}"
                )
            return value
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise ConfigError(f"{self.name} must be true or false, got {value!r}")
            return value
        if isinstance(self.default, str):
            return str(value)
        return self._number(value)

    def _number(self, value: Scalar) -> float:
        whole = isinstance(self.default, int)
        kind = "a whole number" if whole else "a number"
        if isinstance(value, bool | str | None) or (whole and value != int(value)):
            raise ConfigError(f"{self.name} must be {kind}, got {value!r}")
        if not (self.low <= value <= self.high and math.isfinite(value)):
            span = f"[{self.low:g}, {self.high:g}]{self.unit and ' ' + self.unit}"
            raise ConfigError(f"{self.name} must be in {span}, got {value}")
        return int(value) if whole else float(value)


def parse_all(
    kind: str, options: Sequence[Option], values: Mapping[str, Scalar]
) -> dict[str, Scalar]:
    """Return every option with its value or its default; an unknown name is an error.

    `kind` names the options in that error, such as "option of shekel".
    """
    by_name = {option.name: option for option in options}
    for name in values:
        if name not in by_name:
            raise UnknownNameError(kind, name, by_name)
    return {name: o.parse(values.get(name, o.default)) for name, o in by_name.items()}


def parse_assignment(text: str) -> tuple[str, Scalar]:
    """Return the name and the value of "name=value"; numbers, true and false are read as such.

    A value in double quotes is always a string.
    """
    name, sign, value = (part.strip() for part in text.partition("="))
    if not (name and sign):
        raise ConfigError(f"{text!r} is not an assignment; write name=value")
    for read in (int, float, json.loads):
        try:
            parsed = read(value)
        except ValueError:
            continue
        if isinstance(parsed, str | int | float):
            return name, parsed
    return name, {"true": True, "false": False}.get(value.lower(), value)


def split_words(text: str) -> list[str]:
    """Return ["a", "b"] for "a, b"."""
    return [word.strip() for word in text.split(",") if word.strip()]


def param(default: Any, help: str, **bounds: Any) -> Any:  # noqa: A002, ANN401 - a field's default
    """Return a dataclass field that is also an option; `bounds` are fields of `Option`."""
    return field(default=default, metadata={"help": help, **bounds})


def options_of(params: type) -> list[Option]:
    """Return the fields of a dataclass as options."""
    return [Option(f.name, cast(Scalar, f.default), **f.metadata) for f in fields(params)]


@dataclass(frozen=True, slots=True)
class NoParams:
    """The parameters of an algorithm that has none."""
