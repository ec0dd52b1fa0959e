"""What a list of runs shows of each one, counted as it goes.

A record carries it in its state lines and in its closing line, so that a list of thousands reads
the ends of files and never a whole one. `spark` is the running average regret in at most 32
points: when it is full, every other one goes and the pace halves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from bolt_core.common.types import IterationRecord

SPARK = 32  # points of the small curve


@dataclass(slots=True)
class RunSummary:
    """One run, summed up."""

    iterations: int = 0
    t: float = 0.0  # when its last pass was over, seconds on its own clock
    n: int = 0  # |D| now
    n_star: int | None = None
    _lost: float = 0.0
    _thought: float = 0.0
    _queries: int = 0  # after the warm-up
    _every: int = 1
    _spark: list[float] = field(default_factory=list)

    def add(self, record: IterationRecord) -> None:
        self.iterations += 1
        began = record.observation.t - record.waited
        self.t = max(began + record.seconds, record.observation.t)
        self.n = record.n + 1 - len(record.removed)
        self.n_star = record.n_star if record.n_star is not None else self.n_star
        if record.warmup:
            return
        self._queries += 1
        self._lost += record.regret
        self._thought += record.seconds
        if math.isfinite(self._lost) and self._queries % self._every == 0:
            self._draw(self._lost / self._queries)

    def summary(self) -> dict[str, Any]:
        """JSON-ready; `regret` is the headline number, None where nobody knows the optimum."""
        average = self._lost / self._queries if self._queries else math.nan
        return {
            "iterations": self.iterations,
            "t": self.t,
            "n": self.n,
            "n_star": self.n_star,
            "regret": average if math.isfinite(average) else None,
            "response": self._thought / self._queries if self._queries else None,
            "spark": [float(f"{value:.4g}") for value in self._spark],
        }

    def _draw(self, value: float) -> None:
        self._spark.append(value)
        if len(self._spark) == SPARK:
            self._spark = self._spark[1::2]
            self._every *= 2
