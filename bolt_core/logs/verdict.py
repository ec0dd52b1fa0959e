"""The answer of an analysis: whether a process drifts, how fast, and on what evidence."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bolt_core.gp.protocol import Inference

Rows: TypeAlias = NDArray[np.intp]  # indices of rows of a log


class Drift(StrEnum):
    """Whether the effect of the knobs changes with time."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "cannot tell"


class Reason(StrEnum):
    """Why the answer is what it is."""

    EVIDENCE = "evidence"  # the model with time is better: yes
    STEADY = "steady"  # it is not, and l_T is longer than the log: no
    FEW_ROWS = "few rows"
    SHORT = "short"  # l_T may be shorter than the log
    CONFOUNDED = "confounded"  # knobs moved with time
    LEVEL = "level"  # a drifting level, or correlated noise, explains the log as well
    NO_STRUCTURE = "no structure"  # the outcome is noise for both models


@dataclass(frozen=True, slots=True)
class Interval:
    """The 95 % profile-likelihood interval of l_T in seconds; an end may be open."""

    low: float | None  # None: the log does not say how short l_T may be
    high: float | None  # None: it may be without end
    lowest: float = 0.0  # the shortest l_T that was looked at: an open low end is below it
    highest: float = math.inf  # the longest one, likewise

    def covers(self, l_T: float) -> bool:
        """Whether a lengthscale lies in the interval."""
        return (self.low or 0.0) <= l_T <= (math.inf if self.high is None else self.high)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the log says about drift.

    `inference` is that of the model with time (theta in standardised units, l_T in seconds from
    the first row), and `rows` are those it was fitted to. They are None and empty with too few
    rows.
    """

    drift: Drift
    reason: Reason
    lengthscale: float | None  # l_T, seconds; None with too few rows
    interval: Interval | None
    evidence: float  # 2 log likelihood ratio of the model with time against the one without
    threshold: float  # of the evidence
    bic: float  # BIC of the model without time minus that of the model with time
    level_evidence: float | None  # BIC of the model with time minus that of a drifting level
    spatial_kernel: str
    temporal_kernel: str
    inference: Inference | None
    rows: Rows = field(repr=False)  # indices of the rows that were used, rising
    total: int = 0  # rows of the log
    half_life: float | None = None  # seconds until the correlation in time is 1/2
    texts: tuple[str, ...] = ()  # the answer in sentences
    profile: tuple[tuple[float, float], ...] = ()  # (l_T, 2 log ratio to the best), rising l_T

    @property
    def thinned(self) -> bool:
        """Whether only a part of the rows was used."""
        return len(self.rows) < self.total

    def to_json(self) -> dict[str, Any]:
        """Return the verdict, JSON-ready; of the rows their number."""
        fitted = self.inference
        interval = self.interval
        return {
            "drift": str(self.drift),
            "reason": str(self.reason),
            "lengthscale_seconds": self.lengthscale,
            "interval_seconds": None if interval is None else [interval.low, interval.high],
            "half_life_seconds": self.half_life,
            "evidence": self.evidence,
            "threshold": self.threshold,
            "bic": self.bic,
            "level_evidence": self.level_evidence,
            "spatial_kernel": self.spatial_kernel,
            "temporal_kernel": self.temporal_kernel,
            "theta": None if fitted is None else asdict(fitted.theta),
            "rows_used": len(self.rows),
            "rows": self.total,
            "texts": list(self.texts),
        }
