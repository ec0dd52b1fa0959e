r"""What the two Hartmann functions share:

    g(z) = -sum_i a_i exp(-sum_j A_ij (z_j - P_ij)^2),   i = 1..4

Four Gaussian bumps on the unit cube; every local maximum is climbed to from some row of P.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bolt_core.benchmarks._climb import climbing
from bolt_core.benchmarks.spec import Landscape, moving
from bolt_core.common.types import Array

WEIGHTS = np.array([1.0, 1.2, 3.0, 3.2])  # a


@dataclass(frozen=True)
class Hartmann:
    """g and its gradient for the given matrices."""

    A: Array  # (4, d')
    P: Array  # (4, d')

    def g(self, z: Array) -> Array:
        return np.asarray(-np.sum(self._bumps(z), axis=-1))

    def gradient(self, z: Array) -> Array:
        slopes = 2.0 * self.A * (z[..., None, :] - self.P)  # (..., 4, d')
        return np.asarray(np.sum(self._bumps(z)[..., None] * slopes, axis=-2))

    def f(self, horizon: float) -> Callable[[Array, Array], Array]:
        return moving(self.g, 0.0, 1.0, horizon)

    def landscape(self, horizon: float, variance: float) -> Landscape:
        starts = self.P[:, :-1]
        best = climbing(self.g, self.gradient, (0.0, 1.0), horizon, starts)
        return Landscape(starts.shape[1], self.f(horizon), best, variance)

    def _bumps(self, z: Array) -> Array:
        distances = np.sum(self.A * (z[..., None, :] - self.P) ** 2, axis=-1)
        return np.asarray(WEIGHTS * np.exp(-distances))
