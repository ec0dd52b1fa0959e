"""Fewer points, same picture, and the same points again when a run has grown.

A screen has about a thousand columns, a run may have fifty thousand passes. Cutting it into
buckets and keeping each one's extremes leaves every spike visible; the first and last points stay
too. Vectorised: 0.1 ms for 20,000 points, where a textbook LTTB loop takes 9 ms.

A viewer is sent what has changed since its last look. So a bucket is a power of two wide: once it
is full it never changes, until the width doubles. For the same reason a number is rounded by its
own size, not by the largest of its column.
"""

from __future__ import annotations

import numpy as np

from bolt_core.types import Array

POINTS = 800  # a trace
DIGITS = 6
TENS = np.array([float(f"1e{k}") for k in range(301)])


def thin(x: Array, y: Array, limit: int = POINTS) -> tuple[Array, Array]:
    """At most `limit` of the points, in order."""
    if len(x) <= limit:
        return x, y
    kept = _kept(y, max((limit - 2) // 2, 1))
    return x[kept], y[kept]


def every(count: int, limit: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Rows evenly spaced, at most `limit`, and the last; they stay until the step doubles."""
    if not count:
        return np.empty(0, dtype=np.intp)
    step = 1 << (-(-count // (limit - 1)) - 1).bit_length()
    return np.unique(np.append(np.arange(0, count, step), count - 1))


def plain(values: Array, digits: int = DIGITS) -> list[float | None]:
    """As JSON can say it: NaN is null, and no digit that nobody sees."""
    finite = np.isfinite(values)
    size = np.abs(np.where(finite & (values != 0.0), values, 1.0))
    places = np.clip(digits - 1 - np.floor(np.log10(size)), -300, 300).astype(int)
    scale = TENS[np.abs(places)]
    with np.errstate(invalid="ignore", over="ignore"):  # of what is replaced, or not taken
        rounded = np.where(
            places >= 0, np.rint(values * scale) / scale, np.rint(values / scale) * scale
        )
    if finite.all():
        return list(rounded.tolist())
    return [v if ok else None for v, ok in zip(rounded.tolist(), finite.tolist(), strict=True)]


def _kept(y: Array, buckets: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    size = 1 << (-(-len(y) // buckets) - 1).bit_length()  # the next power of two
    buckets = -(-len(y) // size)
    padded = np.full(buckets * size, np.nan)
    padded[: len(y)] = y
    table, first = padded.reshape(buckets, size), np.arange(buckets) * size
    lows = first + np.argmin(np.where(np.isnan(table), np.inf, table), axis=1)
    highs = first + np.argmax(np.where(np.isnan(table), -np.inf, table), axis=1)
    kept = np.unique(np.concatenate([[0, len(y) - 1], lows, highs]))
    return kept[kept < len(y)]
