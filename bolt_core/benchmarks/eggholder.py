r"""Eggholder, d' = 2, on [-512, 512]^2 (Appendix C), negated because we maximise:

    g(z) = -(z_2 + 47) sin sqrt|z_2 + z_1 / 2 + 47| - z_1 sin sqrt|z_1 - z_2 - 47|

The optimum jumps between ridges about 26 times in H, the most of the ten benchmarks.
"""

import numpy as np
from scipy.optimize import minimize_scalar

from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec, Landscape, moving
from bolt_core.common.types import Array

ROW = TABLE_3["eggholder"]
LOW, HIGH = -512.0, 512.0
VARIANCE = 88891.0  # midpoint rule on 6000 x 6000 points
GRID = np.linspace(0.0, 1.0, 16385)[:, None]


def g(z: Array) -> Array:
    """Return the Eggholder function of z (..., 2)."""
    z1, z2 = z[..., 0], z[..., 1]
    first = -(z2 + 47) * np.sin(np.sqrt(np.abs(z2 + z1 / 2 + 47)))
    return np.asarray(first - z1 * np.sin(np.sqrt(np.abs(z1 - z2 - 47))))


f = moving(g, LOW, HIGH, ROW.horizon)


def best(t: float) -> tuple[Array, float]:
    """Return (x*, f*) at time t: a grid finer than any ridge, then a bounded scalar search."""
    now = np.asarray(t)
    x = GRID[int(np.argmax(f(GRID, now))), 0]
    step = GRID[1, 0]
    refined = minimize_scalar(
        lambda u: -float(f(np.array([u]), now)),
        bounds=(max(x - step, 0.0), min(x + step, 1.0)),
        method="bounded",
        options={"xatol": 1e-12},
    )
    candidates = np.array([[x], [refined.x]])
    top = candidates[int(np.argmax(f(candidates, now)))]
    return top, float(f(top, now))


BENCHMARK = BenchmarkSpec(
    key="eggholder",
    label="Eggholder",
    dimension=1,
    row=ROW,
    landscape=lambda: Landscape(1, f, best, variance=VARIANCE),
    notes=(
        "The paper's noise variance is 1e-6 of the variance of f, not the 1 % its text states.",
    ),
)
