r"""Hartmann-3, d' = 3, on [0, 1]^3 (Appendix C), negated because we maximise:

    g(z) = -sum_i a_i exp(-sum_j A_ij (z_j - P_ij)^2)

The optimum moves smoothly, with one jump in H.
"""

import numpy as np

from bolt_core.benchmarks._hartmann import Hartmann
from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec

ROW = TABLE_3["hartmann3"]
VARIANCE = 0.913145  # exact: products of Gaussians integrate to error functions
A = np.array([[3.0, 10.0, 30.0], [0.1, 10.0, 35.0]] * 2)
P = 1e-4 * np.array(
    [
        [3689.0, 1170.0, 2673.0],
        [4699.0, 4387.0, 7470.0],
        [1091.0, 8732.0, 5547.0],
        [381.0, 5743.0, 8828.0],
    ]
)
HARTMANN = Hartmann(A, P)

BENCHMARK = BenchmarkSpec(
    key="hartmann3",
    label="Hartmann-3",
    dimension=2,
    row=ROW,
    landscape=lambda: HARTMANN.landscape(ROW.horizon, VARIANCE),
    notes=(
        "The paper's noise variance is 5.5 % of the variance of f, not the 1 % its text states.",
        "At 8 s per query, a run of 600 s has at most 75 queries, 15 of which are warm-up.",
    ),
)
