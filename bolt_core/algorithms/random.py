"""Random search: uniform queries, the reference for every other algorithm.

    x_t ~ U([0, 1]^d)

An algorithm whose average regret is not below that of random search has learned nothing. All
observations are kept, so that the dataset can be drawn, and nothing is inferred from them.
"""

import numpy as np

from bolt_core.algorithms.spec import AlgorithmSpec, Query
from bolt_core.algorithms.without_model import WithoutModel
from bolt_core.common.options import NoParams
from bolt_core.common.types import EngineConfig, Problem


class RandomSearch(WithoutModel):
    """Queries uniform random points; see `Optimizer` for the methods."""

    def ask(self, t: float) -> Query:
        del t
        return self.random_query()


def build(
    problem: Problem, rng: np.random.Generator, *, params: NoParams, engine: EngineConfig
) -> RandomSearch:
    """Return random search on the problem."""
    del params, engine  # random search has neither parameters nor a surrogate
    return RandomSearch(problem, rng)


ALGORITHM = AlgorithmSpec(
    key="random", label="Random", year=0, kind="baseline", infers=False, build=build
)
