"""Whether knobs moved with time, so that their effect cannot be told from that of time.

If a knob rises steadily through the whole log, a surface that drifts and one that depends on the
knob give the same outcomes. What separates them are returns: rows with nearly the same setting, far
apart in time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from bolt_core.common.domain import Domain
from bolt_core.common.types import Array
from bolt_core.theory.choice_distance import apart

FAR_SHARE = 0.25  # of the span of the log: rows that far apart in time are returns
NEAR = 0.1  # of the range of a knob: a setting that is further away is another one
JOINT_RATIO = 2.0  # times the distance if the settings had been set in random order


def confounded_knobs(X: Array, t: Array, domain: Domain | None) -> tuple[int, ...]:
    """Return the knobs, by number, most of whose values do not return later; all if jointly so."""
    far = np.abs(np.subtract.outer(t, t)) >= FAR_SHARE * float(np.ptp(t))
    has_far = far.any(axis=1)
    if not has_far.any():
        return ()
    alone = tuple(
        k for k in range(X.shape[1]) if _median_return(_knob_distances(X, k, domain), far) > NEAR
    )
    if alone:
        return alone
    joint = apart(X, X, domain)
    order = _shuffled_runs(X)
    usual = _median_return(joint[np.ix_(order, order)], far)
    together = _median_return(joint, far) > max(NEAR, JOINT_RATIO * usual)
    return tuple(range(X.shape[1])) if together else ()


def _shuffled_runs(X: Array) -> NDArray[np.intp]:
    """Return the rows in another order: runs of equal settings are moved as they are."""
    starts = np.flatnonzero(np.r_[True, np.any(np.diff(X, axis=0) != 0, axis=1)])
    runs = np.split(np.arange(len(X)), starts[1:])
    order = np.random.default_rng(0).permutation(len(runs))
    return np.concatenate([runs[k] for k in order])


def _median_return(distances: Array, far: NDArray[np.bool_]) -> float:
    """Return the median distance of a row to the nearest row that is far away in time."""
    nearest = np.where(far, distances, np.inf).min(axis=1)
    return float(np.median(nearest[np.isfinite(nearest)]))


def _knob_distances(X: Array, k: int, domain: Domain | None) -> Array:
    x = X[:, k : k + 1]
    if domain is not None and domain.choice[k]:
        levels = np.floor(x * domain.levels[k])
        return np.asarray(cdist(levels, levels) > 0, dtype=float)
    return np.asarray(cdist(x, x))
