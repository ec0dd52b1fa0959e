r"""BOLT: keep n* observations; drop the one whose absence changes the surrogate least.

At the end of every pass (Algorithm 1),

    n* = argmax_n ||u_n||^2                       (Recommendation 1, dataset_size.py)
    o* = argmin_{o in D} W_2(GP_D, GP_{D \ o})    (Recommendation 2, staleness/)

Where we differ: R(n) has non-negative coefficients and is fitted to medians (response_time.py); n*
is bisected; and D shrinks DOWN TO n*, by at most a quarter a pass and never below 5. The paper
writes `if |D| > n*`: one removal a pass against one arrival, so D could never shrink when n* falls.
`bolt-literal` does as printed: one removal, n* by unit steps from |D|, R by plain least squares.
`bolt-oldest` and `bolt-random` keep n* but choose another victim: they show what W_2 is worth.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from bolt_core.algorithms.gp_optimizer import Moment, Policy, gp_with
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.theory.dataset_size import climbed_size, recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponsePool, ResponseTime, fit_response_time

FLOOR = 5  # observations that always stay
SHARE = 4  # one in so many may leave in a pass

# How many -> rows of D, and what the record says of them.
Victims: TypeAlias = Callable[[Moment, int], tuple[list[int], Mapping[str, Any]]]


def least_relevant(moment: Moment, how_many: int) -> tuple[list[int], Mapping[str, Any]]:
    chosen = moment.surrogate.removals(moment.t, how_many)
    return [row for row, _ in chosen], {"scores": [score for _, score in chosen]}


def oldest(moment: Moment, how_many: int) -> tuple[list[int], Mapping[str, Any]]:
    del moment
    return list(range(how_many)), {}


def arbitrary(moment: Moment, how_many: int) -> tuple[list[int], Mapping[str, Any]]:
    rows = moment.rng.choice(len(moment.dataset), how_many, replace=False)
    return sorted(int(row) for row in rows), {}


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
        n, seen = len(moment.dataset), self._pool.largest
        if self._literal:
            n_star = climbed_size(k_T, R, n, seen=seen)
        else:
            n_star = recommended_size(k_T, R, seen=seen)
        notes = {"response": R.coefficients, "response_floor": R.floor}
        excess = self._excess(n, n_star)
        if not excess:
            return Removal(n_star=n_star, notes=notes)
        rows, said = self._victims(moment, excess)
        return Removal(moment.ids(rows), n_star, {**notes, **said})

    def _response_time(self, moment: Moment) -> ResponseTime:
        self._pool.take(moment.responses)
        if self._literal:
            return fit_response_time(moment.responses, plain=True)
        return self._pool.fit()

    def _excess(self, n: int, n_star: int | None) -> int:
        """How many of n should leave in this pass."""
        if n_star is None:
            return 0
        most = 1 if self._literal else n // SHARE
        return max(min(n - max(n_star, FLOOR), most), 0)


def _spec(
    key: str,
    label: str,
    victims: Victims = least_relevant,
    stale_data: str = "Relevancy-Based",
    *,
    literal: bool = False,
) -> AlgorithmSpec:
    return AlgorithmSpec(
        key=key,
        label=label,
        year=2026,
        kind="paper" if key == "bolt" else "variant",
        assumes_objective="No",
        assumes_response_time="No",
        stale_data=stale_data,
        guarantee="Linear UB",
        build=gp_with(partial(RecommendedSize, victims=victims, literal=literal)),
    )


ALGORITHMS = (
    _spec("bolt", "BOLT"),
    _spec("bolt-literal", "BOLT, as printed", literal=True),
    _spec("bolt-oldest", "BOLT, drops the oldest", oldest, "Oldest beyond n*"),
    _spec("bolt-random", "BOLT, drops at random", arbitrary, "Random beyond n*"),
)
