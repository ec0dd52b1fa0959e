r"""ABO: choose where AND when to query (Nyikosa et al., 2018).

    (x, t') = argmax over [0, 1]^d x [t, t + w] of UCB;  wait until t', observe, stamp t'

    w = min(l_T / 3, span of the data / 10)

once l_T has settled: after 5 passes, and |l_T(i) - l_T(i - 4)| < 0.1 l_T(i) in three of them.
Before that, and always in `abo-t`, it queries without waiting. It removes nothing. sigma grows with
t', so ABO often waits until the end of its window, which is expensive where l_T is long. An l_T
longer than the data is a guess (inference allows 30 times the elapsed time), and with l_T / 3 alone
a run can wait past its horizon, which it does not know: on Shekel and Hartmann-3, 9 of 20 runs made
no query in the last tenth of it, with the span of the data as a second limit 4, with a third of it
2, with a tenth none (paper device, seeds 0 to 9).
"""

from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Moment, Policy, span
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.common.types import Hyperparameters
from bolt_core.gp.protocol import Inference

WINDOW_LENGTHSCALES = 1.0 / 3.0  # length of the window of time, in units of l_T
WINDOW_SPANS = 0.1  # its longest length, in units of the time observed so far
BURN_IN_PASSES = 5
LAG_PASSES = 4  # between the two values of l_T that are compared
RELATIVE_TOLERANCE = 0.1  # of l_T
MIN_STEADY_PASSES = 3


class ChooseTime(Policy):
    """Lets the next query choose its time, once l_T has settled."""

    kept = ("_history", "_passes", "_steady")

    def __init__(self, params: object = None) -> None:
        super().__init__(params)
        self._history: list[float] = []  # the last values of l_T, seconds
        self._passes = 0
        self._steady = 0

    def learned(self, inference: Inference) -> None:
        self._passes += 1
        l_T = inference.theta.lengthscale_time or 0.0
        self._history = [*self._history, l_T][-LAG_PASSES - 1 :]
        if len(self._history) > LAG_PASSES:
            self._steady += abs(l_T - self._history[0]) < RELATIVE_TOLERANCE * l_T

    def window(self, theta: Hyperparameters, observed: float) -> float:
        if self._passes <= BURN_IN_PASSES or self._steady < MIN_STEADY_PASSES:
            return 0.0
        by_model = WINDOW_LENGTHSCALES * (theta.lengthscale_time or 0.0)
        return min(by_model, WINDOW_SPANS * observed)

    def clean(self, moment: Moment) -> Removal:
        return Removal(notes={"ahead": self.window(moment.theta, span(moment.dataset))})  # seconds


SAME_KERNELS = (
    "Has the kernels of the other algorithms (the authors' code: mostly squared-exponential)."
)
ABO = AlgorithmSpec(
    key="abo",
    label="ABO",
    year=2018,
    differs=(
        "Lets l_T settle within 10 % of itself before it chooses times (the authors' code: within "
        "0.1 of their unit of time per pass).",
        "Waits for at most 10 % of the time observed so far (the authors' code: for l_T / 3, which "
        "may exceed the rest of the run).",
        SAME_KERNELS,
    ),
    build=gp_with(ChooseTime),
)
NO_WAITING = AlgorithmSpec(
    key="abo-t",
    label="ABO, no waiting",
    year=2018,
    kind="variant",
    differs=("Queries as soon as it can (the authors' code: at fixed intervals).", SAME_KERNELS),
    build=gp_with(Policy),
)
ALGORITHMS = (ABO, NO_WAITING)
