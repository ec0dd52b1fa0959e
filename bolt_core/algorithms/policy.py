"""A stale-data policy: what distinguishes the algorithms of Table 1.

`GPOptimizer` calls a policy at fixed points of a pass. A policy decides which observations to
remove, how they are weighted, how far ahead the next query may choose its time, and it may explore
instead of maximising the acquisition.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.algorithms.spec import Removal
from bolt_core.common.types import (
    Array,
    EngineConfig,
    Hyperparameters,
    Observation,
    Problem,
    ResponseSample,
)
from bolt_core.gp.protocol import Inference, Surrogate


@dataclass(frozen=True, slots=True)
class Forecast:
    """The prediction of an observation before it is added to D; raw units."""

    mean: float
    sd: float  # of f, without the noise
    noise_sd: float  # sigma_0


@dataclass(frozen=True, slots=True)
class Moment:
    """What a policy is given at the end of a pass."""

    t: float  # of the newest observation, seconds
    dataset: Sequence[Observation]  # D, the newest last
    surrogate: Surrogate  # fitted to D
    responses: Sequence[ResponseSample]  # of the full passes so far
    rng: np.random.Generator

    @property
    def theta(self) -> Hyperparameters:
        """The hyperparameters of the surrogate."""
        return self.surrogate.inference.theta

    def ids(self, rows: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of the observations in these rows of D."""
        return tuple(self.dataset[row].i for row in rows)


def span(dataset: Sequence[Observation]) -> float:
    """Return the seconds from the oldest to the newest observation of D, which is in order."""
    return dataset[-1].t - dataset[0].t


class Policy:
    """A policy that keeps all observations, with equal weights, and queries without waiting.

    Other policies override what they do differently.
    """

    forecasts = False  # True: `arrival` gets the prediction of the surrogate
    weighs = False  # True: `weights` is called, and the weights change with time
    noise_sd: float | None = None  # sigma_0 in raw units, if inference must not learn it
    kept: tuple[str, ...] = ()  # attributes that survive from pass to pass; JSON-ready

    def __init__(self, params: object = None) -> None:
        """`params` are the parameters of the algorithm."""

    def begin(self, problem: Problem, engine: EngineConfig) -> None:
        """Prepare for a problem; called once, before anything else."""

    def arrival(self, observation: Observation, forecast: Forecast | None) -> str | None:
        """Called before an observation joins D; a returned reason empties D first.

        `forecast` is None while D is too small for an inference, or if `forecasts` is False.
        """
        del observation, forecast
        return None

    def learned(self, inference: Inference) -> None:
        """Called after each inference."""

    def window(self, theta: Hyperparameters, observed: float) -> float:
        """Return how many seconds ahead the next query may choose its time.

        `observed` is the span of D in seconds.
        """
        del theta, observed
        return 0.0

    def query(self, surrogate: Surrogate, t: float, rng: np.random.Generator) -> Array | None:
        """Return a query (d,) at time t that explores; None: maximise the acquisition."""
        del surrogate, t, rng
        return None

    def weights(self, t: float, times: Array) -> Array:
        """Return the noise variance of each observation over sigma_0^2, at time t."""
        del t
        return np.ones_like(times)

    def clean(self, moment: Moment) -> Removal:
        """Decide which observations to remove at the end of a pass."""
        del moment
        return Removal()

    def state(self) -> dict[str, Any]:
        """Return the attributes that survive a pass, JSON-ready."""
        return {name: getattr(self, name) for name in self.kept}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state` returned; one of an earlier version may lack attributes."""
        for name in self.kept:
            if name in state:
                setattr(self, name, state[name])
