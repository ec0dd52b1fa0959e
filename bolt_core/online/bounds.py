"""Bounds in the user's units, and the unit cube in which the algorithms work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.common.errors import ConfigError
from bolt_core.common.limits import MAX_VALUE, MIN_WIDTH
from bolt_core.common.types import Array


@dataclass(frozen=True, slots=True)
class Box:
    """The box low_k <= x_k <= high_k."""

    low: Array  # (d,)
    high: Array

    @staticmethod
    def of(bounds: Sequence[tuple[float, float]]) -> Box:
        """Return the box of (low, high) pairs; ConfigError if one of them is not valid."""
        try:
            pairs = np.array([[float(low), float(high)] for low, high in bounds])
        except (TypeError, ValueError, OverflowError):
            raise ConfigError(
                f"bounds must be pairs (low, high), one per coordinate; got {bounds!r}"
            ) from None
        if not len(pairs):
            raise ConfigError("bounds must name at least one coordinate, got none")
        for k, (low, high) in enumerate(pairs.tolist()):
            if not (np.isfinite(low) and np.isfinite(high) and low < high):
                raise ConfigError(
                    f"bounds of coordinate {k + 1} must be finite with low < high, "
                    f"got ({low:g}, {high:g})"
                )
            if max(-low, high) > MAX_VALUE or high - low < MIN_WIDTH:
                raise ConfigError(
                    f"bounds of coordinate {k + 1} must lie within {MAX_VALUE:g} of 0 and "
                    f"{MIN_WIDTH:g} apart, got ({low:g}, {high:g}); use another unit"
                )
        return Box(pairs[:, 0], pairs[:, 1])

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return len(self.low)

    @property
    def pairs(self) -> list[list[float]]:
        """[low, high] of each coordinate, for JSON."""
        return [
            [low, high] for low, high in zip(self.low.tolist(), self.high.tolist(), strict=True)
        ]

    def to_unit(self, x: ArrayLike) -> Array:
        """Convert points of shape (..., d) from the user's units to the unit cube."""
        try:
            points = np.asarray(x, dtype=float)
        except (TypeError, ValueError):
            raise ConfigError(f"x must be {self.dimension} numbers, got {x!r}") from None
        if points.ndim == 0 or points.shape[-1] != self.dimension:
            raise ConfigError(f"x must have {self.dimension} coordinates, got {x!r}")
        if not np.all(np.isfinite(points)):
            raise ConfigError(f"x must be finite, got {x!r}")
        return np.asarray((points - self.low) / (self.high - self.low))

    def point_to_unit(self, x: ArrayLike) -> Array:
        """Convert one point of shape (d,) to the unit cube."""
        unit = self.to_unit(x)
        if unit.ndim != 1:
            raise ConfigError(f"x must be one point of {self.dimension} coordinates, got {x!r}")
        return unit

    def from_unit(self, unit: Array) -> Array:
        """Convert points from the unit cube to the user's units."""
        return np.asarray(self.low + (self.high - self.low) * unit)
