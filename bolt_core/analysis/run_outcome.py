"""What one run came to: the numbers that every screen, table, file and command shows of a run.

The Arena, the Scoreboard, the report, `bolt show`, `bolt compare` and the list of runs all take
these quantities from here, so that one label means one number everywhere:

    queries          queries made, with the warm-up
    end_time         end of the last pass, seconds on the run's own clock
    warmup_end       end of the last warm-up pass: held regret is averaged from there on
    stopped_asking   no query in the last tenth of the horizon: its average regret has no rank
    average_regret   mean instant regret over queries without the warm-up
    response_time    mean R(n) over full passes, that is, passes after the warm-up, seconds
    final_size       observations in the dataset after the last pass
    median_size      median of that size over full passes
    final_n_star     n* of the last pass; None: no limit, or an algorithm without n*
    median_n_star    median n* over full passes; a pass without limit counts as the highest
    corner_share     share of queries at corners, and of passes with l_S > sqrt(d):
    no_structure_share  see analysis/spatial_traps

`store/run_summary` counts the same quantities pass by pass while a record is written.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bolt_core.analysis import regret, spatial_traps
from bolt_core.analysis.measured_passes import measured_passes
from bolt_core.common.types import RunStatus
from bolt_core.runs.snapshot import RunSnapshot

LAST_SHARE = 0.1  # of the horizon: a run without a query in it has stopped asking

STOPPED_ASKING = "stopped asking"
NO_LATE_QUERY = "no query in the last tenth of the horizon"


def ends_early(last_query: float, horizon: float) -> bool:
    """Whether the last query of a run lies before the last tenth of its horizon."""
    return last_query < (1.0 - LAST_SHARE) * horizon


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of one run so far. Each property is computed when it is read."""

    run: RunSnapshot

    @property
    def queries(self) -> int:
        """Queries made, with the warm-up."""
        return len(self.run)

    @property
    def end_time(self) -> float | None:
        """The end of the last pass in seconds; None before the first query."""
        return float(self.run.columns.ends()[-1]) if len(self.run) else None

    @property
    def time_reached(self) -> float | None:
        """The time on the run's clock: the horizon once it has finished, `end_time` until then."""
        horizon = (self.run.header or {}).get("horizon")
        if self.run.status == RunStatus.FINISHED and horizon is not None and len(self.run):
            return float(horizon)
        return self.end_time

    @property
    def warmup_end(self) -> float:
        """The end of the last warm-up pass so far in seconds; 0 before the first."""
        warmup = int(np.sum(self.run.columns["warmup"]))
        return float(self.run.columns.ends()[warmup - 1]) if warmup else 0.0

    @property
    def stopped_asking(self) -> bool:
        """Whether the run is over and made no query in the last tenth of its horizon."""
        horizon = (self.run.header or {}).get("horizon")
        if self.run.status != RunStatus.FINISHED or horizon is None or not len(self.run):
            return False
        if self.run.moment is not None and ends_early(self.run.moment, float(horizon)):
            return False  # a replay has not come to its last tenth
        return ends_early(float(self.run.columns["t"].max()), float(horizon))

    @property
    def averages(self) -> regret.Averages:
        """The four averages of regret."""
        return regret.averages(self.run.columns)

    @property
    def average_regret(self) -> float | None:
        """The headline number: `averages.over_queries`."""
        return regret.average_over_queries(self.run.columns)

    @property
    def cumulative_regret(self) -> float | None:
        """The sum of instant regret over queries without the warm-up; None without an optimum."""
        total = float(regret.instant(self.run.columns).sum())
        return None if math.isnan(total) else total

    @property
    def response_time(self) -> float | None:
        """Mean R(n) over full passes in seconds; None before the first."""
        seconds = self.run.columns["seconds"][measured_passes(self.run)]
        return float(seconds.mean()) if len(seconds) else None

    @property
    def final_size(self) -> int | None:
        """Dataset size after the last pass; None before the first query."""
        return int(self.run.sizes()[-1]) if len(self.run) else None

    @property
    def median_size(self) -> float | None:
        """Median dataset size over full passes; None before the first."""
        sizes = self.run.sizes()[self._full_passes]
        return float(np.median(sizes)) if len(sizes) else None

    @property
    def final_n_star(self) -> int | None:
        """n* of the last pass; None where that pass had no limit."""
        n_star = self.run.columns["n_star"]
        return int(n_star[-1]) if len(n_star) and np.isfinite(n_star[-1]) else None

    @property
    def median_n_star(self) -> float | None:
        """Median n* over full passes, no limit being the highest; None if that is the median."""
        n_star = self.run.columns["n_star"][self._full_passes]
        if not len(n_star):
            return None
        median = float(np.median(np.where(np.isfinite(n_star), n_star, np.inf)))
        return median if math.isfinite(median) else None

    @property
    def corner_share(self) -> float | None:
        """The share of queries at corners, without the warm-up; None before the first."""
        return spatial_traps.corner_share(self.run.columns)

    @property
    def no_structure_share(self) -> float | None:
        """The share of full passes whose l_S exceeds sqrt(d); None without a surrogate."""
        return spatial_traps.no_structure_share(self.run.columns)

    @property
    def _full_passes(self) -> NDArray[np.bool_]:
        full: NDArray[np.bool_] = self.run.columns["warmup"] == 0
        return full


def failure(run: RunSnapshot) -> str | None:
    """Return when and why a run failed, as text; None for a run that did not fail."""
    if run.status != RunStatus.FAILED:
        return None
    when = f"at {run.columns['t'][-1]:.1f} s" if len(run) else "before its first query"
    return f"{when}: {(run.error or 'no reason was recorded').partition(chr(10))[0]}"
