r"""The common part of the two Hartmann functions:

    g(z) = -sum_i a_i exp(-sum_j A_ij (z_j - P_ij)^2),   i = 1..4

Four Gaussian peaks on the unit cube; every local maximum is reached by ascent from a row of P.
"""

from dataclasses import dataclass

import numpy as np

from bolt_core.benchmarks._climb import climbing
from bolt_core.benchmarks.spec import Landscape, moving
from bolt_core.common.types import Array

WEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])  # a


@dataclass(frozen=True)
class Hartmann:
    """A Hartmann function with its gradient, for matrices A and P."""

    A: Array  # (4, d')
    P: Array  # (4, d')

    def g(self, z: Array) -> Array:
        """Return g at z (..., d')."""
        return np.asarray(-np.sum(self._peaks(z), axis=-1))

    def gradient(self, z: Array) -> Array:
        """Return the gradient of g at z, (..., d')."""
        slopes = 2.0 * self.A * (z[..., None, :] - self.P)  # (..., 4, d')
        return np.asarray(np.sum(self._peaks(z)[..., None] * slopes, axis=-2))

    def landscape(self, horizon: float, variance: float) -> Landscape:
        """Return -g with time as the last coordinate, and its exact moving optimum."""
        starts = self.P[:, :-1]
        f = moving(self.g, 0.0, 1.0, horizon)
        best = climbing(self.g, self.gradient, (0.0, 1.0), horizon, starts)
        return Landscape(starts.shape[1], f, best, variance)

    def _peaks(self, z: Array) -> Array:
        distances = np.sum(self.A * (z[..., None, :] - self.P) ** 2, axis=-1)
        return np.asarray(WEIGHTS * np.exp(-distances))
