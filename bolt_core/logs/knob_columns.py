"""Knobs guessed from their columns, and the unit coordinates of their values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.errors import ConfigError, DataError
from bolt_core.common.knobs import Choice, Integer, Knob, Real
from bolt_core.common.types import Array
from bolt_core.logs.columns import MAX_CHOICES, Column

LOG_RATIO = 1e3  # a positive knob that spans three decades has a logarithmic scale, if
LOG_MIDDLE_RATIO = 100.0  # nine of ten of its values span two: of even values one may be near 0
MAX_INTEGER_VALUES = 12  # different whole numbers
MAX_INTEGER_RANGE = 50

Mask = NDArray[np.bool_]


def knob_of(column: Column, usable: Mask) -> Knob:
    """Return the knob of a column, its range that of the usable rows; DataError if constant."""
    if column.numbers is None:
        return _choice(column, usable)
    values = column.numbers.values[usable]
    low, high = float(values.min()), float(values.max())
    if low == high:
        raise DataError(
            f"{column.heading!r} is {low:g} in every usable row, so it is no knob; leave it out"
        )
    different = np.unique(values)
    whole = bool(np.all(different == np.round(different)))
    if whole and len(different) <= MAX_INTEGER_VALUES and high - low <= MAX_INTEGER_RANGE:
        return Integer(int(low), int(high), unit=column.unit).check(column.name)
    scale = "log" if low > 0 and high / low >= LOG_RATIO and _spread(values) else "linear"
    return Real(low, high, unit=column.unit, scale=scale).check(column.name)


def _spread(values: Array) -> bool:
    """Whether nine of ten values span at least two decades."""
    low, high = np.quantile(values, [0.05, 0.95])
    return bool(high / low >= LOG_MIDDLE_RATIO)


def _choice(column: Column, usable: Mask) -> Choice:
    used = sorted({c for c, use in zip(column.cells, usable.tolist(), strict=True) if use})
    if not 2 <= len(used) <= MAX_CHOICES:
        raise ConfigError(
            f"{column.heading!r} has {len(used):,} different texts; a knob has 2 to {MAX_CHOICES}"
        )
    return Choice(*used).check(column.name)


def coordinates(name: str, knob: Knob, column: Column, usable: Mask) -> Array:
    """Return the unit coordinates of the usable rows: each different value is converted once."""
    if column.numbers is None:
        cells = [c for c, use in zip(column.cells, usable.tolist(), strict=True) if use]
        place = {cell: knob.to_unit(name, cell) for cell in set(cells)}
        return np.array([place[cell] for cell in cells])
    different, back = np.unique(column.numbers.values[usable], return_inverse=True)
    return np.array([knob.to_unit(name, value) for value in different.tolist()])[back]


def has_value(column: Column) -> Mask:
    """Return which rows of a column have a value that can be used."""
    if column.numbers is not None:
        return np.isfinite(column.numbers.values)
    known = set(column.texts)
    return np.array([cell in known for cell in column.cells])
