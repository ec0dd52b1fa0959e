"""A GP surrogate with a stale-data policy: the common part of all algorithms of Table 1.

`GPOptimizer` is the same for all of them. They differ in the temporal kernel of the surrogate
(none, the problem's k_T, or that of the Markov model) and in their `Policy`. What
survives between two passes is the dataset, the observations removed since the last inference, the
learned values (`Inference`) and the state of the policy; a surrogate rebuilt from them has the same
bits, so a restored run is bit-equal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from bolt_core import gp
from bolt_core.algorithms.policy import Forecast, Moment, Policy, span
from bolt_core.algorithms.size_limit import SIZE_LIMIT, rows_beyond
from bolt_core.algorithms.spec import Query, Removal, generator_state, restore_generator
from bolt_core.common.domain import Region, project, uniform_in
from bolt_core.common.errors import RecordError
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
    MIN_FIT_SIZE,
    Data,
    FitRequest,
    Inference,
    Model,
    Surrogate,
    scheduled_restart,
)
from bolt_core.gp.workspace import Workspace


class GPOptimizer:
    """An `Optimizer` with a Gaussian-process surrogate; the policy decides what to remove."""

    infers = True

    def __init__(
        self,
        problem: Problem,
        rng: np.random.Generator,
        policy: Policy,
        engine: EngineConfig,
        *,
        temporal_kernel: str | None = None,
    ) -> None:
        """`temporal_kernel`: None takes the problem's; "none" makes f independent of time."""
        kernel = temporal_kernel or problem.temporal_kernel
        spatial = problem.spatial_kernel
        self._model = Model(problem.dimension, spatial, kernel, engine.ard, problem.domain)
        self._engine = gp.load(engine.name, self._model)
        self._acquisition = engine.acquisition
        acquisition.check(engine.acquisition, self._model)
        self._policy = policy
        policy.begin(problem, engine)
        self._rng = rng
        self._dataset: list[Observation] = []
        self._inference: Inference | None = None
        self._surrogate: Surrogate | None = None  # of D as it is, or None
        # Of the last inference, row by row in the order of removal, if the surrogate was downdated:
        self._removed: list[tuple[int, Observation]] = []
        self._passes = 0  # inferences made
        self._origin = 0.0  # seconds: the start of the run, or its oldest observation
        self._reset: tuple[tuple[int, ...], Mapping[str, Any]] = (), {}
        if engine != EngineConfig():
            self._warm_up_engine()

    def _warm_up_engine(self) -> None:
        """Import what the first pass would import (PyTorch takes seconds), before a clock runs."""
        rng = np.random.default_rng(0)
        X, t = rng.random((MIN_FIT_SIZE, self._model.dimension)), np.arange(float(MIN_FIT_SIZE))
        data = Data.of(X, t, rng.standard_normal(MIN_FIT_SIZE))
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
        """Everything learned in the last pass; None before the first inference."""
        return self._inference

    @property
    def kernels(self) -> dict[str, Any]:
        """The names of k_S and k_T, and the domain if it has levels.

        With a record, they suffice to rebuild the surrogate.
        """
        model, domain = self._model, self._model.levels
        names = {"spatial_kernel": model.spatial_kernel, "temporal_kernel": model.temporal_kernel}
        return names if domain is None else names | {"domain": domain.to_json()}

    def share(self, workspace: Workspace) -> None:
        """Use this workspace, which other optimizers of the same thread may use too."""
        self._engine.share(workspace)

    def surrogate(self, t: float) -> Surrogate | None:
        """Return the posterior given D at time t; None before the first inference."""
        if self._inference is None:
            return None
        known = list(self._dataset)
        for row, observation in reversed(self._removed):
            known.insert(row, observation)
        surrogate = self._engine.condition(self._data(t, known), self._inference)
        for row, _ in self._removed:
            surrogate = surrogate.without(row)
        return surrogate

    def ask(
        self, t: float, *, region: Region | None = None, pending: Sequence[tuple[Array, float]] = ()
    ) -> Query:
        """Return the next query: settable, and in the region if there is one.

        Pending queries (x, t) count as observed at their posterior mean for this search only.
        """
        surrogate = self._current(t) if self._dataset else None
        if surrogate is None:
            u = self._rng.random(self._model.dimension)
            return Query(tuple(uniform_in(u, self._model.levels, region).tolist()))
        if pending:
            surrogate = self._with_pending(surrogate, t, pending)
        chosen = self._policy.query(surrogate, t, self._rng)
        if chosen is not None:
            return Query(tuple(project(chosen, self._model.levels, region).tolist()), explores=True)
        window = self._policy.window(surrogate.inference.theta, span(self._dataset))
        x, at = acquisition.maximise(
            surrogate, self._acquisition, t, self._rng, window=window, region=region
        )
        point = tuple(np.clip(x, 0.0, 1.0).tolist())
        return Query(point, at) if window > 0 else Query(point)

    def tell(self, observation: Observation) -> None:
        reset = self._policy.arrival(observation, self._forecast(observation))
        if reset is not None:
            self._reset = (*self._reset[0], *(o.i for o in self._dataset)), {"reset": reset}
            self._dataset = []
        self._origin = min(self._origin, observation.t)
        self._dataset = [*self._dataset, observation]
        if len(self._dataset) > 1 and observation.t < self._dataset[-2].t:  # it arrived late
            self._dataset.sort(key=lambda o: o.t)
        self._surrogate, self._removed = None, []

    def infer(self, t: float) -> None:
        self._removed = []
        data = self._data(t, self._dataset)
        request = FitRequest(
            now=t - self._origin,
            warm=self._inference,
            restart=scheduled_restart(self._passes),
            noise_sd=self._policy.noise_sd,
        )
        self._surrogate = self._engine.fit(data, request, self._rng)
        self._inference = self._surrogate.inference
        self._passes += 1
        self._policy.learned(self._inference)

    def prune(self, t: float, responses: Sequence[ResponseSample]) -> Removal:
        reset, reset_notes = self._reset
        self._reset = (), {}
        surrogate = self._surrogate
        if surrogate is None:  # no inference in this pass
            surrogate = self.surrogate(t)
        if surrogate is None:
            return Removal(reset, notes=reset_notes)
        removal = self._policy.clean(Moment(t, self._dataset, surrogate, responses, self._rng))
        if removal.ids:
            self.forget(removal.ids)
        notes = {"inference": _record_notes(surrogate.inference), **reset_notes, **removal.notes}
        return Removal((*reset, *removal.ids), removal.n_star, notes, removal.side)

    def forget(self, ids: Sequence[int]) -> None:
        """Remove these observations from D."""
        removed = set(ids)
        rows = [row for row, o in enumerate(self._dataset) if o.i in removed]
        surrogate = self._surrogate
        few = not self._policy.weighs and len(rows) <= self._engine.max_downdates
        if few and surrogate is None:
            surrogate = self.surrogate(self._origin)  # of any time: it sees none but the weights
        if few and surrogate is not None and surrogate.downdates(len(rows)):
            for row in reversed(rows):
                surrogate = surrogate.without(row)
                self._removed = [*self._removed, (row, self._dataset[row])]
        else:  # the next pass conditions on the rest
            surrogate, self._removed = None, []
        self._surrogate = surrogate
        self._dataset = [o for o in self._dataset if o.i not in removed]

    def shrink(self, t: float, max_size: int) -> Removal:
        """Remove observations beyond `max_size`, a quarter of D at most; see `size_limit`."""
        if len(self._dataset) <= max_size or self._inference is None:
            return Removal()
        surrogate = self._surrogate or self.surrogate(t)
        rows = [] if surrogate is None else rows_beyond(surrogate, t, max_size)
        removed = tuple(self._dataset[row].i for row in rows)
        if removed:
            self.forget(removed)
        return Removal(removed, notes={SIZE_LIMIT: max_size} if removed else {})

    def state(self) -> dict[str, Any]:
        return {
            "rng": generator_state(self._rng),
            "inference": None if self._inference is None else self._inference.to_json(),
            "passes": self._passes,
            "origin": self._origin,
            "removed": [[row, asdict(observation)] for row, observation in self._removed],
            "policy": self._policy.state(),
        }

    def restore(self, state: Mapping[str, Any], dataset: Sequence[Observation]) -> None:
        self._rng = restore_generator(state["rng"])
        stored = state["inference"]
        self._inference = None if stored is None else Inference.from_json(stored)
        self._passes, self._origin = state["passes"], state["origin"]
        self._dataset = list(dataset)
        self._surrogate = None
        self._removed = [
            (row, Observation(**{**values, "x": tuple(values["x"])}))
            for row, values in state.get("removed", ())  # older states have none
        ]
        if len(self._removed) > self._engine.max_downdates:
            raise RecordError(f"a surrogate cannot have lost {len(self._removed)} observations")
        self._policy.restore(state["policy"])

    def _current(self, t: float) -> Surrogate | None:
        """Return the surrogate of D at time t; rebuilt only if D or its weights have changed."""
        if self._surrogate is None or self._policy.weighs:
            return self.surrogate(t)
        return self._surrogate

    def _with_pending(
        self, surrogate: Surrogate, t: float, pending: Sequence[tuple[Array, float]]
    ) -> Surrogate:
        """Return the surrogate with the pending queries observed at their posterior mean."""
        X, times = np.array([x for x, _ in pending]), np.array([at for _, at in pending])
        mean, _ = surrogate.posterior(X, times)
        weights = self._policy.weights(t, times)
        more = Data.of(X, times, mean, weights)
        data = surrogate.data
        both = Data(
            np.concatenate([data.Z, more.Z]),
            np.concatenate([data.y, more.y]),
            np.concatenate([data.weights, more.weights]),
        )
        return self._engine.condition(both, surrogate.inference)

    def _data(self, t: float, observations: Sequence[Observation]) -> Data:
        data = Data.from_observations(observations, self._model.dimension)
        if not self._policy.weighs:
            return data
        return replace(data, weights=self._policy.weights(t, data.Z[:, -1]))

    def _forecast(self, observation: Observation) -> Forecast | None:
        enough = self._policy.forecasts and len(self._dataset) >= MIN_FIT_SIZE
        surrogate = self._current(observation.t) if enough else None
        if surrogate is None:
            return None
        mean, sd = surrogate.posterior(np.array([observation.x]), observation.t)
        return Forecast(float(mean[0]), float(sd[0]), surrogate.inference.noise_sd)


def gp_with(
    policy: Callable[[Any], Policy], temporal_kernel: str | None = None
) -> Callable[..., GPOptimizer]:
    """Return the `build` of an algorithm, with this temporal kernel and policy(params)."""

    def build(
        problem: Problem, rng: np.random.Generator, *, params: object, engine: EngineConfig
    ) -> GPOptimizer:
        chosen = policy(params)
        return GPOptimizer(problem, rng, chosen, engine, temporal_kernel=temporal_kernel)

    return build


def _record_notes(inference: Inference) -> dict[str, Any]:
    """Return the notes on an inference, without theta (in the record already) and false flags.

    The curvature serves the next fit only; it is part of the state.
    """
    flags, elsewhere = {"restarted", "failed"}, {"theta", "curvature"}
    items = inference.to_json().items()
    return {k: v for k, v in items if k not in elsewhere and (v or k not in flags)}
