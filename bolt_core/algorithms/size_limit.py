"""Which observations leave when a limit other than n* asks for it, such as thinking time.

Observations whose temporal correlation with now has fallen below STALE leave first, those of the
smallest W_2 among them; then the smallest W_2 of all.
"""

import math

import numpy as np

from bolt_core.gp.protocol import Surrogate
from bolt_core.theory.kernels import WIENER, temporal_correlation

STALE = 1e-3  # k_T with now
SIZE_LIMIT = "size_limit"  # note in the record of a pass: the limit that removed observations
MAX_REMOVED_SHARE = 4  # one in four observations may be removed in one pass


def rows_beyond(surrogate: Surrogate, t: float, max_size: int) -> list[int]:
    """Return the rows of D to remove at time t, so that about `max_size` remain."""
    n = len(surrogate.data)
    excess = min(n - max_size, n // MAX_REMOVED_SHARE)
    if excess <= 0:
        return []
    stale = stale_rows(surrogate, t)
    if len(stale) >= excess:
        scores = surrogate.removal_scores(t)[stale]
        order = np.argsort(np.where(np.isfinite(scores), scores, -1.0), kind="stable")
        return [stale[k] for k in order[:excess]]
    chosen = surrogate.removals(t, excess)
    if not all(math.isfinite(score) for _, score in chosen):
        return list(range(excess))  # the oldest
    others = [row for row, _ in chosen if row not in stale]
    return [*stale, *others[: excess - len(stale)]]


def stale_rows(surrogate: Surrogate, t: float) -> list[int]:
    """Return the rows of D, in order, whose k_T with time t is below STALE."""
    l_T = surrogate.inference.theta.lengthscale_time
    kernel = surrogate.model.temporal_kernel
    if l_T is None or kernel == WIENER.name:
        return []
    k_T = temporal_correlation(kernel, l_T)(t - surrogate.data.Z[:, -1])
    return [int(row) for row in np.flatnonzero(k_T < STALE)]
