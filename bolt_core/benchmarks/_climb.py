"""The moving maximum of a smooth -g, by gradient ascent from given starting points."""

from collections.abc import Callable

import numpy as np

from bolt_core.benchmarks.oracle import highest
from bolt_core.benchmarks.spec import Best
from bolt_core.common.types import Array


def climbing(
    g: Callable[[Array], Array],
    gradient: Callable[[Array], Array],
    box: tuple[float, float],
    horizon: float,
    starts: Array,  # (k, d), in z units; clipped into the box
) -> Best:
    """Return t -> (x*, f*) of f = -g; one start must lie in the basin of the global maximum."""
    low, width = box[0], box[1] - box[0]
    unit_starts = np.clip((starts - low) / width, 0.0, 1.0)

    def best(t: float) -> tuple[Array, float]:
        z = np.empty(starts.shape[1] + 1)
        z[-1] = low + width * t / horizon

        def climb(x: Array) -> tuple[float, Array]:
            z[:-1] = low + width * x
            return -float(g(z)), -width * gradient(z)[:-1]

        return highest(climb, unit_starts)

    return best
