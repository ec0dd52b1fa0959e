r"""Griewank on [-6, 6]^6: the paper's formula on a box where its ripples matter. Not in the paper.

    g(z) = sum_i z_i^2 / 4000 - prod_i cos(z_i / sqrt i) + 1

Here the bowl is nearly flat. The optimum is in the middle while cos(z_t / sqrt 6) > 0, and near
z_1 = pi or z_1 = -pi (equally good) before and after.
"""

from bolt_core.benchmarks._griewank import DIMENSION, HORIZON, griewank
from bolt_core.benchmarks.spec import BenchmarkSpec, Landscape, TableRow

VARIANCE = 0.0115811  # exact: moments of z^2 and cos, one coordinate at a time
f, best = griewank(6.0)

BENCHMARK = BenchmarkSpec(
    key="griewank-small",
    label="Griewank (small box)",
    dimension=DIMENSION,
    row=TableRow(
        noise_variance=0.01 * VARIANCE,  # the 0.30 of the large box is 26 times Var f here
        cost=0.05,
        horizon=HORIZON,
        lengthscale_time=320.0,  # GP fits to 60 points with 15 observations each gave 296, 318, 359
    ),
    landscape=lambda: Landscape(DIMENSION, f, best, VARIANCE),
    in_paper=False,
    notes=(
        "Not in the paper: its Griewank is on [-600, 600]^6.",
        "Noise is 1 % of the variance of f by default, as the paper's text (not its table) says.",
    ),
)
