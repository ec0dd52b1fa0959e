r"""The common part of the two Griewank benchmarks, on a box [-L, L]^6:

    g(z) = sum_i z_i^2 / 4000 - prod_i cos(z_i / sqrt i) + 1

The optimum has a formula. With c = cos(z_t / sqrt 6) and u_i = z_i / sqrt i,

    f = -1 - z_t^2 / 4000 - sum_i i u_i^2 / 4000 + c prod_i cos u_i.

If c >= -1/2000, u = 0 is best. Otherwise the product should be negative, and u_1 alone makes it
negative at the least cost: prod_i cos u_i >= cos |u| for |u| <= pi, so u_1 = |u| with all others 0
is at least as good as u and costs no more (beyond |u| = pi, take u_1 = pi). What remains is

    max over u of -u^2 / 4000 + |c| (-cos u):   |c| sin u = u / 2000,   0 < u < pi,

which lies inside the box if L >= pi. The mirror image at -u is equally good; u > 0 is returned.
"""

from collections.abc import Callable

import numpy as np

from bolt_core.benchmarks.spec import TABLE_3, Best, moving
from bolt_core.common.types import Array

HORIZON = TABLE_3["griewank"].horizon  # seconds, on both boxes
DIMENSION = 5
ROOTS = np.sqrt(np.arange(1.0, DIMENSION + 2))  # sqrt i


def g(z: Array) -> Array:
    """Return the Griewank function of z (..., 6)."""
    ripples = np.prod(np.cos(z / ROOTS), axis=-1)
    return np.asarray(np.sum(z**2, axis=-1) / 4000.0 - ripples + 1.0)


def griewank(half_width: float) -> tuple[Callable[[Array, Array], Array], Best]:
    """Return f and its moving optimum on [-L, L]^6, for L >= pi."""
    f = moving(g, -half_width, half_width, HORIZON)

    def best(t: float) -> tuple[Array, float]:
        z_t = half_width * (2.0 * t / HORIZON - 1.0)
        x = np.full(DIMENSION, 0.5)
        x[0] += best_first_coordinate(float(np.cos(z_t / ROOTS[-1]))) / (2.0 * half_width)
        return x, float(f(x, np.asarray(t)))

    return f, best


def best_first_coordinate(c: float) -> float:
    """Return the best z_1 >= 0 when the time coordinate contributes the factor c."""
    if c >= -1.0 / 2000.0:
        return 0.0
    u = np.pi
    # The slope is concave and negative at pi, so Newton decreases monotonically to the root.
    for _ in range(100):
        step = (-c * np.sin(u) - u / 2000.0) / (-c * np.cos(u) - 1.0 / 2000.0)
        u -= step
        if abs(step) < 1e-15:
            break
    return float(u)
