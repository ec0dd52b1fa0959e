"""Notice a knob that is the outcome once more, in other units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bolt_core.common.types import Array
from bolt_core.logs.columns import Column
from bolt_core.logs.knob_columns import Mask

MIN_CORRELATION = 0.99  # of ranks; a knob rarely decides the outcome that far by itself
MIN_ROWS = 10


def mirror_notes(knobs: Sequence[Column], y: Array, usable: Mask, outcome: str) -> list[str]:
    """Return a sentence for each knob whose ranks are nearly those of the outcome, or reversed.

    `y` are the outcomes of the usable rows, which differ, and `outcome` is their heading.
    """
    notes: list[str] = []
    if len(y) < MIN_ROWS:
        return notes
    ranks = _ranks(y)
    for knob in knobs:
        if knob.numbers is None:
            continue
        correlation = float(np.corrcoef(_ranks(knob.numbers.values[usable]), ranks)[0, 1])
        if abs(correlation) >= MIN_CORRELATION:
            notes.append(
                f"{knob.heading!r} moves with the outcome {outcome!r} (rank correlation "
                f"{correlation:.3f}). If it is measured and not set, it is no knob: leave it out."
            )
    return notes


def _ranks(values: Array) -> Array:
    """Return the rank of each value; equal values share their mean rank."""
    _, back, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - 0.5 * (counts + 1))[back], dtype=float)
