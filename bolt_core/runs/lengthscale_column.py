"""The append-only column of lengthscales of a run that has one per knob."""

from __future__ import annotations

import numpy as np

from bolt_core.common.types import Array, Hyperparameters


class LengthscaleColumn:
    """One spatial lengthscale per knob and pass; no array until the first pass that has them.

    As in `RunHistory`, the array is replaced, never resized in place, when it is full.
    """

    def __init__(self, values: Array | None = None) -> None:
        """`values` are those of earlier passes, (length, d)."""
        self._values = None if values is None else values.copy()

    def append(self, theta: Hyperparameters | None, earlier: Array, dimension: int) -> None:
        """Add a pass; `earlier` are the single lengthscales of the passes before it."""
        if self._values is None:
            if theta is None or not isinstance(theta.lengthscale_space, tuple):
                return
            self._values = np.repeat(earlier[:, None], dimension, axis=1)
        at = len(earlier)
        if at >= len(self._values):
            larger = np.full((2 * at + 1, dimension), np.nan)
            larger[:at] = self._values[:at]
            self._values = larger
        self._values[at] = np.nan if theta is None else theta.lengthscale_space

    def view(self, length: int) -> Array | None:
        """Return the first `length` rows, read-only; None if every pass has one lengthscale."""
        values = self._values
        if values is None or len(values) < length:  # its first pass is not published yet
            return None
        rows = values[:length]
        rows.flags.writeable = False
        return rows
