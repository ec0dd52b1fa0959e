"""The common part of algorithms without a surrogate: all data is kept, nothing is inferred.

Their thinking time is about zero, so the model clock charges R(0) per query and nothing else.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.algorithms.spec import Query, Removal, generator_state, restore_generator
from bolt_core.common.types import Hyperparameters, Observation, Problem, ResponseSample


class WithoutModel:
    """An `Optimizer` without a surrogate; subclasses add `ask`."""

    infers = False
    theta: Hyperparameters | None = None
    kept: tuple[str, ...] = ()  # attributes that survive from pass to pass; JSON-ready

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        self._dimension = problem.dimension
        self._rng = rng
        self._dataset: list[Observation] = []

    @property
    def dataset(self) -> Sequence[Observation]:
        return self._dataset

    def tell(self, observation: Observation) -> None:
        self._dataset.append(observation)

    def infer(self, t: float) -> None: ...

    def prune(self, t: float, responses: Sequence[ResponseSample]) -> Removal:
        del t, responses
        return Removal()

    def random_query(self) -> Query:
        """Return a uniform random point."""
        return Query(tuple(self._rng.random(self._dimension).tolist()))

    def best_observed(self) -> tuple[float, ...]:
        """Return the x of the largest y so far."""
        return max(self._dataset, key=lambda o: o.y).x

    def state(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in self.kept}
        return {"rng": generator_state(self._rng), **own}

    def restore(self, state: Mapping[str, Any], dataset: Sequence[Observation]) -> None:
        self._rng = restore_generator(state["rng"])
        self._dataset = list(dataset)
        for name in self.kept:
            setattr(self, name, state[name])
