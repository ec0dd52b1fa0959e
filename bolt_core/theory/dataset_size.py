r"""Recommended dataset size n* (Recommendation 1).

    n* = argmax_n ||u_n||^2,    ||u_n||^2 = sum_{i=1}^{n} k_T(i R(n))^2

Keeping n observations makes the i-th newest of them i R(n) seconds old. A larger n adds terms
to the sum and, because R grows, makes every term smaller; n* is where the two balance.

||u_n||^2 rises to its only maximum and then falls (Section 3.2), so n* is the first n whose gain

    ||u_{n+1}||^2 - ||u_n||^2 = sum_{i<=n} [k_T(i R(n+1))^2 - k_T(i R(n))^2] + k_T((n+1) R(n+1))^2

is negative, and bisection on its sign finds it. The paper climbs by unit steps instead, which run
away while R still looks constant: `climbed_size` does so, within bounds. If R is constant the gain
is never negative: there is no limit.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from bolt_core.common.types import Array

Decay: TypeAlias = Callable[[Array], Array]  # k_T of an age in seconds
Response: TypeAlias = Callable[[float], Array]  # R of a size, in seconds

SMALLEST_CAP = 200
MIN_RELATIVE_FALL = 1e-12  # a relative fall below this is rounding, not a maximum


def squared_norm_u(n: int, k_T: Decay, R: Response) -> float:
    """Return ||u_n||^2: how informative the n kept observations are about f now."""
    return float(np.sum(_terms(n, k_T, R)))


def recommended_size(k_T: Decay, R: Response, *, seen: int = 0) -> int | None:
    """Return n*, or None for "no limit": up to the cap, more data is still better.

    The cap is twice the largest dataset `seen`; beyond it, R is an extrapolation.
    """
    cap = max(2 * seen, SMALLEST_CAP)

    def has_peaked(n: int) -> bool:
        # far beyond the maximum every term underflows to 0: no gain, no loss
        return _gain(n, k_T, R) < 0 or squared_norm_u(n + 1, k_T, R) == 0

    n_star = 1 + bisect_left(range(1, cap), True, key=has_peaked)
    top = squared_norm_u(n_star, k_T, R)
    if n_star >= cap or top - squared_norm_u(cap, k_T, R) <= MIN_RELATIVE_FALL * top:
        return None
    return n_star


def climbed_size(k_T: Decay, R: Response, start: int, *, seen: int = 0) -> int | None:
    """Return n* as in the paper: n <- n + sign(gain) from `start`; None if rising at the cap.

    Under an R that is not monotone (a free cubic) it may be a local maximum.
    """
    cap = max(2 * seen, start, SMALLEST_CAP)
    n = start
    while n < cap and _gain(n, k_T, R) > 0:
        n += 1
    while n > 1 and _gain(n - 1, k_T, R) < 0:
        n -= 1
    return None if n >= cap else n


def _gain(n: int, k_T: Decay, R: Response) -> float:
    """Return ||u_{n+1}||^2 - ||u_n||^2, term by term: no cancellation between the sums."""
    before, after = _terms(n, k_T, R), _terms(n + 1, k_T, R)
    return float(np.sum(after[:-1] - before) + after[-1])


def _terms(n: int, k_T: Decay, R: Response) -> Array:
    """Return k_T(i R(n))^2 for i = 1 .. n, newest first."""
    ages = R(n) * np.arange(1.0, n + 1)
    return np.asarray(k_T(ages) ** 2)
