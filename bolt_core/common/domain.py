"""The settable points of the unit cube, and a part of it to search in.

A knob is a coordinate u in [0, 1]. A real knob may be set anywhere; an integer or a choice has m
levels, level k at the centre (k + 1/2) / m of its cell, so that rounding a uniform u to its cell
gives every level the same share. Levels of a choice have no order: any two are equally far apart,
so far that two random levels have the mean squared distance of two random u, 1/6.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.errors import ConfigError

Array: TypeAlias = NDArray[np.float64]
ROUNDING = 1e-9  # of [0, 1]: a level this far outside a face still lies on it


@dataclass(frozen=True, slots=True)
class Domain:
    """The settable points of [0, 1]^d, one coordinate per knob."""

    levels: tuple[int, ...]  # 0: continuous; m >= 1: m settable values, at (k + 1/2) / m
    choice: tuple[bool, ...]  # True: the levels have no order

    def __post_init__(self) -> None:
        if len(self.levels) != len(self.choice):
            raise ConfigError(
                f"a domain needs one number of levels and one flag per knob, got "
                f"{len(self.levels)} and {len(self.choice)}"
            )
        for k, (levels, choice) in enumerate(zip(self.levels, self.choice, strict=True)):
            if levels < choice:
                raise ConfigError(
                    f"knob {k + 1} has {levels} levels; a number has 0 (continuous) or more, a "
                    "choice at least 1"
                )

    def to_json(self) -> dict[str, Any]:
        """Return the domain, JSON-ready."""
        return {"levels": list(self.levels), "choice": list(self.choice)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Domain:
        """Return the domain that `to_json` wrote."""
        return Domain(tuple(data["levels"]), tuple(data["choice"]))

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.levels)

    @property
    def is_continuous(self) -> bool:
        """Whether every coordinate may be set anywhere."""
        return not any(self.levels)

    @property
    def discrete(self) -> tuple[int, ...]:
        """The coordinates that have levels."""
        return tuple(k for k, levels in enumerate(self.levels) if levels)

    @property
    def choices(self) -> tuple[int, ...]:
        """The coordinates whose levels have no order."""
        return tuple(k for k, choice in enumerate(self.choice) if choice)

    @property
    def combinations(self) -> int:
        """The number of combinations of all levels; 1 if there are none."""
        return math.prod(levels for levels in self.levels if levels)

    def choice_distance(self, k: int) -> float:
        """Return the distance of two different levels of a choice: 0.58 of 2 levels, 0.5 of 3."""
        m = self.levels[k]
        return math.sqrt(m / (6.0 * (m - 1))) if m > 1 else 0.0

    def snap(self, X: Array) -> Array:
        """Return the settable points of the cells that hold X (..., d); continuous unchanged."""
        X = np.array(X, dtype=float)
        for k in self.discrete:
            m = self.levels[k]
            X[..., k] = (np.clip(np.floor(X[..., k] * m), 0, m - 1) + 0.5) / m
        return X


@dataclass(frozen=True, slots=True)
class Region:
    """A sub-box of [0, 1]^d to search in, e.g. what a largest step allows."""

    low: Array  # (d,)
    high: Array  # (d,)

    def __post_init__(self) -> None:
        low, high = np.asarray(self.low, dtype=float), np.asarray(self.high, dtype=float)
        if low.shape != high.shape or low.ndim != 1 or not np.all((low >= 0) & (high <= 1)):
            raise ConfigError(f"a region is a box within [0, 1]^d, got {low} to {high}")
        if not np.all(low <= high):
            raise ConfigError(f"a region needs low <= high in every coordinate: {low}, {high}")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @staticmethod
    def whole(dimension: int) -> Region:
        """Return [0, 1]^d."""
        return Region(np.zeros(dimension), np.ones(dimension))

    def settable(self, domain: Domain, k: int) -> Array:
        """Return the settable values of a discrete coordinate within the region, rising."""
        m = domain.levels[k]
        values = (np.arange(m) + 0.5) / m
        inside = (values >= self.low[k] - ROUNDING) & (values <= self.high[k] + ROUNDING)
        if not inside.any():
            raise ConfigError(
                f"no level of knob {k + 1} lies between {self.low[k]:g} and {self.high[k]:g}; "
                "the region must hold at least one"
            )
        return np.asarray(values[inside])

    def holds(self, X: Array) -> NDArray[np.bool_]:
        """Return which of the points X (..., d) lie in the region, up to rounding."""
        inside = (self.low - ROUNDING <= X) & (self.high + ROUNDING >= X)
        return np.asarray(inside.all(axis=-1))


def project(X: Array, domain: Domain | None, region: Region | None) -> Array:
    """Return settable points of the region near X (..., d): nearest in each coordinate.

    A choice outside the region has no nearest level; it is replaced by the closest in the list.
    """
    X = np.array(X, dtype=float)
    if region is not None:
        X = np.clip(X, region.low, region.high)
    if domain is None:
        return X
    if region is None:
        return domain.snap(X)
    for k in domain.discrete:
        values = region.settable(domain, k)
        X[..., k] = values[np.abs(X[..., k, None] - values).argmin(axis=-1)]
    return X


def uniform_in(u: Array, domain: Domain | None, region: Region | None) -> Array:
    """Return the settable points of the region at shares u (..., d) of its sides.

    For uniform u they are uniform in the region, and its levels are equally likely.
    """
    X = np.array(u, dtype=float)
    if region is not None:
        X = region.low + X * (region.high - region.low)
    if domain is None:
        return X
    box = region or Region.whole(domain.dimension)
    for k in domain.discrete:
        values = box.settable(domain, k)
        row = np.floor(np.asarray(u)[..., k] * len(values)).astype(int)
        X[..., k] = values[np.clip(row, 0, len(values) - 1)]
    return X
