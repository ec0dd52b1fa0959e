"""Settings by name, and the points of the unit cube in which the algorithms work.

A told value may lie outside the range of its knob, because the plant may really have been there:
its coordinate then lies outside [0, 1], as for plain bounds. What is asked for lies in the range,
with one exception: if the last setting lies so far outside that `max_step` cannot reach the range,
the suggestion goes towards it by one step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real as RealNumber
from typing import Any, TypeAlias

import numpy as np

from bolt_core.common.domain import Region
from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.knobs import Knob, Real, Value
from bolt_core.common.types import Array

Setting: TypeAlias = dict[str, Value]

SAME = 1e-12  # of a value, or of the larger end of its range: the same but for rounding


class KnobSpace:
    """The knobs of a problem, in order."""

    def __init__(self, knobs: Mapping[str, Knob]) -> None:
        self.knobs = dict(knobs)

    @property
    def dimension(self) -> int:
        """The number of knobs."""
        return len(self.knobs)

    @property
    def names(self) -> list[str]:
        """The names of the knobs."""
        return list(self.knobs)

    @property
    def pairs(self) -> list[list[float]]:
        """The numbers at the coordinates 0 and 1 of each knob, for the header of a record."""
        return [list(knob.bounds) for knob in self.knobs.values()]

    def to_unit(self, settings: Any) -> Array:  # noqa: ANN401 - one setting or several
        """Convert one setting or a sequence of settings to points of shape (d,) or (m, d)."""
        if isinstance(settings, Sequence) and not isinstance(settings, str):
            return np.array([self.point_to_unit(s) for s in settings]).reshape(-1, self.dimension)
        return self.point_to_unit(settings)

    def point_to_unit(self, setting: Any) -> Array:  # noqa: ANN401 - checked here
        """Convert a setting; a missing, unknown or impossible value is named."""
        if not isinstance(setting, Mapping):
            raise ConfigError(
                f"a setting is a dict with {', '.join(map(repr, self.knobs))}; got {setting!r}"
            )
        for name in setting:
            if name not in self.knobs:
                raise UnknownNameError("knob", str(name), self.knobs)
        for name in self.knobs:
            if name not in setting:
                raise ConfigError(f"the setting has no value for knob {name!r}; give one")
        return np.array([knob.to_unit(name, setting[name]) for name, knob in self.knobs.items()])

    def from_unit(self, point: Array) -> Setting:
        """Return the setting of a point of shape (d,)."""
        coordinates = np.asarray(point, dtype=float).tolist()
        pairs = zip(self.knobs.items(), coordinates, strict=True)
        return {name: knob.from_unit(u) for (name, knob), u in pairs}

    def is_same(self, setting: Mapping[Any, Any], other: Setting) -> bool:
        """Whether two settings are equal; of real knobs up to rounding."""
        if setting.keys() != other.keys():
            return False
        return all(
            value == setting[name] or _is_close(self.knobs[name], setting[name], value)
            for name, value in other.items()
        )

    def region(self, last: Array | None) -> Region | None:
        """Return what one step from the point `last` may reach; None if that is everything.

        In a coordinate whose range cannot be reached, it is the end of the range that is nearest.
        """
        if last is None or all(knob.max_step is None for knob in self.knobs.values()):
            return None
        low, high = np.zeros(self.dimension), np.ones(self.dimension)
        for k, (knob, u) in enumerate(zip(self.knobs.values(), last.tolist(), strict=True)):
            ends = knob.reach(u)
            if ends is not None:
                face = 0.5 / knob.levels if knob.levels else 0.0  # the outermost settable place
                low[k], high[k] = np.clip(ends, face, 1.0 - face)
        return Region(low, high)

    def towards(self, point: Array, last: Array | None) -> Array:
        """Return the point, with one step towards the range where no step reaches it."""
        if last is None:
            return point
        point = np.array(point, dtype=float)
        for k, (knob, u) in enumerate(zip(self.knobs.values(), last.tolist(), strict=True)):
            low, high = knob.reach(u) or (0.0, 1.0)
            if high < 0.0 or low > 1.0:
                point[k] = high if high < 0.0 else low
        return point


def _is_close(knob: Knob, value: object, other: Value) -> bool:
    """Whether two values of a real knob differ by rounding only."""
    if not isinstance(knob, Real) or not isinstance(value, RealNumber) or isinstance(other, str):
        return False
    largest = 0.0 if knob.scale == "log" else max(abs(knob.low), abs(knob.high))
    return math.isclose(value, other, rel_tol=SAME, abs_tol=SAME * largest)
