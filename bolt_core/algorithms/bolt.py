r"""BOLT: keep n* observations; remove those whose absence changes the surrogate least.

At the end of every pass (Algorithm 1),

    n* = argmax_n ||u_n||^2                       (Recommendation 1, dataset_size.py)
    o* = argmin_{o in D} W_2(GP_D, GP_{D \ o})    (Recommendation 2, wasserstein/choice.py)

The paper writes `if |D| > n*`: with one removal and one new observation per pass, D could never
shrink when n* falls. Here D shrinks DOWN TO n*, by at most 25 % per pass and never below 5; the
other differences are in DIFFERS. Once every |D| passes BOLT explores (gp/optimal_region.py): where
l_S is overestimated, UCB is largest in corners, and corners alone may never show that l_S is
shorter. `bolt-plain` never explores; reports/around has the comparison. `bolt-literal` follows the
printed algorithm: it never explores, one removal, n* by unit steps from |D|, R by plain least
squares. `bolt-oldest` and `bolt-random` keep n* but remove other observations; they show the effect
of W_2. `bolt-keep` computes n* and removes nothing. If W_2 is not a finite number, the oldest
observations are removed, and the record has the note `fallback`.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Moment, Policy
from bolt_core.algorithms.size_limit import MAX_REMOVED_SHARE
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.common.types import Array
from bolt_core.gp.optimal_region import uniform_among_optimal
from bolt_core.gp.protocol import Surrogate
from bolt_core.theory.dataset_size import climbed_size, recommended_size
from bolt_core.theory.kernels import temporal_correlation
from bolt_core.theory.response_time import ResponsePool, ResponseTime, fit_response_time

MIN_OBSERVATIONS = 5  # that are always kept
EXPLORES = (
    "Once every |D| passes it queries a uniform random point among those whose UCB is at least the "
    "largest LCB (printed: always the point of the largest UCB).",
)
DIFFERS = (
    "Removes while |D| > n*, at most 25 % of the dataset per pass and never below 5 observations "
    "(printed: if |D| > n*, one per pass).",
    "Fits R(n) to medians, without negative coefficients and never below the shortest pass "
    "(printed: plain cubic regression).",
    "Finds n* by bisection (printed: by unit steps), among sizes up to twice the largest seen and "
    "at least 200.",
)
W2_DIFFERS = (
    "Integrates W2 over the box and the next 2 l_T, and keeps hyperparameters and the fitted mean "
    "when an observation leaves (printed: any domain, and a mean of zero).",
)
LITERAL_DIFFERS = (
    "Takes at least the shortest pass for R(n), keeps at least 5 observations, and searches n* "
    "among sizes up to twice the largest seen, or 200 (printed: no limits).",
)
KEEP_DIFFERS = (
    "Computes n* and removes nothing (printed: removes observations while |D| > n*).",
    *DIFFERS[1:],
)
FALLBACK = "W_2 is not a finite number; the oldest observations are removed instead"

# (moment, how many) -> the rows of D to remove, and notes for the record
RemovalRule: TypeAlias = Callable[[Moment, int], tuple[list[int], Mapping[str, Any]]]
PolicyType: TypeAlias = Callable[..., Policy]


def least_relevant(moment: Moment, how_many: int) -> tuple[list[int], Mapping[str, Any]]:
    """Return the rows of least W_2, one after another, and their scores."""
    chosen = moment.surrogate.removals(moment.t, how_many)
    if not all(math.isfinite(score) for _, score in chosen):
        return oldest(moment, how_many)[0], {"fallback": FALLBACK}
    return [row for row, _ in chosen], {"scores": [score for _, score in chosen]}


def oldest(moment: Moment, how_many: int) -> tuple[list[int], Mapping[str, Any]]:
    """Return the rows of the oldest observations."""
    del moment
    return list(range(how_many)), {}


def arbitrary(moment: Moment, how_many: int) -> tuple[list[int], Mapping[str, Any]]:
    """Return random rows."""
    rows = moment.rng.choice(len(moment.dataset), how_many, replace=False)
    return sorted(int(row) for row in rows), {}


class RecommendedSize(Policy):
    """The stale-data policy of the paper, which keeps n* observations; a query in |D| explores."""

    kept = ("_since", "_explored")

    def __init__(
        self,
        params: object = None,
        *,
        rule: RemovalRule = least_relevant,
        literal: bool = False,
        explores: bool = True,
    ) -> None:
        """`literal` follows the printed algorithm, which never explores."""
        super().__init__(params)
        self._rule = rule
        self._literal = literal
        self._explores = explores and not literal
        self._pool = ResponsePool()
        self._since = 0  # queries since the last one that explored
        self._explored = False  # whether the query of this pass does

    def query(self, surrogate: Surrogate, t: float, rng: np.random.Generator) -> Array | None:
        self._since += 1
        x = None
        if self._explores and self._since >= len(surrogate.data):
            self._since = 0
            x = uniform_among_optimal(surrogate, t, rng)
        self._explored = x is not None
        return x

    def clean(self, moment: Moment) -> Removal:
        if not moment.responses:
            return Removal(notes=self._query_notes())
        R = self._response_time(moment)
        l_T = moment.theta.lengthscale_time or math.inf
        k_T = temporal_correlation(moment.surrogate.model.temporal_kernel, l_T)
        n, seen = len(moment.dataset), self._pool.largest
        if self._literal:
            n_star = climbed_size(k_T, R, n, seen=seen)
        else:
            n_star = recommended_size(k_T, R, seen=seen)
        notes = {"response": R.coefficients, "response_floor": R.floor} | self._query_notes()
        excess = self._excess(n, n_star)
        if not excess:
            return Removal(n_star=n_star, notes=notes)
        rows, rule_notes = self._rule(moment, excess)
        return Removal(moment.ids(rows), n_star, {**notes, **rule_notes})

    def _query_notes(self) -> dict[str, Any]:
        """Return that the query of this pass explored, if so, once."""
        explored, self._explored = self._explored, False
        return {"explored": True} if explored else {}

    def _response_time(self, moment: Moment) -> ResponseTime:
        self._pool.take(moment.responses)
        if self._literal:
            return fit_response_time(moment.responses, plain=True)
        return self._pool.fit()

    def _excess(self, n: int, n_star: int | None) -> int:
        """Return how many of n observations are to be removed in this pass."""
        if n_star is None:
            return 0
        maximum = 1 if self._literal else n // MAX_REMOVED_SHARE
        return max(min(n - max(n_star, MIN_OBSERVATIONS), maximum), 0)


class RemovesNothing(RecommendedSize):
    """Computes n* and keeps all observations."""

    def _excess(self, n: int, n_star: int | None) -> int:
        del n, n_star
        return 0


def _spec(
    key: str,
    label: str,
    policy: PolicyType,
    stale_data: str = "Relevancy-Based",
    *,
    guarantee: str = "Linear UB",
    differs: tuple[str, ...],
) -> AlgorithmSpec:
    return AlgorithmSpec(
        key=key,
        label=label,
        year=2026,
        kind="paper" if key == "bolt" else "variant",
        stale_data=stale_data,
        guarantee=guarantee,
        differs=differs,
        build=gp_with(policy),
    )


PRINTED = partial(RecommendedSize, literal=True)
PLAIN = partial(RecommendedSize, explores=False)
OLDEST, RANDOM = (partial(RecommendedSize, rule=rule) for rule in (oldest, arbitrary))
ALGORITHMS = (
    _spec("bolt", "BOLT", RecommendedSize, differs=EXPLORES + DIFFERS + W2_DIFFERS),
    _spec("bolt-plain", "BOLT, never explores", PLAIN, differs=DIFFERS + W2_DIFFERS),
    _spec("bolt-literal", "BOLT, as printed", PRINTED, differs=LITERAL_DIFFERS + W2_DIFFERS),
    _spec(
        "bolt-oldest",
        "BOLT, drops the oldest",
        OLDEST,
        "Oldest beyond n*",
        differs=EXPLORES + DIFFERS,
    ),
    _spec(
        "bolt-random",
        "BOLT, drops at random",
        RANDOM,
        "Random beyond n*",
        differs=EXPLORES + DIFFERS,
    ),
    _spec(
        "bolt-keep",
        "BOLT, keeps all",
        RemovesNothing,
        "None",
        guarantee="None",
        differs=EXPLORES + KEEP_DIFFERS,
    ),
)
