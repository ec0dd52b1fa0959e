r"""SW-GPUCB: keep the last W observations (Zhou & Shroff, 2021).

    D = the W newest,     W = ceil(12 eps^(-1/4))

The published W = ceil(gamma_T^(1/4) sqrt(T / B_T)) needs the horizon and the variation budget.
Under the Markov model B_T / T is proportional to sqrt(eps), so that W scales as
the period of R-GPUCB; eps is estimated from a buffer (drift.py) every 10 passes. `window` fixes W.
"""

from dataclasses import dataclass

from bolt_core.algorithms.drift import DriftPolicy
from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Moment
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.common.options import param


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of SW-GPUCB."""

    window: int = param(
        0, "W; 0: estimated from the drift", low=0, high=100_000, unit="observations"
    )


class SlidingWindow(DriftPolicy):
    """Removes the oldest observations beyond W."""

    def __init__(self, params: Params) -> None:
        self._fixed = params.window

    def clean(self, moment: Moment) -> Removal:
        side = () if self._fixed else self.relearn(moment)
        window = self._fixed or self.drift.block_length
        excess = max(len(moment.dataset) - window, 0)
        learned = {} if self._fixed else self.drift.notes()
        return Removal(moment.ids(range(excess)), notes={"window": window, **learned}, side=side)


ALGORITHM = AlgorithmSpec(
    key="sw-gpucb",
    label="SW-GPUCB",
    year=2021,
    assumes_objective="Finite Var. Budget",
    assumes_response_time="R(n) ∈ Θ(1)",
    stale_data="Sliding Window",
    guarantee="Sublinear UB†",
    differs=(
        "Takes its window, 12 eps^(-1/4) observations, from a drift rate eps that it learns from "
        "the last 100 observations (published: from the horizon and a variation budget).",
    ),
    build=gp_with(SlidingWindow, "none"),
    params=Params,
)
