r"""Extremum seeking: sinusoidal perturbations whose phase the objective shifts.

Scheinker, Huang & Taylor, "Extremum seeking-based control system for particle accelerator beam loss
minimization", IEEE Transactions on Control Systems Technology 30 (2022), as accelerator control
rooms use it (Xopt and Badger offer it). In p = 2x - 1 in [-1, 1]^d, after query k,

    p_i <- clip(p_i + h a w_i cos(w_i h k - K z)),     z = (y - mean y) / sd y,

the newest y standardised by all y so far. Pairs of coordinates share a frequency, one of the pair
with cos and the other with sin; frequencies are spread over [1, 1.75], and h = 2 pi / (10 max w)
makes at least ten steps per cycle. Where y grows along a cycle, its phase is held back and the
cycle is longer: on average, p climbs at the rate K a^2 w / 2 times the gradient of z. There is
no surrogate and no dataset, so a query costs R(0) only.
"""

import math
from dataclasses import dataclass

import numpy as np

from bolt_core.algorithms.spec import AlgorithmSpec, Query
from bolt_core.algorithms.without_model import WithoutModel
from bolt_core.common.options import param
from bolt_core.common.types import Array, EngineConfig, Observation, Problem

FREQUENCIES = (
    1.0,
    1.75,
)  # of the first and of the last pair, radians per unit of the method's time
STEPS_PER_CYCLE = 10  # of the highest frequency


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of extremum seeking."""

    amplitude: float = param(0.1, "a, of the oscillation; half the box is 1", low=1e-6, high=1.0)
    gain: float = param(2.0, "K: radians of phase per standard deviation of y", low=0.0, high=1e3)


class ExtremumSeeking(WithoutModel):
    """Oscillates around a point that climbs; it starts at the best point of the warm-up."""

    kept = ("_p", "_k", "_count", "_mean", "_squares")

    def __init__(self, problem: Problem, rng: np.random.Generator, params: Params) -> None:
        super().__init__(problem, rng)
        self._params = params
        pairs = math.ceil(problem.dimension / 2)
        self._w = np.repeat(np.linspace(*FREQUENCIES, pairs), 2)[: problem.dimension]
        self._phases = np.arange(problem.dimension) % 2 * (math.pi / 2)  # sin = cos, a quarter on
        self._h = 2.0 * math.pi / (STEPS_PER_CYCLE * float(self._w.max()))
        self._p: list[float] | None = None  # in [-1, 1]^d; None before the first query with data
        self._k = 0  # steps made
        self._count, self._mean, self._squares = 0, 0.0, 0.0  # of all y: Welford's sums

    def ask(self, t: float) -> Query:
        del t
        if not self._dataset:
            return self.random_query()
        if self._p is None:
            p = 2.0 * np.array(self.best_observed()) - 1.0
        else:
            p = np.clip(np.array(self._p) + self._step(), -1.0, 1.0)
        self._p = p.tolist()
        return Query(tuple(np.clip(0.5 * (p + 1.0), 0.0, 1.0).tolist()))

    def tell(self, observation: Observation) -> None:
        super().tell(observation)
        self._count += 1
        deviation = observation.y - self._mean
        self._mean += deviation / self._count
        self._squares += deviation * (observation.y - self._mean)

    def _step(self) -> Array:
        """Return the change of p after the newest observation."""
        phase = self._w * (self._h * self._k) - self._phases - self._params.gain * self._score()
        self._k += 1
        return np.asarray(self._h * self._params.amplitude * self._w * np.cos(phase))

    def _score(self) -> float:
        """Return the newest y, standardised by all y so far; 0 while all are equal."""
        sd = math.sqrt(self._squares / self._count)
        return (self._dataset[-1].y - self._mean) / sd if sd > 0.0 else 0.0


def build(
    problem: Problem, rng: np.random.Generator, *, params: Params, engine: EngineConfig
) -> ExtremumSeeking:
    """Return extremum seeking on the problem."""
    del engine  # it has no surrogate
    return ExtremumSeeking(problem, rng, params)


ALGORITHM = AlgorithmSpec(
    key="extremum-seeking",
    label="Extremum seeking",
    year=2022,
    rank=2,
    kind="baseline",
    infers=False,
    differs=(
        "Standardises y by its running mean and standard deviation, so that the gain has no unit "
        "(published: a gain for each machine).",
        "Starts from the best point of the warm-up (published: the operator's present setting).",
    ),
    build=build,
    params=Params,
)
