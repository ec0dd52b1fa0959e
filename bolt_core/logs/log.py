"""A log that was read: what stands in which column, and the rows as numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from bolt_core.common.types import Array
from bolt_core.online.caller_time import Time
from bolt_core.online.knob_space import KnobSpace, Setting
from bolt_core.online.problem_spec import ProblemSpec


@dataclass(frozen=True, slots=True)
class Roles:
    """Which column is the time, which are knobs, which is the outcome; by their full headings.

    `time` is None if rows are numbered, `period` seconds apart. With a time column, `period` is
    the number of seconds that its unit stands for; None: the column says it itself.
    """

    time: str | None
    knobs: tuple[str, ...]
    outcome: str
    period: float | None = None  # seconds
    maximize: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return the roles, JSON-ready."""
        return {
            "time": self.time,
            "knobs": list(self.knobs),
            "outcome": self.outcome,
            "period": self.period,
            "maximize": self.maximize,
        }


@dataclass(frozen=True, slots=True)
class Log:
    """Rows (t, x, y) in time order, and the problem that they are about."""

    name: str  # of the file
    sha256: str  # of the bytes of the file
    times: Array  # (n,), seconds from the first row, rising
    origin: datetime | None  # the time of the first row; None if the file has no dates
    spec: ProblemSpec
    X: Array  # (n, d), unit coordinates
    y: Array  # (n,), in the user's unit
    roles: Roles
    reasons: tuple[str, ...] = ()  # sentences: why each column was given its role
    notes: tuple[str, ...] = ()  # sentences with line numbers: dropped, merged or assumed
    lines: tuple[int, ...] = field(default=(), repr=False)  # of the file, of each row

    def __len__(self) -> int:
        return len(self.y)

    @property
    def span(self) -> float:
        """Seconds from the first row to the last."""
        return float(self.times[-1] - self.times[0]) if len(self) else 0.0

    @property
    def spacing(self) -> float:
        """The median of the seconds between rows at different times; 0 if there are none."""
        gaps = np.diff(self.times)
        gaps = gaps[gaps > 0]
        return float(np.median(gaps)) if len(gaps) else 0.0

    def newest(self, count: int) -> Log:
        """Return the log of the newest rows; times are still counted from the first row of all."""
        first = max(len(self) - count, 0)
        return replace(
            self,
            times=self.times[first:],
            X=self.X[first:],
            y=self.y[first:],
            lines=self.lines[first:],
        )

    def settings(self) -> list[Setting]:
        """Return the setting of each row, in the user's units."""
        space = KnobSpace(self.spec.knobs)
        return [space.from_unit(x) for x in self.X]

    def observations(self) -> tuple[list[Setting], list[Time], list[float]]:
        """Return settings, times and outcomes for `tell_all` of an optimizer of `spec`."""
        times: list[Time] = [self.caller_time(t) for t in self.times.tolist()]
        return self.settings(), times, self.y.tolist()

    def caller_time(self, seconds: float) -> float | datetime:
        """Return a time in seconds as a datetime, if the file has dates."""
        return seconds if self.origin is None else self.origin + timedelta(seconds=seconds)
