r"""GPUCB, the static control: a surrogate of x alone, no removal (Srinivas et al., 2010).

    k = lambda k_S(x, x') + sigma_0^2,     x_t = argmax mu(x) + sqrt(beta) sigma(x)

The noise has to absorb the drift, and R(n) grows with every observation. As in all algorithms of
this package, beta = 0.2 d log(2n).
"""

from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Policy
from bolt_core.algorithms.spec import AlgorithmSpec

ALGORITHM = AlgorithmSpec(
    key="gpucb",
    label="GPUCB",
    year=2010,
    kind="control",
    assumes_objective="Static",
    assumes_response_time="R(n) ∈ Θ(1)",
    guarantee="Sublinear UB if static",
    build=gp_with(Policy, "none"),
)
