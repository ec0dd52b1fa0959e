"""When observations were removed from the dataset of a run: one by one, or all at a reset."""

import numpy as np

from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot


def removal_times(run: RunSnapshot, span: float, bins: int) -> tuple[Array, Array]:
    """Return the number of single removals in each of `bins` parts of [0, span], and reset times.

    A removal counts at the end of its pass. A failed measurement was never in the dataset, so its
    removal does not count.
    """
    removed, notes = run.columns.removed, run.columns.notes
    rows = [row for row in range(len(run)) if removed[row]]
    resets = [row for row in rows if "reset" in notes[row]]
    single = [row for row in rows if "reset" not in notes[row]]
    counts = [len(removed[row]) - ("failed" in notes[row]) for row in single]
    ends = np.minimum(run.columns.ends(), span)
    density, _ = np.histogram(ends[single], bins, (0.0, span), weights=counts)
    return density, ends[np.array(resets, dtype=int)]
