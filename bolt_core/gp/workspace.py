"""Room for the matrices of an inference, used again and again.

A temporary of n x n numbers is a fresh mapping, zeroed page by page: half of the time at n = 200.
What is in the room means nothing between two inferences, so everybody who thinks in one thread can
have the same: nine rooms for 700 observations are 88 MB, one is 10.
"""

from __future__ import annotations

import numpy as np

from bolt_core.common.types import Array

ROWS = 5
SPARE = 8  # an eighth more than asked for: D grows by one a pass


class Workspace:
    """Buffers of one thread. Two threads need two."""

    def __init__(self) -> None:
        self._store = np.empty((ROWS, 0))

    def rows(self, size: int) -> Array:
        """Five rows of `size` numbers, contents undefined."""
        if self._store.shape[1] < size:
            self._store = np.empty((ROWS, 0))  # the old room goes before the new one comes
            self._store = np.empty((ROWS, size + size // SPARE + 1))
        return self._store[:, :size]
