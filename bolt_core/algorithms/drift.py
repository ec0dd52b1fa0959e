r"""How fast f drifts, for algorithms whose own surrogate sees no time.

Bogunovic's Markov model f_{t+1} = sqrt(1 - eps) f_t + sqrt(eps) g_{t+1} has, in continuous time
with u seconds a round,

    k_T(D) = (1 - eps)^(D / 2u) = exp(-D / l),    l = -2u / ln(1 - eps),    eps = 1 - exp(-2u / l):

the Matern-1/2 kernel. R-, SW- and W-GPUCB need eps, which a surrogate without time cannot
identify. So the last 100 observations are kept aside, across resets, a model with that k_T is
fitted to them now and then, and the time it takes counts (the model clock charges a whole pass of
that size: it knows no price of a fit alone). u is the running mean time between two
observations. A count of observations derived from eps is

    N(eps) = ceil(12 eps^(-1/4)),

R-GPUCB's published block length for a squared-exponential k_S, and by the same balance the window
of SW-GPUCB and the memory of W-GPUCB (ours: their own formulas need the horizon).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from bolt_core import gp
from bolt_core.algorithms.gp_optimizer import Forecast, Moment, Policy
from bolt_core.common.types import EngineConfig, Observation, Problem
from bolt_core.gp.protocol import Data, FitRequest, Inference, Model

BUFFER = 100  # observations
FEWEST = 15  # before that eps is UNKNOWN
UNKNOWN = 0.03
LOWEST, HIGHEST = 1e-4, 0.5  # eps
RELEARN = 10  # passes
SMOOTHING = 0.1  # of the mean time between observations


def lengthscale(epsilon: float, u: float) -> float:
    """l in seconds, of a drift rate a round of u seconds."""
    return -2.0 * u / math.log1p(-epsilon)


def epsilon(l_T: float, u: float) -> float:
    """Drift rate a round of u seconds, of l in seconds."""
    return -math.expm1(-2.0 * u / l_T)


def block_length(epsilon: float) -> int:
    """N(eps) in observations."""
    return math.ceil(12.0 * math.pow(epsilon, -0.25))


class Drift:
    """The side buffer, and what it says of eps."""

    def __init__(self, problem: Problem, engine: EngineConfig) -> None:
        model = Model(problem.dimension, problem.spatial_kernel, "matern12")
        self._engine = gp.load(engine.name, model)
        self._buffer: list[Observation] = []
        self._inference: Inference | None = None
        self._failed: str | None = None  # why the last fit taught nothing, if so
        self._fits = 0
        self._gap: float | None = None  # seconds between observations, running mean
        self._origin = 0.0  # seconds: when the run began, or the oldest thing ever known

    @property
    def gap(self) -> float:
        """u, seconds; 1 until there are two observations."""
        return 1.0 if self._gap is None else self._gap

    @property
    def epsilon(self) -> float:
        """The drift rate a round, within its bounds."""
        if self._inference is None:
            return UNKNOWN
        l_T = self._inference.theta.lengthscale_time
        return min(max(epsilon(l_T or math.inf, self.gap), LOWEST), HIGHEST)

    @property
    def block_length(self) -> int:
        return block_length(self.epsilon)

    def add(self, observation: Observation) -> None:
        self._origin = min(self._origin, observation.t)
        if self._buffer and observation.t > self._buffer[-1].t:  # one told late says nothing of u
            gap = observation.t - self._buffer[-1].t
            kept = gap if self._gap is None else self._gap
            self._gap = kept + SMOOTHING * (gap - kept)
        self._buffer = sorted([*self._buffer, observation], key=lambda o: o.t)[-BUFFER:]

    def fit(self, now: float, rng: np.random.Generator) -> tuple[int, ...]:
        """Learn eps from the buffer; the sizes of the inferences made, for the clock."""
        if len(self._buffer) < FEWEST:
            return ()
        data = Data.from_observations(self._buffer, self._engine.model.dimension)
        elapsed = now - self._origin
        request = FitRequest(elapsed, self._inference, restart=self._fits)  # the last theta is old
        found = self._engine.fit(data, request, rng).inference
        self._fits += 1
        self._failed = found.failed
        if found.failed is None:
            self._inference = found
        return (len(self._buffer),)

    def notes(self) -> dict[str, Any]:
        """What a record says of it."""
        failed = {} if self._failed is None else {"drift_failed": self._failed}
        return {"epsilon": self.epsilon, **failed}

    def state(self) -> dict[str, Any]:
        return {
            "buffer": [asdict(o) for o in self._buffer],
            "inference": None if self._inference is None else self._inference.to_json(),
            "failed": self._failed,
            "fits": self._fits,
            "gap": self._gap,
            "origin": self._origin,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._buffer = [Observation(o["i"], tuple(o["x"]), o["t"], o["y"]) for o in state["buffer"]]
        known = state["inference"]
        self._inference = None if known is None else Inference.from_json(known)
        self._failed, self._fits, self._gap = state["failed"], state["fits"], state["gap"]
        self._origin = state["origin"]


class DriftPolicy(Policy):
    """A policy that learns eps on the side."""

    kept: tuple[str, ...] = ("_passes",)
    drift: Drift
    _passes = 0

    def begin(self, problem: Problem, engine: EngineConfig) -> None:
        self.drift = Drift(problem, engine)

    def arrival(
        self, observation: Observation, forecast: Forecast | None, n: int
    ) -> Mapping[str, Any] | None:
        del forecast, n
        self.drift.add(observation)
        return None

    def relearn(self, moment: Moment) -> tuple[int, ...]:
        """One pass more. Learns eps every few; the sizes of the inferences that took."""
        due = self._passes % RELEARN == 0
        self._passes += 1
        return self.drift.fit(moment.t, moment.rng) if due else ()

    def state(self) -> dict[str, Any]:
        return {**super().state(), "drift": self.drift.state()}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore(state)
        self.drift.restore(state["drift"])
