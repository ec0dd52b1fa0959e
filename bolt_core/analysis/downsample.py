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

from bolt_core.common.types import Array

POINTS_PER_TRACE = 800  # a trace
DIGITS = 6
TENS = np.array([float(f"1e{k}") for k in range(301)])


def thin(x: Array, y: Array, limit: int = POINTS_PER_TRACE) -> tuple[Array, Array]:
    """At most `limit` of the points, in order."""
    if len(x) <= limit:
        return x, y
    kept = _kept(y, max((limit - 2) // 2, 1))
    return x[kept], y[kept]


def evenly_spaced_rows(count: int, limit: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Rows evenly spaced, at most `limit`, and the last; they stay until the step doubles."""
    if not count:
        return np.empty(0, dtype=np.intp)
    step = 1 << (-(-count // (limit - 1)) - 1).bit_length()
    return np.unique(np.append(np.arange(0, count, step), count - 1))


def rounded(values: Array, digits: int = DIGITS) -> list[float | None]:
    """As JSON can say it: NaN is null, and no digit that nobody sees."""
    finite = np.isfinite(values)
    known = values if (sound := bool(finite.all())) else np.where(finite, values, 0.0)
    size = np.abs(known)
    size[size == 0.0] = 1.0
    places = (digits - 1 - np.floor(np.log10(size))).astype(np.intp)
    shown = _to_decimals(known, places).tolist()
    if sound:
        return list(shown)
    return [v if ok else None for v, ok in zip(shown, finite.tolist(), strict=True)]


def _to_decimals(values: Array, places: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Array:
    """Each to so many decimal places of its own; below zero, to tens."""
    if not len(places) or (places.min() >= 0 and places.max() < len(TENS)):  # as a rule
        scale = TENS[places]
        near: Array = np.rint(values * scale) / scale
        return near
    places = np.clip(places, 1 - len(TENS), len(TENS) - 1)
    scale = TENS[np.abs(places)]
    with np.errstate(over="ignore"):  # of what is not taken
        fine, coarse = np.rint(values * scale) / scale, np.rint(values / scale) * scale
    found: Array = np.where(places >= 0, fine, coarse)
    return found


def _kept(y: Array, buckets: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    size = 1 << (-(-len(y) // buckets) - 1).bit_length()  # the next power of two
    buckets = -(-len(y) // size)
    padded = np.full(buckets * size, y[-1])  # the first of equals is taken: never of the padding
    padded[: len(y)] = y
    low = high = padded
    if (gaps := np.isnan(padded)).any():
        low, high = np.where(gaps, np.inf, padded), np.where(gaps, -np.inf, padded)
    first = np.arange(buckets) * size
    lows = first + np.argmin(low.reshape(buckets, size), axis=1)
    highs = first + np.argmax(high.reshape(buckets, size), axis=1)
    pairs = np.stack([np.minimum(lows, highs), np.maximum(lows, highs)], axis=1).ravel()
    kept = np.concatenate([[0], pairs, [len(y) - 1]])
    kept = kept[kept < len(y)]
    return kept[np.diff(kept, prepend=-1) > 0]  # in order already, some twice
