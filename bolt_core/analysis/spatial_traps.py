"""Two signs that a surrogate has lost the structure of f in space.

    at_corners          every coordinate of a query within 1e-6 of 0 or 1, the ends of its range
    sees_no_structure   l_S > sqrt(d): longer than the diagonal of [0, 1]^d

With one lengthscale per knob the diagonal in scaled coordinates x_k / l_k is shorter than 1, which
is the same where all are equal: sum_k 1 / l_k^2 < 1. A single long l_k says that f hardly depends
on this knob, and is no trap.

Where l_S is that long, sigma hardly depends on x and UCB is often largest in a corner. Observations
in corners alone may then confirm l_S, and the run does not leave them. Shares are over queries
without the warm-up, and over the passes among them that have a surrogate. `store/run_summary`
counts both pass by pass while a record is written; records of earlier versions have no such count.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bolt_core.runs.snapshot import Columns

CORNER_TOLERANCE = 1e-6  # of the range of a coordinate


def at_corners(points: ArrayLike) -> NDArray[np.bool_]:
    """Return which of the points (..., d) of the unit cube are corners of it."""
    X = np.asarray(points, dtype=float)
    corners: NDArray[np.bool_] = np.all(np.minimum(X, 1.0 - X) <= CORNER_TOLERANCE, axis=-1)
    return corners


def sees_no_structure(l_S: float | Sequence[float], dimension: int) -> bool:
    """Whether a lengthscale exceeds the diagonal of the unit cube; False for NaN.

    With one per knob: whether the diagonal in units of them is shorter than 1.
    """
    if isinstance(l_S, Sequence):
        return sum(l_k**-2 for l_k in l_S) < 1.0
    return l_S > math.sqrt(dimension)


def corner_share(columns: Columns) -> float | None:
    """Return the share of queries at corners, without the warm-up; None before the first."""
    X = columns["x"][columns["warmup"] == 0]
    return float(np.mean(at_corners(X))) if len(X) else None


def no_structure_share(columns: Columns) -> float | None:
    """Return the share of full passes whose l_S exceeds sqrt(d); None without a surrogate."""
    l_S = columns["lengthscale_space"] if columns.scales is None else columns.scales
    fitted = (columns["warmup"] == 0) & np.isfinite(columns["lengthscale_space"])
    dimension = columns["x"].shape[1]
    rows = [sees_no_structure(v, dimension) for v in l_S[fitted].tolist()]
    return float(np.mean(rows)) if rows else None
