r"""Estimate how fast f drifts, for algorithms whose surrogate is independent of time.

Bogunovic's Markov model f_{t+1} = sqrt(1 - eps) f_t + sqrt(eps) g_{t+1} has, in continuous time
with u seconds per round,

    k_T(D) = (1 - eps)^(D / 2u) = exp(-D / l),    l = -2u / ln(1 - eps),    eps = 1 - exp(-2u / l):

the Matern-1/2 kernel. R-, SW- and W-GPUCB need eps, which a surrogate without time cannot
identify. So the last 100 observations are kept in a buffer, across resets, and a model with that
k_T is fitted to them from time to time. The time of this fit counts (the model clock charges a
whole pass of that size, because it has no cost of a fit alone). u is the running mean time between
two observations. A number of observations derived from eps is

    N(eps) = ceil(12 eps^(-1/4)),

the published block length of R-GPUCB for a squared-exponential k_S. By the same balance it is used
as the window of SW-GPUCB and the memory of W-GPUCB, whose published formulas need the horizon.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from bolt_core import gp
from bolt_core.algorithms.policy import Forecast, Moment, Policy
from bolt_core.common.types import EngineConfig, Observation, Problem
from bolt_core.gp.protocol import Data, FitRequest, Inference, Model

BUFFER_SIZE = 100  # observations
MIN_OBSERVATIONS = 15  # with fewer, eps is DEFAULT_EPSILON
DEFAULT_EPSILON = 0.03
MIN_EPSILON, MAX_EPSILON = 1e-4, 0.5
RELEARN_PASSES = 10  # between two fits
GAP_SMOOTHING = 0.1  # weight of the newest gap in the mean time between observations


def lengthscale(epsilon: float, u: float) -> float:
    """Return l in seconds for a drift rate per round of u seconds."""
    return -2.0 * u / math.log1p(-epsilon)


def epsilon(l_T: float, u: float) -> float:
    """Return the drift rate per round of u seconds for l in seconds."""
    return -math.expm1(-2.0 * u / l_T)


def block_length(epsilon: float) -> int:
    """Return N(eps), a number of observations."""
    return math.ceil(12.0 * math.pow(epsilon, -0.25))


class Drift:
    """The buffer of recent observations, and eps estimated from it."""

    def __init__(self, problem: Problem, engine: EngineConfig) -> None:
        spatial = problem.spatial_kernel
        model = Model(problem.dimension, spatial, "matern12", engine.ard, problem.domain)
        self._engine = gp.load(engine.name, model)
        self._buffer: list[Observation] = []
        self._inference: Inference | None = None
        self._failed: str | None = None  # the reason, if the last fit failed
        self._fits = 0
        self._gap: float | None = None  # seconds between observations, running mean
        self._origin = 0.0  # seconds: the start of the run, or its oldest observation

    @property
    def gap(self) -> float:
        """u, seconds; 1 until there are two observations."""
        return 1.0 if self._gap is None else self._gap

    @property
    def epsilon(self) -> float:
        """The drift rate per round, within its bounds."""
        if self._inference is None:
            return DEFAULT_EPSILON
        l_T = self._inference.theta.lengthscale_time
        return min(max(epsilon(l_T or math.inf, self.gap), MIN_EPSILON), MAX_EPSILON)

    @property
    def block_length(self) -> int:
        """N(eps), a number of observations."""
        return block_length(self.epsilon)

    def add(self, observation: Observation) -> None:
        """Add an observation to the buffer and its gap to the mean."""
        self._origin = min(self._origin, observation.t)
        if self._buffer and observation.t > self._buffer[-1].t:  # a late one has no gap
            gap = observation.t - self._buffer[-1].t
            mean = gap if self._gap is None else self._gap
            self._gap = mean + GAP_SMOOTHING * (gap - mean)
        self._buffer = sorted([*self._buffer, observation], key=lambda o: o.t)[-BUFFER_SIZE:]

    def fit(self, now: float, rng: np.random.Generator) -> tuple[int, ...]:
        """Estimate eps from the buffer; return the sizes of the inferences, for the clock."""
        if len(self._buffer) < MIN_OBSERVATIONS:
            return ()
        data = Data.from_observations(self._buffer, self._engine.model.dimension)
        elapsed = now - self._origin
        request = FitRequest(elapsed, self._inference, restart=self._fits)  # the last theta is old
        inference = self._engine.fit(data, request, rng).inference
        self._fits += 1
        self._failed = inference.failed
        if inference.failed is None:
            self._inference = inference
        return (len(self._buffer),)

    def notes(self) -> dict[str, Any]:
        """Return the notes for the record of a pass."""
        failed = {} if self._failed is None else {"drift_failed": self._failed}
        return {"epsilon": self.epsilon, **failed}

    def state(self) -> dict[str, Any]:
        """Return everything that survives a pass, JSON-ready."""
        return {
            "buffer": [asdict(o) for o in self._buffer],
            "inference": None if self._inference is None else self._inference.to_json(),
            "failed": self._failed,
            "fits": self._fits,
            "gap": self._gap,
            "origin": self._origin,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state` returned."""
        self._buffer = [Observation(o["i"], tuple(o["x"]), o["t"], o["y"]) for o in state["buffer"]]
        stored = state["inference"]
        self._inference = None if stored is None else Inference.from_json(stored)
        self._failed, self._fits, self._gap = state["failed"], state["fits"], state["gap"]
        self._origin = state["origin"]


class DriftPolicy(Policy):
    """A policy that estimates eps from a buffer of its own."""

    kept: tuple[str, ...] = ("_passes",)
    drift: Drift
    _passes = 0

    def begin(self, problem: Problem, engine: EngineConfig) -> None:
        self.drift = Drift(problem, engine)

    def arrival(self, observation: Observation, forecast: Forecast | None) -> None:
        del forecast
        self.drift.add(observation)

    def relearn(self, moment: Moment) -> tuple[int, ...]:
        """Count a pass, fit eps every few passes; return the dataset sizes of the inferences."""
        due = self._passes % RELEARN_PASSES == 0
        self._passes += 1
        return self.drift.fit(moment.t, moment.rng) if due else ()

    def state(self) -> dict[str, Any]:
        return {**super().state(), "drift": self.drift.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.drift.restore(state["drift"])
