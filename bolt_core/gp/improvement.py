"""EI, LogEI and PI by BoTorch, on the surrogate of either engine."""

from collections.abc import Callable

import numpy as np
from botorch.acquisition.acquisition import AcquisitionFunction
from botorch.acquisition.analytic import (
    ExpectedImprovement,
    LogExpectedImprovement,
    ProbabilityOfImprovement,
)

from bolt_core.common.domain import Region
from bolt_core.common.types import Array
from bolt_core.gp.botorch import conditioned, maximise, seeded
from bolt_core.gp.protocol import Surrogate


class PlainExpectedImprovement(ExpectedImprovement):
    """EI in a subclass, because BoTorch warns on every use of its own class."""


KINDS: dict[str, Callable[..., AcquisitionFunction]] = {
    "ei": PlainExpectedImprovement,
    "logei": LogExpectedImprovement,
    "pi": ProbabilityOfImprovement,
}


def maximise_improvement(
    surrogate: Surrogate,
    name: str,
    when: tuple[float, float, Region | None],
    best: float,
    rng: np.random.Generator,
) -> tuple[Array, float]:
    """Return the argmax of an acquisition; `when` = (t, window, region), as in `maximise_ucb`."""
    inference = surrogate.inference
    same = conditioned(surrogate.model, surrogate.data, inference)
    threshold = (best - inference.y_mean) / inference.y_sd
    with seeded(rng):
        return maximise(KINDS[name](same.gp, best_f=threshold), surrogate.model, *when)
