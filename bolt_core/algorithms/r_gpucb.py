r"""R-GPUCB: reset D periodically (Bogunovic et al., 2016).

    GPUCB on blocks of N(eps) = ceil(12 eps^(-1/4)) observations; D = {} at the end of a block

eps is estimated from a buffer at the start of each block (drift.py).
"""

from typing import Any

from bolt_core.algorithms.drift import DriftPolicy
from bolt_core.algorithms.gp_optimizer import gp_with
from bolt_core.algorithms.policy import Moment
from bolt_core.algorithms.spec import AlgorithmSpec, Removal


class PeriodicReset(DriftPolicy):
    """Empties D at the end of each block."""

    kept = ("_length",)
    _length: int | None = None  # N of this block

    def clean(self, moment: Moment) -> Removal:
        side: tuple[int, ...] = ()
        if self._length is None:
            side = self.drift.fit(moment.t, moment.rng)
            self._length = self.drift.block_length
        n, length = len(moment.dataset), self._length
        notes: dict[str, Any] = {"period": length, **self.drift.notes()}
        if n < length:
            return Removal(notes=notes, side=side)
        self._length = None
        notes["reset"] = f"block of {length} observations is full"
        return Removal(moment.ids(range(n)), notes=notes, side=side)


ALGORITHM = AlgorithmSpec(
    key="r-gpucb",
    label="R-GPUCB",
    year=2016,
    rank=1,
    assumes_objective="Markov Model",
    assumes_response_time="R(n) ∈ Θ(1)",
    stale_data="Periodic Reset",
    guarantee="Linear UB",
    differs=(
        "Learns its drift rate eps from the last 100 observations (published: given).",
        "Takes the block length 12 eps^(-1/4), published for a squared-exponential kernel, without "
        "its limit by the horizon.",
        "Keeps hyperparameters and the scale of y across a reset; the first query of a block is "
        "uniform.",
    ),
    build=gp_with(PeriodicReset, "none"),
)
