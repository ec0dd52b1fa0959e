"""Distance between the queries of a run and the moving optimum, in the unit cube.

A running median over the last 15 queries: one exploring query in ten would make a spike on every
curve and hide the nine others.
"""

from typing import Any

import numpy as np

from bolt_core.analysis.curves import held_to_moment
from bolt_core.analysis.downsample import evenly_spaced_rows
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot

MEDIAN_QUERIES = 15
MAX_POINTS = 300  # per curve; each is an exact median


def distance_to_optimum(run: RunSnapshot) -> tuple[Array, Array]:
    """Return times and median distances after the warm-up, where the optimum is known."""
    columns = run.columns
    distance = np.linalg.norm(columns["x"] - columns["best_x"], axis=1)
    counted = (columns["warmup"] == 0) & np.isfinite(distance)
    t, distance = columns["t"][counted], distance[counted]
    rows = evenly_spaced_rows(len(t), MAX_POINTS)
    return held_to_moment(run, t[rows], running_medians(distance, rows))


def running_medians(values: Array, rows: np.ndarray[Any, np.dtype[np.intp]]) -> Array:
    """Return at each of `rows` the median of the `MEDIAN_QUERIES` values up to it, or of fewer."""
    early = rows[rows < MEDIAN_QUERIES - 1]
    first = [float(np.median(values[: row + 1])) for row in early]
    if len(early) == len(rows):
        return np.array(first)
    windows = np.lib.stride_tricks.sliding_window_view(values, MEDIAN_QUERIES)
    later = windows[rows[len(early) :] - MEDIAN_QUERIES + 1]
    return np.concatenate([first, np.median(later, axis=1)])
