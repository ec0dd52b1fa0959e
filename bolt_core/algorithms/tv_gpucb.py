r"""TV-GPUCB: gradual forgetting under a Markov model (Bogunovic et al., 2016).

    k = lambda k_S(x, x') (1 - eps)^(|t - t'| / 2u) = lambda k_S(x, x') exp(-|t - t'| / l)

A surrogate of (x, t) with a Matern-1/2 kernel in time, whatever kernel the problem suggests, and
no removal.
"""

from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Policy
from bolt_core.algorithms.spec import AlgorithmSpec

ALGORITHM = AlgorithmSpec(
    key="tv-gpucb",
    label="TV-GPUCB",
    year=2016,
    assumes_objective="Markov Model",
    assumes_response_time="R(n) ∈ Θ(1)",
    guarantee="Linear UB",
    differs=(
        "Measures time in seconds (published: counts observations).",
        "Learns its drift rate during the run, with the other hyperparameters (published: given).",
    ),
    build=gp_with(Policy, "matern12"),
)
