"""A range that changes while running: coordinates and lengthscales under the new one.

Coordinates of the old range are mapped to those of the same values in the new one, an affine map
per knob, u' = a + b u. A lengthscale of the knob is multiplied by b, so that the surrogate says the
same about the same settings. One lengthscale for all knobs cannot do that; it is multiplied by the
geometric mean of all b, and inferred anew with the next tell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bolt_core.common.errors import ConfigError, UnknownNameError
from bolt_core.common.knob_tables import KNOB_KEYS
from bolt_core.common.knobs import Choice, Knob, Real
from bolt_core.common.types import Array, Hyperparameters, IterationRecord

FIXED = ("scale", "type", "values")  # what a change cannot alter


def changed_knob(name: str, knobs: Mapping[str, Knob], changes: Mapping[str, Any]) -> Knob:
    """Return the knob `name` with the changes."""
    if name not in knobs:
        raise UnknownNameError("knob", name, knobs)
    knob = knobs[name]
    if isinstance(knob, Choice):
        raise ConfigError(f"the values of knob {name!r} cannot be changed; declare a new problem")
    if not changes:
        raise ConfigError(f"say what to change of knob {name!r}: low, high, unit or max_step")
    keys = [key for key in KNOB_KEYS[knob.kind] if key not in FIXED]
    for key in changes:
        if key not in keys:
            raise UnknownNameError(f"change of knob {name!r}", key, keys)
    return replace(knob, **changes).check(name)


@dataclass(frozen=True, slots=True)
class Recoding:
    """u' = a + b u for each knob."""

    a: Array  # (d,)
    b: Array

    @staticmethod
    def between(old: Sequence[Knob], new: Sequence[Knob]) -> Recoding:
        """Return the map from coordinates under the old knobs to those under the new ones."""
        spans = [(_span(before), _span(after)) for before, after in zip(old, new, strict=True)]
        b = [(old_high - old_low) / (high - low) for (old_low, old_high), (low, high) in spans]
        a = [(old_low - low) / (high - low) for (old_low, _), (low, high) in spans]
        return Recoding(np.array(a), np.array(b))

    @property
    def is_identity(self) -> bool:
        """Whether no range has changed."""
        return bool(np.all(self.a == 0.0) and np.all(self.b == 1.0))

    def point(self, x: Sequence[float]) -> tuple[float, ...]:
        """Return a point under the new range."""
        return tuple((self.a + self.b * np.asarray(x, dtype=float)).tolist())

    def record(self, record: IterationRecord) -> IterationRecord:
        """Return the record of a pass under the new range."""
        observation = replace(record.observation, x=self.point(record.observation.x))
        theta = None if record.theta is None else self._theta(record.theta)
        return replace(record, observation=observation, theta=theta)

    def state(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Return the state of an optimizer under the new range."""
        inner = dict(state["optimizer"])
        policy = inner.get("policy")
        if policy is None or "drift" in policy:
            raise ConfigError(
                "this algorithm keeps positions of its own, so that a range cannot change while "
                "it runs; start anew with the new range and give log() to tell_all"
            )
        if inner["inference"] is not None:
            theta = inner["inference"]["theta"]
            scales = self._scales(theta["lengthscale_space"])
            inner["inference"] = {
                **inner["inference"],
                "theta": {**theta, "lengthscale_space": scales},
            }
        pending = [{**ask, "x": list(self.point(ask["x"]))} for ask in state["pending"]]
        return {**state, "optimizer": inner, "pending": pending}

    def _theta(self, theta: Hyperparameters) -> Hyperparameters:
        scales: Any = self._scales(theta.lengthscale_space)
        return replace(theta, lengthscale_space=tuple(scales) if type(scales) is list else scales)

    def _scales(self, scales: Any) -> Any:  # noqa: ANN401 - a number, or one per knob
        if isinstance(scales, list | tuple):
            return (self.b * np.asarray(scales)).tolist()
        return scales * math.exp(float(np.mean(np.log(self.b))))


def _span(knob: Knob) -> tuple[float, float]:
    low, high = knob.bounds
    if isinstance(knob, Real) and knob.scale == "log":
        return math.log(low), math.log(high)
    return low, high


def same_problem(ours: Mapping[str, Any], stored: Mapping[str, Any]) -> str | None:
    """Return the first difference between two problems as JSON objects, in words; None if equal."""
    if ours == stored:
        return None
    for key in {**ours, **stored}:
        if key != "knobs" and ours.get(key) != stored.get(key):
            return f"{key} is {stored.get(key)!r} there and {ours.get(key)!r} here"
    for name in {**ours["knobs"], **stored["knobs"]}:
        here, there = ours["knobs"].get(name), stored["knobs"].get(name)
        if here != there:
            return f"knob {name!r} is {there!r} there and {here!r} here"
    return None
