r"""UI-TVBO: what was learned stays, and becomes uncertain (Brunzema et al., 2022).

Brunzema, von Rohr & Trimpe, "On controller tuning with time-varying Bayesian optimization", 61st
IEEE Conference on Decision and Control (2022). In time the surrogate is a constant plus a Wiener
process,

    k = k_S(x, x') (lambda + s^2 (min(t, t') - t_0)),     s^2 = lambda / l_T,

t_0 being the time of the oldest observation. The authors call it uncertainty injection: between two
queries the variance of f grows by s^2 per second at every x, and the mean stays. Under a stationary
k_T, on the contrary, the mean returns to the prior. The public code has c_0 = -1 / s^2 in
k_S s^2 (min(t, t') - c_0) and lambda = 1, which is the same function. k_T is not a function of age,
so there is no n*.
"""

from dataclasses import dataclass

from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Moment, Policy
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.common.options import param


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of UI-TVBO."""

    window: int = param(0, "newest to keep; 0: all", low=0, high=100_000, unit="observations")


class KeepNewest(Policy):
    """Removes the oldest observations beyond the window, if there is one."""

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        self._window = params.window

    def clean(self, moment: Moment) -> Removal:
        if not self._window:
            return Removal()
        excess = max(len(moment.dataset) - self._window, 0)
        return Removal(moment.ids(range(excess)), notes={"window": self._window})


ALGORITHM = AlgorithmSpec(
    key="ui-tvbo",
    label="UI-TVBO",
    year=2022,
    rank=3,
    kind="baseline",
    assumes_objective="Wiener Process",
    assumes_response_time="R(n) ∈ Θ(1)",
    differs=(
        "Learns the rate of the Wiener process during the run, with lambda and the noise "
        "(published code: all three fixed).",
        "Measures time in seconds (published: counts observations).",
        "Keeps all observations by default, and has no convexity constraints (published: also with "
        "a sliding window, bins, and constraints for LQR problems).",
        "Has the spatial kernel of the other algorithms (published: squared-exponential with one "
        "lengthscale per input).",
    ),
    build=gp_with(KeepNewest, "wiener"),
    params=Params,
)
