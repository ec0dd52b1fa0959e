r"""Schwefel, d' = 4, on [-500, 500]^4 (Appendix C), negated because we maximise:

    g(z) = 418.9829 d' - sum_i z_i sin sqrt|z_i|

A sum over coordinates, one of them time: f(x, t) = u(x) + v(t). The optimum's place therefore
never moves, and neither does the shape of the landscape; all of it goes up and down with v.
"""

import numpy as np

from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow, moving
from bolt_core.common.types import Array

LOW, HIGH, HORIZON = -500.0, 500.0, 600.0
VARIANCE = 149918.127  # exact: four times that of one coordinate, by quadrature
PEAK = 420.968746453712  # argmax of z sin sqrt|z| on [-500, 500]
TOP = np.full(3, (PEAK - LOW) / (HIGH - LOW))


def g(z: Array) -> Array:
    waves = np.sum(z * np.sin(np.sqrt(np.abs(z))), axis=-1)
    return np.asarray(418.9829 * z.shape[-1] - waves)


f = moving(g, LOW, HIGH, HORIZON)


def best(t: float) -> tuple[Array, float]:
    return TOP, float(f(TOP, np.asarray(t)))


BENCHMARK = BenchmarkSpec(
    key="schwefel",
    label="Schwefel",
    dimension=3,
    row=TableRow(
        noise_variance=0.25,
        cost=0.05,
        horizon=HORIZON,
        lengthscale_time=35.0,
        quasi_static=False,
        near_constant=False,
    ),
    landscape=lambda: Landscape(3, f, best, variance=VARIANCE),
    notes=(
        "The optimum's place never moves: this tests tracking of a value, not of an optimum.",
        "The paper's noise variance is 2e-6 of the variance of f, not the 1 % its text states.",
    ),
)
