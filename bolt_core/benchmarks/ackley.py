r"""Ackley, d' = 4, on [-32, 32]^4 (Appendix C), negated because we maximise:

    g(z) = -20 exp(-0.2 sqrt(mean z^2)) - exp(mean cos 2 pi z) + 20 + e

The position of the optimum never moves: both terms are largest at x = 0 at all times. What drifts
is the height of the peak, in absolute terms and relative to the ripples.
"""

import numpy as np

from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec, Landscape, moving
from bolt_core.common.types import Array

ROW = TABLE_3["ackley"]
LOW, HIGH = -32.0, 32.0
VARIANCE = 1.1364  # 3 scrambled Sobol sets of 2^21 points: 1.13633 to 1.13651
CENTRE = np.full(3, 0.5)  # z = 0


def g(z: Array) -> Array:
    """Return the Ackley function of z (..., 4)."""
    bowl = -20.0 * np.exp(-0.2 * np.sqrt(np.mean(z**2, axis=-1)))
    ripples = -np.exp(np.mean(np.cos(2.0 * np.pi * z), axis=-1))
    return np.asarray(bowl + ripples + 20.0 + np.e)


f = moving(g, LOW, HIGH, ROW.horizon)


def best(t: float) -> tuple[Array, float]:
    """Return (x*, f*) at time t."""
    return CENTRE, float(f(CENTRE, np.asarray(t)))


BENCHMARK = BenchmarkSpec(
    key="ackley",
    label="Ackley",
    dimension=3,
    row=ROW,
    landscape=lambda: Landscape(3, f, best, variance=VARIANCE),
    notes=(
        "The position of the optimum is fixed: this tests tracking of a value, not of an optimum.",
        "The paper's noise variance is 4.4 % of the variance of f, not the 1 % its text states.",
        "The box is the paper's [-32, 32], not the customary [-32.768, 32.768].",
    ),
)
