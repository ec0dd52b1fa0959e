r"""Schwefel, d' = 4, on [-500, 500]^4 (Appendix C), negated because we maximise:

    g(z) = 418.9829 d' - sum_i z_i sin sqrt|z_i|

A sum over coordinates, one of which is time: f(x, t) = u(x) + v(t). Therefore the position of the
optimum never moves and the shape of the landscape never changes; all values shift by v(t).
"""

import numpy as np

from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec, Landscape, moving
from bolt_core.common.types import Array

ROW = TABLE_3["schwefel"]
LOW, HIGH = -500.0, 500.0
VARIANCE = 149918.127  # exact: four times that of one coordinate, by quadrature
PEAK = 420.968746453712  # argmax of z sin sqrt|z| on [-500, 500]
TOP = np.full(3, (PEAK - LOW) / (HIGH - LOW))


def g(z: Array) -> Array:
    """Return the Schwefel function of z (..., 4)."""
    waves = np.sum(z * np.sin(np.sqrt(np.abs(z))), axis=-1)
    return np.asarray(418.9829 * z.shape[-1] - waves)


f = moving(g, LOW, HIGH, ROW.horizon)


def best(t: float) -> tuple[Array, float]:
    """Return (x*, f*) at time t."""
    return TOP, float(f(TOP, np.asarray(t)))


BENCHMARK = BenchmarkSpec(
    key="schwefel",
    label="Schwefel",
    dimension=3,
    row=ROW,
    landscape=lambda: Landscape(3, f, best, variance=VARIANCE),
    notes=(
        "The position of the optimum is fixed: this tests tracking of a value, not of an optimum.",
        "The paper's noise variance is 2e-6 of the variance of f, not the 1 % its text states.",
    ),
)
