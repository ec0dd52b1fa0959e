r"""W-GPUCB: old observations have smaller weights (Deng et al., 2022).

Weighted GP regression with weights eta^(-s) is an ordinary GP whose noise grows with age:

    sigma_i^2(t) = sigma_0^2 exp((t - t_i) / tau),     tau = -u / ln(1 - 1 / W)

No removal. The published eta = 1 - gamma_T^(-1/4) sqrt(B_T / T) has the memory of SW-GPUCB's
window, so W = ceil(12 eps^(-1/4)) here too, with eps estimated from a buffer (drift.py) every 10
passes. `memory` fixes tau.
"""

import math
from dataclasses import dataclass

import numpy as np

from bolt_core.algorithms.drift import DriftPolicy
from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Moment
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.common.options import param
from bolt_core.common.types import Array

MAX_EXPONENT = math.log(1e6)  # an observation with more noise carries no information


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of W-GPUCB."""

    memory: float = param(0.0, "tau; 0: estimated from the drift", low=0, high=1e12, unit="s")


class GrowingNoise(DriftPolicy):
    """Gives each observation a noise variance that grows with its age."""

    weighs = True

    def __init__(self, params: Params) -> None:
        self._fixed = params.memory

    @property
    def memory(self) -> float:
        """tau in seconds."""
        if self._fixed:
            return self._fixed
        return -self.drift.gap / math.log1p(-1.0 / self.drift.block_length)

    def weights(self, t: float, times: Array) -> Array:
        return np.asarray(np.exp(np.clip((t - times) / self.memory, 0.0, MAX_EXPONENT)))

    def clean(self, moment: Moment) -> Removal:
        side = () if self._fixed else self.relearn(moment)
        learned = {} if self._fixed else self.drift.notes()
        return Removal(notes={"memory": self.memory, **learned}, side=side)


ALGORITHM = AlgorithmSpec(
    key="w-gpucb",
    label="W-GPUCB",
    year=2022,
    assumes_objective="Finite Var. Budget",
    assumes_response_time="R(n) ∈ Θ(1)",
    guarantee="Sublinear UB†",
    differs=(
        "Takes its memory, that of a window of 12 eps^(-1/4) observations, from a drift rate eps "
        "that it learns from the last 100 observations (published: from the horizon and a "
        "variation budget).",
        "Multiplies the noise of an old observation by at most 1e6 (published: no limit).",
    ),
    build=gp_with(GrowingNoise, "none"),
    params=Params,
)
