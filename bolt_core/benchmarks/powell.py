r"""Powell, d' = 4, on [-4, 5]^4 (Appendix C), negated because we maximise:

    g(z) = (z_1 + 10 z_2)^2 + 5 (z_3 - z_4)^2 + (z_2 - 2 z_3)^4 + 10 (z_1 - z_4)^4

Even powers of linear forms, so g is convex: one basin, whose bottom moves without a jump.
"""

import numpy as np

from bolt_core.benchmarks._climb import climbing
from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec, Landscape, moving
from bolt_core.common.types import Array

ROW = TABLE_3["powell"]
LOW, HIGH = -4.0, 5.0
VARIANCE = 101305954.76  # exact: Gauss-Legendre with 10 nodes per coordinate
FORMS = np.array(  # the four linear forms in z
    [
        [1.0, 10.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, -1.0],
        [0.0, 1.0, -2.0, 0.0],
        [1.0, 0.0, 0.0, -1.0],
    ]
)  # fmt: skip
WEIGHTS = np.array([1.0, 5.0, 1.0, 10.0])
POWERS = np.array([2, 2, 4, 4])


def g(z: Array) -> Array:
    """Return the Powell function of z (..., 4)."""
    return np.asarray(np.sum(WEIGHTS * (z @ FORMS.T) ** POWERS, axis=-1))


def gradient(z: Array) -> Array:
    """Return the gradient of g, (..., 4)."""
    return np.asarray((WEIGHTS * POWERS * (z @ FORMS.T) ** (POWERS - 1)) @ FORMS)


f = moving(g, LOW, HIGH, ROW.horizon)
START = np.zeros((1, 3))  # g is convex: one start suffices
best = climbing(g, gradient, (LOW, HIGH), ROW.horizon, START)

BENCHMARK = BenchmarkSpec(
    key="powell",
    label="Powell",
    dimension=3,
    row=ROW,
    landscape=lambda: Landscape(3, f, best, variance=VARIANCE),
    notes=(
        "The paper's noise variance is 2.5e-8 of the variance of f, not the 1 % its text states.",
    ),
)
