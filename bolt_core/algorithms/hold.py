"""Hold: the best setting of the warm-up, measured again and again.

    x_t = x_i,     i = argmax y over the warm-up

It is what a plant costs if nothing is done after one search. An algorithm that queries rarely has
a small average regret over queries if its queries are good; held regret and this baseline show what
the time in between costs.
"""

import numpy as np

from bolt_core.algorithms.spec import AlgorithmSpec, Query
from bolt_core.algorithms.without_model import WithoutModel
from bolt_core.common.options import NoParams
from bolt_core.common.types import EngineConfig, Problem


class Hold(WithoutModel):
    """Queries the best point of the observations that preceded its first query."""

    kept = ("_held",)

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        super().__init__(problem, rng)
        self._held: list[float] | None = None  # x, chosen by the first query with data

    def ask(self, t: float) -> Query:
        del t
        if not self._dataset:
            return self.random_query()
        if self._held is None:
            self._held = list(self.best_observed())
        return Query(tuple(self._held))


def build(
    problem: Problem, rng: np.random.Generator, *, params: NoParams, engine: EngineConfig
) -> Hold:
    """Return the baseline on the problem."""
    del params, engine  # it has neither parameters nor a surrogate
    return Hold(problem, rng)


ALGORITHM = AlgorithmSpec(
    key="hold", label="Hold", year=0, rank=1, kind="baseline", infers=False, build=build
)
