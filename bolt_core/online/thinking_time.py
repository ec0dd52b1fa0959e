"""T(n): how long the optimizer itself thinks per pass, and the dataset size that this allows.

With fixed sampling (a measurement every minute) R(n) is the period whatever n is, so n* sets no
limit, and a dataset that is never reduced makes an ask slower than the period after some weeks.
So the time in `tell` and `ask` is measured apart from the caller's times. T at the present size is
the 99 % quantile over recent passes of about this size, because every seventh inference has a
second start and is slower; other sizes are extrapolated by T ~ n^3, the cost of exact inference.
The limit is the size at which T reaches SHARE of the seconds allowed. An error of the exponent
does not matter for long: as the dataset approaches the limit, T is measured there.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

WINDOW = 256  # passes that are remembered
SAVED_SAMPLES = 32  # of them, the newest, are part of a state
QUANTILE = 0.99
BAND = 0.1  # sizes within 10 % of the present one count
FEW = 8  # passes; fewer in the band are not used alone
POWER = 3
SHARE = 0.9  # of the seconds allowed
FIRST_GUESS = (200, 0.05)  # (n, seconds) before anything is measured: one core, some years old
MIN_LIMIT = 15  # observations that thinking time never removes

SPACING_SHARE = 0.1  # of the median spacing of observations: the default of think_within
MIN_DEFAULT_SECONDS = 0.05  # no default is shorter
SPACINGS = 100  # newest, of which the median is taken
MIN_SPACINGS = 10
BEFORE_SPACING_SECONDS = 1.0  # the default while the spacing is unknown
DOMINATED_SHARE = 0.5  # if thinking takes more of the spacing, n* is the limit and not a default


class ThinkingTime:
    """Samples (n, seconds) of recent passes."""

    def __init__(self) -> None:
        self._samples: deque[tuple[int, float]] = deque(maxlen=WINDOW)

    def add(self, n: int, seconds: float) -> None:
        """Add a pass with n observations."""
        self._samples.append((n, seconds))

    def reference(self) -> tuple[int, float]:
        """Return the present size and the upper quantile of T there."""
        if not self._samples:
            return FIRST_GUESS
        n = self._samples[-1][0]
        near = [s for size, s in self._samples if abs(size - n) <= BAND * n]
        if len(near) < FEW:
            near = [s for _, s in list(self._samples)[-FEW:]]
        near.sort()
        return n, near[math.ceil(QUANTILE * len(near)) - 1]

    @property
    def typical(self) -> float | None:
        """The median of T over recent passes, seconds; None before the first."""
        ordered = sorted(s for _, s in self._samples)
        return ordered[len(ordered) // 2] if ordered else None

    def limit(self, within: float) -> int:
        """Return the dataset size that `within` seconds per pass allow."""
        n, seconds = self.reference()
        size = n * (SHARE * within / max(seconds, 1e-9)) ** (1.0 / POWER)
        return max(int(min(size, 1e9)), MIN_LIMIT)

    def state(self) -> list[list[float]]:
        """Return the newest samples, JSON-ready: a program may run for one pass at a time."""
        return [[n, round(s, 6)] for n, s in list(self._samples)[-SAVED_SAMPLES:]]

    def restore(self, state: Sequence[Sequence[float]] | None) -> None:
        """Continue with the samples that `state` returned."""
        self._samples.clear()
        self._samples.extend((int(n), float(s)) for n, s in state or ())


def default_seconds(times: Sequence[float], typical: float | None) -> float | None:
    """Return a tenth of the median spacing of these times, the default of `think_within`.

    At least MIN_DEFAULT_SECONDS. None, no limit, if thinking takes most of the spacing: R(n) then
    grows with n, and n* is the right limit.
    """
    ordered = sorted(times[-SPACINGS - 1 :])
    gaps = sorted(b - a for a, b in pairwise(ordered) if b > a)
    if len(gaps) < MIN_SPACINGS:
        return BEFORE_SPACING_SECONDS
    spacing = gaps[len(gaps) // 2]
    if typical is not None and typical > DOMINATED_SHARE * spacing:
        return None
    return max(SPACING_SHARE * spacing, MIN_DEFAULT_SECONDS)


def thinned(times: Sequence[float], size: int) -> list[int]:
    """Return the rows to keep of a dataset in time order that is too large to learn from.

    The newest half of `size`, and the rest spread evenly over the older ones, so that slow changes
    can be learned.
    """
    n = len(times)
    if n <= size:
        return list(range(n))
    newest = size // 2
    older = n - newest
    spread = size - newest
    rows = {round(k * (older - 1) / max(spread - 1, 1)) for k in range(spread)}
    return [*sorted(rows), *range(older, n)]


def is_state(state: Any) -> bool:  # noqa: ANN401 - JSON from a file
    """Whether a value can be restored."""
    if state is None:
        return True
    return isinstance(state, list) and len(state) <= WINDOW and all(map(_is_sample, state))


def _is_sample(sample: Any) -> bool:  # noqa: ANN401 - JSON from a file
    return (
        isinstance(sample, list)
        and len(sample) == 2
        and type(sample[0]) is int
        and type(sample[1]) in (int, float)
        and 0 < sample[0] < 2**31
        and 0 <= sample[1] < math.inf
    )
