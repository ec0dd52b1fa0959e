r"""Hartmann-6, d' = 6, on [0, 1]^6 (Appendix C), negated because we maximise:

    g(z) = -sum_i a_i exp(-sum_j A_ij (z_j - P_ij)^2)

The optimum moves smoothly, with two jumps in H.
"""

import numpy as np

from bolt_core.benchmarks._hartmann import Hartmann
from bolt_core.benchmarks.spec import TABLE_3, BenchmarkSpec

ROW = TABLE_3["hartmann6"]
VARIANCE = 0.148092  # exact: products of Gaussians integrate to error functions
A = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
P = 1e-4 * np.array(
    [
        [1312.0, 1696.0, 5569.0, 124.0, 8283.0, 5886.0],
        [2329.0, 4135.0, 8307.0, 3736.0, 1004.0, 9991.0],
        [2348.0, 1451.0, 3522.0, 2883.0, 3047.0, 6650.0],
        [4047.0, 8828.0, 8732.0, 5743.0, 1091.0, 381.0],
    ]
)
HARTMANN = Hartmann(A, P)

BENCHMARK = BenchmarkSpec(
    key="hartmann6",
    label="Hartmann-6",
    dimension=5,
    row=ROW,
    landscape=lambda: HARTMANN.landscape(ROW.horizon, VARIANCE),
    notes=(
        "The paper's noise variance is 34 % of the variance of f, not the 1 % its text states.",
    ),
)
