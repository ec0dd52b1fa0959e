"""Knobs: what a user can set, in units of the user's own, and their coordinates in [0, 1].

    Real(0, 8, unit="l/min", max_step=1)      any number; scale="log" for one over decades
    Integer(1, 6)                             whole numbers, both ends included
    Choice("A", "B", "C")                     values without an order

`max_step` is the largest change between two settings, in the knob's unit; for a knob with
scale="log" it is the largest factor (above 1) between them. A knob learns its name from the
problem that it is part of, so `check(name)` says what is wrong with a declaration, not `__init__`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from bolt_core.common import knob_checks
from bolt_core.common.errors import ConfigError

Value: TypeAlias = float | int | str | bool  # of a knob

SCALES = ("linear", "log")
MAX_LEVELS = 1_000_000  # of an integer
MAX_CHOICES = 1_000
STEP_MARGIN = 1e-9  # of max_step, left unused so that rounding never makes a step too large
ROUNDINGS = 4  # in units of the last digit of the ends, likewise
DIGITS = 13  # of a value; those after them are rounding errors
WIDTH_DIGITS = 10  # of the width of a range, which a value always has


@dataclass(frozen=True, slots=True)
class Real:
    """A knob that can be set to any number from `low` to `high`.

    >>> feed = Real(0, 8, unit="l/min", max_step=1)
    >>> feed.from_unit(0.25), feed.to_unit("feed", 6)
    (2.0, 0.75)
    >>> round(Real(1e-4, 1e-1, scale="log").to_unit("rate", 1e-3), 6)
    0.333333
    """

    low: float
    high: float
    unit: str = ""
    scale: str = "linear"
    max_step: float | None = None
    kind: ClassVar[str] = "real"
    levels: ClassVar[int] = 0

    def check(self, name: str) -> Real:
        """Return the knob with plain numbers; a ConfigError says what is wrong with it."""
        low, high = knob_checks.ends(name, self.low, self.high)
        if self.scale not in SCALES:
            raise ConfigError(
                f"scale of knob {name!r} must be 'linear' or 'log', got {self.scale!r}"
            )
        if self.scale == "log":
            knob_checks.check_log_range(name, low, high)
        step = (
            None if self.max_step is None else knob_checks.finite(name, "max_step", self.max_step)
        )
        smallest = 1.0 if self.scale == "log" else 0.0
        if step is not None and step <= smallest:
            words = "a factor above 1 with scale = 'log'" if smallest else "above 0"
            raise ConfigError(
                f"max_step of knob {name!r} must be {words}, got {step:g}; "
                "leave it out for no limit"
            )
        return Real(low, high, knob_checks.unit(name, self.unit), self.scale, step)

    def to_unit(self, name: str, value: object) -> float:
        """Return the coordinate of a value, outside [0, 1] if the value is outside the range."""
        number = knob_checks.number(name, value, self.low, self.high, self.unit)
        if self.scale == "linear":
            return (number - self.low) / (self.high - self.low)
        if number <= 0:
            raise ConfigError(
                f"knob {name!r} has scale = 'log': a value must be above 0, got {number:g}"
            )
        return math.log(number / self.low) / math.log(self.high / self.low)

    def from_unit(self, u: float) -> float:
        """Return the value at a coordinate; outside [0, 1] it is outside the range."""
        if self.scale == "linear":
            value = round(self.low + (self.high - self.low) * u, self._decimals)
        else:
            value = self.low * math.exp(u * math.log(self.high / self.low))
            value = float(f"{value:.{DIGITS}g}")
        return min(max(value, self.low), self.high) if 0 <= u <= 1 else value

    def reach(self, u: float) -> tuple[float, float] | None:
        """Return the coordinates that one step from `u` may reach; None without a max_step."""
        if self.max_step is None:
            return None
        if self.scale == "log":
            step = max(math.log(self.max_step) - 10.0 ** (1 - DIGITS), 0.0)
            step /= math.log(self.high / self.low)
        else:
            largest = max(abs(self.low), abs(self.high))
            rounding = max(ROUNDINGS * math.ulp(largest), 10.0**-self._decimals)
            step = max(self.max_step - rounding, 0.0) / (self.high - self.low)
        step *= 1.0 - STEP_MARGIN
        return u - step, u + step

    @property
    def _decimals(self) -> int:
        """The decimals of a value that are not rounding errors; more for a narrow range."""
        largest, width = max(abs(self.low), abs(self.high)), self.high - self.low
        return max(
            DIGITS - math.ceil(math.log10(largest)), WIDTH_DIGITS - math.ceil(math.log10(width))
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """The values at the coordinates 0 and 1."""
        return self.low, self.high


@dataclass(frozen=True, slots=True)
class Integer:
    """A knob that can be set to whole numbers from `low` to `high`, both included.

    >>> stages = Integer(1, 6)
    >>> [stages.from_unit(u) for u in (0.0, 0.2, 1.0)], stages.to_unit("stages", 1)
    ([1, 2, 6], 0.08333333333333333)
    """

    low: int
    high: int
    unit: str = ""
    max_step: int | None = None
    kind: ClassVar[str] = "integer"

    def check(self, name: str) -> Integer:
        """Return the knob with plain numbers; a ConfigError says what is wrong with it."""
        low, high = (
            knob_checks.whole(name, "low", self.low),
            knob_checks.whole(name, "high", self.high),
        )
        knob_checks.ends(name, low, high)
        if high - low >= MAX_LEVELS:
            raise ConfigError(
                f"knob {name!r} has {high - low + 1:,} values, at most {MAX_LEVELS:,} are "
                "possible; use Real and round what is asked for"
            )
        step = None if self.max_step is None else knob_checks.whole(name, "max_step", self.max_step)
        if step is not None and step < 1:
            raise ConfigError(
                f"max_step of knob {name!r} must be at least 1, got {step}; "
                "leave it out for no limit"
            )
        return Integer(low, high, knob_checks.unit(name, self.unit), step)

    @property
    def levels(self) -> int:
        """The number of values."""
        return self.high - self.low + 1

    def to_unit(self, name: str, value: object) -> float:
        """Return the coordinate of a whole number, outside [0, 1] if it is outside the range."""
        number = knob_checks.number(name, value, self.low, self.high, self.unit)
        if not number.is_integer():
            raise ConfigError(
                f"knob {name!r} is set to whole numbers, got {number:g}; "
                f"tell the value that was set, such as {round(number)}"
            )
        return (number - self.low + 0.5) / self.levels

    def from_unit(self, u: float) -> int:
        """Return the whole number whose cell holds a coordinate."""
        level = math.floor(u * self.levels)
        return self.low + (min(max(level, 0), self.levels - 1) if 0 <= u <= 1 else level)

    def reach(self, u: float) -> tuple[float, float] | None:
        """Return the coordinates of the values that one step from `u` may reach."""
        if self.max_step is None:
            return None
        level = math.floor(u * self.levels)
        ends = level - self.max_step, level + self.max_step
        return (ends[0] + 0.5) / self.levels, (ends[1] + 0.5) / self.levels

    @property
    def bounds(self) -> tuple[float, float]:
        """The numbers at the coordinates 0 and 1, half a step outside the range."""
        return self.low - 0.5, self.high + 0.5


@dataclass(frozen=True, slots=True, init=False)
class Choice:
    """A knob that can be set to one of several values without an order.

    >>> catalyst = Choice("A", "B", "C")
    >>> catalyst.from_unit(0.5), round(catalyst.to_unit("catalyst", "C"), 3)
    ('B', 0.833)
    """

    values: tuple[Value, ...]
    kind: ClassVar[str] = "choice"
    unit: ClassVar[str] = ""
    max_step: ClassVar[None] = None

    def __init__(self, *values: Value) -> None:
        object.__setattr__(self, "values", tuple(values))

    def check(self, name: str) -> Choice:
        """Return the knob; a ConfigError says what is wrong with it."""
        if not 2 <= len(self.values) <= MAX_CHOICES:
            raise ConfigError(
                f"values of knob {name!r} must be 2 to {MAX_CHOICES:,}, got {len(self.values)}; "
                "leave out a knob that is never changed"
            )
        for k, value in enumerate(self.values):
            if not knob_checks.is_choice_value(value):
                raise ConfigError(
                    f"values of knob {name!r} must be texts of at most {knob_checks.MAX_TEXT} "
                    f"characters, finite numbers, true or false; got {value!r}"
                )
            if value in self.values[:k]:
                first = self.values[self.values.index(value)]
                got = f"{value!r} twice" if type(first) is type(value) else f"{first!r} = {value!r}"
                raise ConfigError(f"values of knob {name!r} must differ, got {got}")
        return self

    @property
    def levels(self) -> int:
        """The number of values."""
        return len(self.values)

    def to_unit(self, name: str, value: object) -> float:
        """Return the coordinate of a value."""
        for k, known in enumerate(self.values):
            if value == known and isinstance(value, str) == isinstance(known, str):
                return (k + 0.5) / len(self.values)
        raise ConfigError(
            f"knob {name!r} cannot be set to {value!r}; choose one of "
            f"{', '.join(map(repr, self.values))}"
        )

    def from_unit(self, u: float) -> Value:
        """Return the value whose cell holds a coordinate."""
        level = math.floor(u * len(self.values))
        return self.values[min(max(level, 0), len(self.values) - 1)]

    def reach(self, u: float) -> None:
        """Return None: every value can be chosen after any other."""
        del u

    @property
    def bounds(self) -> tuple[float, float]:
        """The numbers at the coordinates 0 and 1, where value k has the number k."""
        return -0.5, len(self.values) - 0.5


Knob: TypeAlias = Real | Integer | Choice
