"""Notice columns of a log with the same information: a knob and the outcome, or two knobs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bolt_core.common.types import Array
from bolt_core.logs.columns import Column
from bolt_core.logs.knob_columns import Mask

MIN_CORRELATION = 0.99  # of ranks; a knob rarely decides the outcome that far by itself
MIN_ROWS = 10


def equal_column_notes(knobs: Sequence[Column], y: Array, usable: Mask, outcome: str) -> list[str]:
    """Return a sentence for each knob with nearly the ranks of the outcome or of another knob.

    Reversed ranks count, too. `y` are the outcomes of the usable rows, which differ, and `outcome`
    is their heading.
    """
    if len(y) < MIN_ROWS:
        return []
    numeric = [(k.heading, k.numbers.values[usable]) for k in knobs if k.numbers is not None]
    ranks = [(heading, _ranks(values)) for heading, values in numeric if np.ptp(values) > 0]
    notes = []
    for n, (heading, own) in enumerate(ranks):
        if abs(found := _correlation(own, _ranks(y))) >= MIN_CORRELATION:
            notes.append(
                f"{heading!r} moves with the outcome {outcome!r} (rank correlation {found:.3f}). "
                "If it is measured and not set, it is no knob: leave it out."
            )
        notes.extend(
            f"{heading!r} and {other!r} move together (rank correlation {found:.3f}): their "
            "effects cannot be told apart, so leave one of them out."
            for other, theirs in ranks[n + 1 :]
            if abs(found := _correlation(own, theirs)) >= MIN_CORRELATION
        )
    return notes


def _correlation(first: Array, second: Array) -> float:
    return float(np.corrcoef(first, second)[0, 1])


def _ranks(values: Array) -> Array:
    """Return the rank of each value; equal values share their mean rank."""
    _, back, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - 0.5 * (counts + 1))[back], dtype=float)
