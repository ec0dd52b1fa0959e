"""Random search: uniform queries, the reference for every other algorithm.

    x_t ~ U([0, 1]^d)

An algorithm whose average regret is not below that of random search has learned nothing. All
observations are kept, so that the dataset can be drawn, and nothing is inferred from them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.algorithms.spec import (
    AlgorithmSpec,
    Query,
    Removal,
    generator_state,
    restore_generator,
)
from bolt_core.common.options import NoParams
from bolt_core.common.types import (
    EngineConfig,
    Hyperparameters,
    Observation,
    Problem,
    ResponseSample,
)


class RandomSearch:
    """Queries uniform random points; see `Optimizer` for the methods."""

    infers = False
    theta: Hyperparameters | None = None

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        self._dimension = problem.dimension
        self._rng = rng
        self._dataset: list[Observation] = []

    @property
    def dataset(self) -> Sequence[Observation]:
        return self._dataset

    def ask(self, t: float) -> Query:
        del t
        return Query(tuple(self._rng.random(self._dimension).tolist()))

    def tell(self, observation: Observation) -> None:
        self._dataset.append(observation)

    def infer(self, t: float) -> None: ...

    def prune(self, t: float, responses: Sequence[ResponseSample]) -> Removal:
        del t, responses
        return Removal()

    def state(self) -> dict[str, Any]:
        return {"rng": generator_state(self._rng)}

    def restore(self, state: Mapping[str, Any], dataset: Sequence[Observation]) -> None:
        self._rng = restore_generator(state["rng"])
        self._dataset = list(dataset)


def build(
    problem: Problem, rng: np.random.Generator, *, params: NoParams, engine: EngineConfig
) -> RandomSearch:
    """Return random search on the problem."""
    del params, engine  # random search has neither parameters nor a surrogate
    return RandomSearch(problem, rng)


ALGORITHM = AlgorithmSpec(key="random", label="Random", year=0, kind="baseline", build=build)
