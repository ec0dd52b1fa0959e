r"""ABO: choose where AND when to look (Nyikosa et al., 2018).

    (x, t') = argmax over [0, 1]^d x [t, t + l_T / 3] of UCB;  wait until t', observe, stamp t'

once l_T has settled: after 5 passes, |l_T(i) - l_T(i - 4)| < 0.1 l_T(i) seen three times. Before
that, and always in `abo-t`, it looks now. No removal. sigma grows with t', so it often waits to the
end of its window, which costs it dearly where l_T is long. Where we differ: the authors' test of
l_T is absolute, in their unit of time; ours is relative. Acquisition and kernels are the common
ones.
"""

from bolt_core.algorithms.gp_optimizer import Moment, Policy, gp_with
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.protocol import Inference

AHEAD = 1.0 / 3.0  # of l_T
BURN_IN = 5  # passes
LAG, SLACK, TIMES = 4, 0.1, 3


class ChooseTime(Policy):
    """Opens the window of time once l_T is known."""

    kept = ("_history", "_passes", "_steady")

    def __init__(self, params: object = None) -> None:
        super().__init__(params)
        self._history: list[float] = []  # the last values of l_T, seconds
        self._passes = 0
        self._steady = 0

    def learned(self, inference: Inference) -> None:
        self._passes += 1
        l_T = inference.theta.lengthscale_time or 0.0
        self._history = [*self._history, l_T][-LAG - 1 :]
        if len(self._history) > LAG:
            self._steady += abs(l_T - self._history[0]) < SLACK * l_T

    def window(self, theta: Hyperparameters) -> float:
        settled = self._passes > BURN_IN and self._steady >= TIMES
        return AHEAD * (theta.lengthscale_time or 0.0) if settled else 0.0

    def clean(self, moment: Moment) -> Removal:
        return Removal(notes={"ahead": self.window(moment.theta)})  # seconds, of the next query


def _spec(key: str, label: str, kind: str, policy: type[Policy]) -> AlgorithmSpec:
    return AlgorithmSpec(
        key=key,
        label=label,
        year=2018,
        kind=kind,
        assumes_objective="No",
        assumes_response_time="No",
        stale_data="None",
        guarantee="None",
        build=gp_with(policy),
    )


ALGORITHMS = (
    _spec("abo", "ABO", "paper", ChooseTime),
    _spec("abo-t", "ABO, no waiting", "variant", Policy),
)
