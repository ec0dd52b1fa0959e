"""The summary of a run that lists of runs show, updated pass by pass.

A record carries it in its state lines and in its closing line, so that a list of thousands of runs
reads only the ends of files. The quantities are those of `analysis/run_outcome`.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from bolt_core.analysis.spatial_traps import at_corners, sees_no_structure
from bolt_core.common.types import IterationRecord

MAX_SPARK_POINTS = 32  # of the small curve of running average regret
MAX_SPEED_CHANGES = 16  # the newest ones; a summary without any has no such field


@dataclass(slots=True)
class RunSummary:
    """Running totals of one run."""

    iterations: int = 0
    t: float = 0.0  # end of the last pass, seconds on the run's clock
    n: int = 0  # size of D after the last pass
    n_star: int | None = None  # of the last pass
    contention: float | None = None  # real seconds per CPU second, if it was noted
    _corners: int = 0  # full passes that queried a corner
    _fitted: int = 0  # full passes with a surrogate
    _no_structure: int = 0  # of these, those whose l_S exceeds sqrt(d)
    _regret_sum: float = 0.0
    _response_sum: float = 0.0  # seconds
    _full_passes: int = 0  # passes after the warm-up, over which regret and response are averaged
    _passes_per_point: int = 1
    _spark: list[float] = field(default_factory=list)
    _speeds: list[list[float]] = field(default_factory=list)  # [t, factor] of the newest changes

    def add(self, record: IterationRecord) -> None:
        """Count one more pass."""
        self.iterations += 1
        start = record.observation.t - record.waited
        self.t = max(start + record.seconds, record.observation.t)
        self.n += 1 - len(record.removed)
        self.n_star = record.n_star
        if record.warmup:
            return
        self._full_passes += 1
        self._count_traps(record)
        self._regret_sum += record.regret
        self._response_sum += record.seconds
        if math.isfinite(self._regret_sum) and self._full_passes % self._passes_per_point == 0:
            self._add_point(self._regret_sum / self._full_passes)

    def add_speed(self, t: float, factor: float) -> None:
        """Note that computing takes `factor` times as long as configured from time t on."""
        self._speeds = [*self._speeds, [t, factor]][-MAX_SPEED_CHANGES:]

    def summary(self) -> dict[str, Any]:
        """Return the summary as JSON; `regret` is None where the optimum is unknown."""
        count = self._full_passes
        regret = self._regret_sum / count if count else math.nan
        return {
            "iterations": self.iterations,
            "t": self.t,
            "n": self.n,
            "n_star": self.n_star,
            "regret": regret if math.isfinite(regret) else None,
            "response": self._response_sum / count if count else None,
            **({"corner_share": self._corners / count} if count else {}),
            **({"no_structure_share": self._no_structure / self._fitted} if self._fitted else {}),
            "spark": [float(f"{value:.4g}") for value in self._spark],
            **({"speeds": self._speeds} if self._speeds else {}),
            **({"contention": self.contention} if self.contention else {}),
        }

    def _count_traps(self, record: IterationRecord) -> None:
        x = record.observation.x
        self._corners += bool(at_corners(x))
        if record.theta is not None:
            self._fitted += 1
            self._no_structure += sees_no_structure(record.theta.lengthscale_space, len(x))

    def _add_point(self, value: float) -> None:
        """Add a point; when the curve is full, drop every other point and halve the rate."""
        self._spark.append(value)
        if len(self._spark) == MAX_SPARK_POINTS:
            self._spark = self._spark[1::2]
            self._passes_per_point *= 2
