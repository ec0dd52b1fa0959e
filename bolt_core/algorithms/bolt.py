r"""BOLT: keep n* observations; drop the one whose absence changes the surrogate least.

At the end of every pass (Algorithm 1),

    n* = argmax_n ||u_n||^2                       (Recommendation 1, dataset_size.py)
    o* = argmin_{o in D} W_2(GP_D, GP_{D \ o})    (Recommendation 2, staleness/)

Where we differ: R(n) has non-negative coefficients and is fitted to medians (response_time.py); n*
is bisected; and D shrinks DOWN TO n*, by at most a quarter a pass and never below 5. The paper
writes `if |D| > n*`: one removal a pass against one arrival, so D could never shrink when n* falls.
`bolt-literal` does as printed. `bolt-oldest` and `bolt-random` keep n* but choose another victim:
they show what W_2 is worth.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from bolt_core.dataset_size import recommended_size
from bolt_core.gp_optimizer import Moment, Policy, gp_with
from bolt_core.kernels import temporal_correlation
from bolt_core.optimizer import AlgorithmSpec, Removal
from bolt_core.response_time import ResponsePool, ResponseTime, fit_response_time

FLOOR = 5  # observations that always stay
SHARE = 0.25  # of D that may leave in a pass

Victims: TypeAlias = Callable[[Moment, int], list[int]]  # how many -> rows of D


def least_relevant(moment: Moment, how_many: int) -> list[int]:
    return moment.surrogate.stalest(moment.t, how_many)


def oldest(moment: Moment, how_many: int) -> list[int]:
    del moment
    return list(range(how_many))


def arbitrary(moment: Moment, how_many: int) -> list[int]:
    rows = moment.rng.choice(len(moment.dataset), how_many, replace=False)
    return sorted(int(row) for row in rows)


class RecommendedSize(Policy):
    """The stale-data policy of the paper, free of any tuning constant."""

    def __init__(
        self, params: object = None, *, victims: Victims = least_relevant, literal: bool = False
    ) -> None:
        super().__init__(params)
        self._victims = victims
        self._literal = literal
        self._pool = ResponsePool()

    def clean(self, moment: Moment) -> Removal:
        if not moment.responses:
            return Removal()
        R = self._response_time(moment)
        l_T = moment.theta.lengthscale_time or math.inf
        k_T = temporal_correlation(moment.surrogate.model.temporal_kernel, l_T)
        n_star = recommended_size(k_T, R, seen=self._pool.largest)
        notes = {"response": R.coefficients, "response_floor": R.floor}
        rows = self._victims(moment, excess) if (excess := self._excess(moment, n_star)) else []
        return Removal(moment.ids(rows), n_star, notes)

    def _response_time(self, moment: Moment) -> ResponseTime:
        self._pool.take(moment.responses)
        if self._literal:
            return fit_response_time(moment.responses, plain=True)
        return self._pool.fit()

    def _excess(self, moment: Moment, n_star: int | None) -> int:
        """How many should leave in this pass."""
        n = len(moment.dataset)
        if n_star is None or n <= n_star:
            return 0
        if self._literal:
            return 1
        return max(min(n - max(n_star, FLOOR), math.ceil(SHARE * n)), 0)


def _spec(
    key: str, label: str, kind: str, victims: Victims = least_relevant, *, literal: bool = False
) -> AlgorithmSpec:
    return AlgorithmSpec(
        key=key,
        label=label,
        year=2026,
        kind=kind,
        assumes_objective="nothing",
        assumes_response_time="nothing",
        stale_data="relevancy-based, down to n*",
        guarantee="linear upper bound",
        build=gp_with(partial(RecommendedSize, victims=victims, literal=literal)),
    )


ALGORITHMS = (
    _spec("bolt", "BOLT", "paper"),
    _spec("bolt-literal", "BOLT, as printed", "variant", literal=True),
    _spec("bolt-oldest", "BOLT, drops the oldest", "variant", oldest),
    _spec("bolt-random", "BOLT, drops at random", "variant", arbitrary),
)
