"""A box of your units, and the unit cube the algorithms work in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bolt_core.common.errors import ConfigError
from bolt_core.common.types import Array


@dataclass(frozen=True, slots=True)
class Box:
    """low_k <= x_k <= high_k."""

    low: Array  # (d,)
    high: Array

    @staticmethod
    def of(bounds: Sequence[tuple[float, float]]) -> Box:
        try:
            pairs = np.array([[float(low), float(high)] for low, high in bounds])
        except (TypeError, ValueError):
            raise ConfigError(
                f"bounds must be pairs (low, high), one a coordinate; got {bounds!r}"
            ) from None
        if not len(pairs):
            raise ConfigError("bounds must name at least one coordinate, got none")
        for k, (low, high) in enumerate(pairs.tolist()):
            if not (np.isfinite(low) and np.isfinite(high) and low < high):
                raise ConfigError(
                    f"bounds of coordinate {k + 1} must be finite with low < high, "
                    f"got ({low:g}, {high:g})"
                )
        return Box(pairs[:, 0], pairs[:, 1])

    @property
    def dimension(self) -> int:
        return len(self.low)

    @property
    def pairs(self) -> list[list[float]]:
        return [
            [low, high] for low, high in zip(self.low.tolist(), self.high.tolist(), strict=True)
        ]

    def inside(self, x: ArrayLike) -> Array:
        """From your units to the unit cube; shape (..., d)."""
        try:
            places = np.asarray(x, dtype=float)
        except (TypeError, ValueError):
            raise ConfigError(f"x must be {self.dimension} numbers, got {x!r}") from None
        if places.ndim == 0 or places.shape[-1] != self.dimension:
            raise ConfigError(f"x must have {self.dimension} coordinates, got {x!r}")
        if not np.all(np.isfinite(places)):
            raise ConfigError(f"x must be finite, got {x!r}")
        return np.asarray((places - self.low) / (self.high - self.low))

    def place(self, x: ArrayLike) -> Array:
        """One place, (d,), in the unit cube."""
        unit = self.inside(x)
        if unit.ndim != 1:
            raise ConfigError(f"x must be one place of {self.dimension} coordinates, got {x!r}")
        return unit

    def outside(self, unit: Array) -> Array:
        """From the unit cube to your units."""
        return np.asarray(self.low + (self.high - self.low) * unit)
