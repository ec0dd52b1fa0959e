"""Reusable buffers for the matrices of an inference.

A temporary of n x n numbers is a new memory mapping, zeroed page by page: half of the time at
n = 200. The contents are undefined between two inferences, so all runs of one thread can share a
workspace: nine workspaces for 700 observations take 88 MB, one takes 10 MB.
"""

from collections.abc import Callable

import numpy as np

from bolt_core.common.types import Array

ROWS = 5
SPARE_SHARE = 8  # an eighth more than requested: D grows by one per pass


class Workspace:
    """Buffers of one thread, and a point at which its work may be suspended.

    `between_evaluations` is called before each evaluation of a likelihood. It may take its time or
    raise, and must not compute anything of the run.
    """

    def __init__(self, between_evaluations: Callable[[], None] = lambda: None) -> None:
        self.between_evaluations = between_evaluations
        self._store = np.empty((ROWS, 0))

    def rows(self, size: int) -> Array:
        """Return five rows of `size` numbers with undefined contents."""
        if self._store.shape[1] < size:
            self._store = np.empty((ROWS, 0))  # the old buffer is freed before the new one exists
            self._store = np.empty((ROWS, size + size // SPARE_SHARE + 1))
        return self._store[:, :size]
