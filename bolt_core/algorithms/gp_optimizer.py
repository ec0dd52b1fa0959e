"""A GP surrogate plus a stale-data policy: what every algorithm of Table 1 is made of.

`GPOptimizer` is the same for all of them. What differs is which time the surrogate sees (none,
the problem's own k_T, or the Markov model's) and a `Policy`, asked at fixed moments of a pass.
Between two passes only the dataset, what was learned (`Inference`) and the policy's own numbers
survive; surrogates are rebuilt from them, so a restored run is bit-equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bolt_core import gp
from bolt_core.algorithms.spec import Query, Removal, generator_state, restore_generator
from bolt_core.common.types import (
    Array,
    EngineConfig,
    Hyperparameters,
    Observation,
    Problem,
    ResponseSample,
)
from bolt_core.gp import acquisition
from bolt_core.gp.protocol import (
    FEWEST,
    Data,
    FitRequest,
    Inference,
    Model,
    Surrogate,
    scheduled_restart,
)
from bolt_core.gp.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the surrogate said of an observation before it saw it; raw units."""

    mean: float
    sd: float  # of f, without the noise
    noise_sd: float  # sigma_0


@dataclass(frozen=True, slots=True)
class Moment:
    """What a policy sees at the end of a pass."""

    t: float  # of the newest observation, seconds
    dataset: Sequence[Observation]  # D, the newest last
    surrogate: Surrogate  # fitted to D
    responses: Sequence[ResponseSample]  # of the full passes so far
    rng: np.random.Generator

    @property
    def theta(self) -> Hyperparameters:
        return self.surrogate.inference.theta

    def ids(self, rows: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.dataset[row].i for row in rows)


class Policy:
    """Keeps everything, weighs everything alike, looks now. Policies change what they must."""

    forecasts = False  # True: `arrival` is told what the surrogate expected
    weighs = False  # True: `weights` are asked for, and they change with time
    noise_sd: float | None = None  # sigma_0 in raw units, if inference must take it as known
    kept: tuple[str, ...] = ()  # attributes that survive from pass to pass; JSON-ready

    def __init__(self, params: object = None) -> None:
        """`params`: of the algorithm."""

    def begin(self, problem: Problem, engine: EngineConfig) -> None:
        """Called once, before anything else."""

    def arrival(
        self, observation: Observation, forecast: Forecast | None, n: int
    ) -> Mapping[str, Any] | None:
        """Called before an observation joins the n in D. Remarks mean a reset: D empties first."""
        del observation, forecast, n
        return None

    def learned(self, inference: Inference) -> None:
        """Called after each inference."""

    def window(self, theta: Hyperparameters) -> float:
        """How many seconds ahead the next query may choose its time."""
        del theta
        return 0.0

    def weights(self, t: float, times: Array) -> Array:
        """Noise variance of each observation over sigma_0^2, at time t."""
        del t
        return np.ones_like(times)

    def clean(self, moment: Moment) -> Removal:
        del moment
        return Removal()

    def state(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.kept}

    def restore(self, state: Mapping[str, Any]) -> None:
        for name in self.kept:
            setattr(self, name, state[name])


class GPOptimizer:
    """Ask, tell, infer, prune with a Gaussian process."""

    infers = True

    def __init__(
        self,
        problem: Problem,
        rng: np.random.Generator,
        *,
        policy: Policy,
        engine: EngineConfig,
        temporal_kernel: str | None = None,
    ) -> None:
        """`temporal_kernel`: None takes the problem's; "none" sees no time."""
        kernel = temporal_kernel or problem.temporal_kernel
        self._model = Model(problem.dimension, problem.spatial_kernel, kernel)
        self._engine = gp.load(engine.name, self._model)
        self._acquisition = engine.acquisition
        self._policy = policy
        policy.begin(problem, engine)
        self._rng = rng
        self._dataset: list[Observation] = []
        self._inference: Inference | None = None
        self._surrogate: Surrogate | None = None  # of D as it is, or None
        self._passes = 0  # inferences made
        self._origin = 0.0  # seconds: when the run began, or the oldest thing ever known
        self._reset: tuple[tuple[int, ...], Mapping[str, Any]] = (), {}
        if engine != EngineConfig():
            self._rehearse()

    def _rehearse(self) -> None:
        """Load what the first pass would load (PyTorch: seconds), before any clock runs."""
        rng = np.random.default_rng(0)
        X, t = rng.random((FEWEST, self._model.dimension)), np.arange(float(FEWEST))
        data = Data.of(X, t, rng.standard_normal(FEWEST))
        surrogate = self._engine.fit(data, FitRequest(now=t[-1]), rng)
        acquisition.maximise(surrogate, self._acquisition, t[-1], rng)

    @property
    def dataset(self) -> Sequence[Observation]:
        return self._dataset

    @property
    def theta(self) -> Hyperparameters | None:
        return None if self._inference is None else self._inference.theta

    @property
    def inference(self) -> Inference | None:
        return self._inference

    @property
    def kernels(self) -> dict[str, str]:
        """k_S and k_T of its surrogate by name: with a record, enough to rebuild it."""
        names = self._model.spatial_kernel, self._model.temporal_kernel
        return dict(zip(("spatial_kernel", "temporal_kernel"), names, strict=True))

    def share(self, workspace: Workspace) -> None:
        """Think in this room, with others that think in the same thread."""
        self._engine.share(workspace)

    def surrogate(self, t: float) -> Surrogate | None:
        """The posterior of D at time t; None before the first inference."""
        if self._inference is None:
            return None
        return self._engine.condition(self._data(t), self._inference)

    def ask(self, t: float) -> Query:
        surrogate = self._current(t) if self._dataset else None
        if surrogate is None:
            return Query(tuple(self._rng.random(self._model.dimension).tolist()))
        window = self._policy.window(surrogate.inference.theta)
        x, at = acquisition.maximise(surrogate, self._acquisition, t, self._rng, window=window)
        place = tuple(np.clip(x, 0.0, 1.0).tolist())
        return Query(place, at) if window > 0 else Query(place)

    def tell(self, observation: Observation) -> None:
        remarks = self._policy.arrival(observation, self._forecast(observation), len(self._dataset))
        if remarks is not None:
            self._reset = (*self._reset[0], *(o.i for o in self._dataset)), remarks
            self._dataset = []
        self._origin = min(self._origin, observation.t)
        self._dataset = [*self._dataset, observation]
        if len(self._dataset) > 1 and observation.t < self._dataset[-2].t:  # told late
            self._dataset.sort(key=lambda o: o.t)
        self._surrogate = None

    def infer(self, t: float) -> None:
        data = self._data(t)
        request = FitRequest(
            now=t - self._origin,
            warm=self._inference,
            restart=scheduled_restart(self._passes),
            noise=self._known_noise(),
        )
        surrogate = self._engine.fit(data, request, self._rng)
        self._inference = surrogate.inference
        self._surrogate = surrogate
        self._passes += 1
        self._policy.learned(surrogate.inference)

    def prune(self, t: float, responses: Sequence[ResponseSample]) -> Removal:
        reset, remarks = self._reset
        self._reset = (), {}
        surrogate = self._surrogate
        if surrogate is None:  # nothing was inferred in this pass
            surrogate = self.surrogate(t)
        if surrogate is None:
            return Removal(reset, notes=remarks)
        removal = self._policy.clean(Moment(t, self._dataset, surrogate, responses, self._rng))
        if removal.ids:
            gone = set(removal.ids)
            self._dataset = [o for o in self._dataset if o.i not in gone]
            self._surrogate = None  # the next pass conditions on what is left
        notes = {"inference": _told(surrogate.inference), **remarks, **removal.notes}
        return Removal((*reset, *removal.ids), removal.n_star, notes, removal.side)

    def state(self) -> dict[str, Any]:
        return {
            "rng": generator_state(self._rng),
            "inference": None if self._inference is None else self._inference.to_json(),
            "passes": self._passes,
            "origin": self._origin,
            "policy": self._policy.state(),
        }

    def restore(self, state: Mapping[str, Any], dataset: Sequence[Observation]) -> None:
        self._rng = restore_generator(state["rng"])
        known = state["inference"]
        self._inference = None if known is None else Inference.from_json(known)
        self._passes, self._origin = state["passes"], state["origin"]
        self._dataset = list(dataset)
        self._surrogate = None
        self._policy.restore(state["policy"])

    def _current(self, t: float) -> Surrogate | None:
        """The surrogate of D at time t; made anew only if D or its weights have changed."""
        if self._surrogate is None or self._policy.weighs:
            return self.surrogate(t)
        return self._surrogate

    def _data(self, t: float) -> Data:
        data = Data.from_observations(self._dataset, self._model.dimension)
        if not self._policy.weighs:
            return data
        return replace(data, weights=self._policy.weights(t, data.Z[:, -1]))

    def _known_noise(self) -> tuple[float, float] | None:
        """Bounds of sigma_0^2 that leave it no choice, or none."""
        sd = self._policy.noise_sd
        return None if sd is None else (sd**2, sd**2)

    def _forecast(self, observation: Observation) -> Forecast | None:
        if not self._policy.forecasts or not self._dataset:
            return None
        surrogate = self._current(observation.t)
        if surrogate is None:
            return None
        mean, sd = surrogate.posterior(np.array([observation.x]), observation.t)
        return Forecast(float(mean[0]), float(sd[0]), surrogate.inference.noise_sd)


def gp_with(
    policy: Callable[[Any], Policy], temporal_kernel: str | None = None
) -> Callable[..., GPOptimizer]:
    """The `build` of an algorithm: a surrogate that sees that time, and policy(params)."""

    def build(
        problem: Problem, rng: np.random.Generator, *, params: object, engine: EngineConfig
    ) -> GPOptimizer:
        chosen = policy(params)
        return GPOptimizer(
            problem, rng, policy=chosen, engine=engine, temporal_kernel=temporal_kernel
        )

    return build


def _told(inference: Inference) -> dict[str, Any]:
    """An inference in a record, which has theta already; flags that are down are left out."""
    flags = {"restarted", "failed"}
    said = inference.to_json().items()
    return {k: v for k, v in said if k != "theta" and (v or k not in flags)}
