r"""W-DBO: remove the least relevant observations within a budget (Bardou et al., 2024).

    log b += (dt / l_T) log(1 + alpha);   while log(1 + R_i) < log b for i = argmin R:
        remove i;   log b -= log(1 + R_i)

R_i is the published bound on W_2, relative to the whole and integrated over all of R^d
(theory/wasserstein/bound.py), at the time of the newest observation. The differences from the
published algorithm (`differs`) avoid a collapse of D that others have observed. If some R_i is not
a finite number, none is removed and the record has the note `fallback`.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Moment, Policy
from bolt_core.algorithms.spec import AlgorithmSpec, Removal
from bolt_core.common.options import param

MAX_SAVED_LENGTHSCALES = 3.0  # of budget
FALLBACK = "R_i is not a finite number; none is removed"


@dataclass(frozen=True, slots=True)
class Params:
    """The parameters of W-DBO."""

    alpha: float = param(0.25, "budget growth per lengthscale", low=0.0, high=10.0)
    floor: int = param(15, "observations that are always kept", low=2, high=10_000)


class RemovalBudget(Policy):
    """Accumulates a budget over time and spends it on removals."""

    kept = ("_saved", "_last")

    def __init__(self, params: Params) -> None:
        self._params = params
        self._saved = 0.0  # log b
        self._last: float | None = None  # time of the last pass, seconds

    def clean(self, moment: Moment) -> Removal:
        income = math.log1p(self._params.alpha)
        l_T = moment.theta.lengthscale_time or math.inf
        before = self._saved
        if self._last is not None:
            earned = (moment.t - self._last) / l_T * income
            self._saved = min(self._saved + earned, MAX_SAVED_LENGTHSCALES * income)
        self._last = moment.t
        earned = self._saved - before
        rows, paid, fallback = self._remove(moment)
        notes = {"budget": self._saved, "earned": earned, "scores": paid, **fallback}
        return Removal(moment.ids(rows), notes=notes)

    def _remove(self, moment: Moment) -> tuple[list[int], list[float], Mapping[str, str]]:
        """Return the rows to remove, R_i of each, and a note if some R_i is not a number.

        log(1 + R_i) is taken from the budget.
        """
        n = len(moment.dataset)
        maximum = min(math.isqrt(n - 1) + 1, n - self._params.floor)
        rows: list[int] = []
        paid: list[float] = []
        if maximum <= 0 or self._saved <= 0.0:
            return rows, paid, {}
        scores = moment.surrogate.bound_scores(moment.t)
        while len(rows) < maximum:
            relative = scores.relative()
            i = int(np.argmin(relative))
            if not math.isfinite(relative[i]):
                return rows, paid, {"fallback": FALLBACK}
            cost = math.log1p(float(relative[i]))
            if cost >= self._saved:
                break
            self._saved -= cost
            paid.append(float(relative[i]))
            rows.append(int(scores.kept[i]))
            scores.remove(i)
        return rows, paid, {}


ALGORITHM = AlgorithmSpec(
    key="w-dbo",
    label="W-DBO",
    year=2024,
    stale_data="Relevancy-Based",
    differs=(
        "Keeps at least 15 observations (published: 2).",
        "Saves a budget of at most (1 + alpha)^3, by default 1.25^3 (published: no limit).",
        "Removes at most sqrt(n) observations per pass, rounded up (published: no limit).",
        "Fits hyperparameters once per pass (published: again after each removal).",
        "Does not cut the spatial integral of the score at 1, as the public code does.",
    ),
    build=gp_with(RemovalBudget),
    params=Params,
)
