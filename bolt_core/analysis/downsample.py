"""Downsampling of curves and rounding of numbers for charts.

A screen has about a thousand columns, a run may have fifty thousand passes. A curve is cut into
buckets, of which the extremes are kept: every spike stays visible, and so do the first and the
last point. Vectorised, this takes 0.1 ms for 20,000 points; a textbook LTTB loop takes 9 ms.

A viewer is sent only what has changed since its last request. Therefore the width of a bucket is
a power of two: a full bucket never changes until the width doubles. For the same reason a number
is rounded by its own magnitude, not by the largest of its column.
"""

import numpy as np

from bolt_core.common.types import Array

POINTS_PER_TRACE = 800
SIGNIFICANT_DIGITS = 6
POWERS_OF_TEN = np.array([float(f"1e{k}") for k in range(301)])


def thin(x: Array, y: Array, limit: int = POINTS_PER_TRACE) -> tuple[Array, Array]:
    """Return at most `limit` of the points, in order."""
    if len(x) <= limit:
        return x, y
    rows = _extreme_rows(y, max((limit - 2) // 2, 1))
    return x[rows], y[rows]


def evenly_spaced_rows(count: int, limit: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return at most `limit` evenly spaced rows and the last; they stay until the step doubles."""
    if not count:
        return np.empty(0, dtype=np.intp)
    step = 1 << (-(-count // (limit - 1)) - 1).bit_length()
    return np.unique(np.append(np.arange(0, count, step), count - 1))


def rounded(values: Array, digits: int = SIGNIFICANT_DIGITS) -> list[float | None]:
    """Return the values as JSON can hold them: rounded to `digits`, None for NaN and infinity."""
    finite = np.isfinite(values)
    all_finite = bool(finite.all())
    numbers = values if all_finite else np.where(finite, values, 0.0)
    magnitude = np.abs(numbers)
    magnitude[magnitude == 0.0] = 1.0
    decimals = (digits - 1 - np.floor(np.log10(magnitude))).astype(np.intp)
    shown = _to_decimals(numbers, decimals).tolist()
    if all_finite:
        return list(shown)
    return [v if ok else None for v, ok in zip(shown, finite.tolist(), strict=True)]


def _to_decimals(values: Array, decimals: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Array:
    """Round each value to its own number of decimals; a negative number rounds to tens."""
    shown: Array
    limit = len(POWERS_OF_TEN)
    if not len(decimals) or (decimals.min() >= 0 and decimals.max() < limit):  # the usual case
        scale = POWERS_OF_TEN[decimals]
        shown = np.rint(values * scale) / scale
        return shown
    decimals = np.clip(decimals, 1 - limit, limit - 1)
    scale = POWERS_OF_TEN[np.abs(decimals)]
    with np.errstate(over="ignore"):  # in the branch that is not taken
        fine, coarse = np.rint(values * scale) / scale, np.rint(values / scale) * scale
    shown = np.where(decimals >= 0, fine, coarse)
    return shown


def _extreme_rows(y: Array, buckets: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the rows of the lowest and the highest value of each bucket, and both ends."""
    size = 1 << (-(-len(y) // buckets) - 1).bit_length()  # the next power of two
    buckets = -(-len(y) // size)
    padded = np.full(buckets * size, y[-1])  # of equal values the first is taken, not the padding
    padded[: len(y)] = y
    low = high = padded
    if (gaps := np.isnan(padded)).any():
        low, high = np.where(gaps, np.inf, padded), np.where(gaps, -np.inf, padded)
    first = np.arange(buckets) * size
    lows = first + np.argmin(low.reshape(buckets, size), axis=1)
    highs = first + np.argmax(high.reshape(buckets, size), axis=1)
    pairs = np.stack([np.minimum(lows, highs), np.maximum(lows, highs)], axis=1).ravel()
    rows = np.concatenate([[0], pairs, [len(y) - 1]])
    rows = rows[rows < len(y)]
    return rows[np.diff(rows, prepend=-1) > 0]  # they are in order; repeated ones are dropped
