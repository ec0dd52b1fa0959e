"""The standing of each lane: means over its seeds, for the leaderboard and `bolt compare`.

A seed that failed does not count while another is sound. Baselines stand in the order of their
regret, without a rank, unless there are only baselines.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bolt_core.algorithms import is_baseline
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.analysis.measured_passes import measured_passes
from bolt_core.analysis.response_times import waits
from bolt_core.analysis.run_outcome import RunOutcome, failure
from bolt_core.analysis.seed_statistics import competition_ranks, standard_error
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot

PACE_PASSES = 15  # full passes whose median is the present pace of a run


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard: means over the seeds of a lane."""

    key: str  # of the algorithm
    label: str  # of the lane
    nth: int  # among the lanes of its algorithm: 0 is the first
    average_regret: float | None  # over queries, without the warm-up
    regret_error: float | None  # its standard error over seeds
    final_size: float  # observations in the dataset now
    final_n_star: float | None  # n* now, over the seeds that have one
    response_time: float | None  # mean R(n) of full passes, seconds
    response_time_error: float | None  # its standard error over seeds
    pace: float | None  # median of the last full passes, seconds, without deliberate waits
    waits: bool  # it chooses when to query, and waits between queries
    queries: float
    end_time: float | None  # seconds: the earliest end among its runs
    seeds: int
    failed_runs: int
    stopped_runs: int  # finished runs without a query in the last tenth of the horizon
    failed: bool  # all of its runs failed
    failure: str | None  # when and why its first failed run did
    beside: bool = False  # a baseline beside other algorithms: it has no rank

    @property
    def ranked(self) -> bool:
        """Whether the lane has an average regret that is ranked."""
        comparable = not self.failed and not self.stopped_runs and not self.beside
        return self.average_regret is not None and comparable


@memoize_last
def standings(snapshots: Sequence[RunSnapshot]) -> list[Standing]:
    """Return one row per lane, lowest average regret first.

    Lanes that stopped asking come after those that are ranked, then lanes without an average
    regret, then failed ones.
    """
    rows = sorted(map(_standing, lanes(snapshots)), key=_order)
    if all(is_baseline(row.key) for row in rows):
        return rows
    return [replace(row, beside=is_baseline(row.key)) for row in rows]


def ranks(rows: Sequence[Standing]) -> list[int | None]:
    """Return the rank of each row by average regret; rows that read the same share it.

    None: the lane is a baseline beside other algorithms, failed, stopped asking, or has no average
    regret yet.
    """
    regrets = {row.label: row.average_regret or 0.0 for row in rows if row.ranked}
    by_label = dict(zip(regrets, competition_ranks(list(regrets.values())), strict=True))
    return [by_label.get(row.label) for row in rows]


def _standing(lane: Lane) -> Standing:
    runs = lane.counted_runs
    outcomes = [RunOutcome(run) for run in runs]

    def values(quantity: Callable[[RunOutcome], float | None]) -> list[float]:
        return [value for outcome in outcomes if (value := quantity(outcome)) is not None]

    regrets = values(lambda outcome: outcome.average_regret)
    response_times = values(lambda outcome: outcome.response_time)
    failures = [text for run in lane.runs if (text := failure(run))]
    return Standing(
        key=lane.key,
        label=lane.label,
        nth=lane.nth,
        average_regret=_mean(regrets),
        regret_error=standard_error(regrets),
        final_size=_mean(values(lambda outcome: outcome.final_size)) or 0.0,
        final_n_star=_mean(values(lambda outcome: outcome.final_n_star)),
        response_time=_mean(response_times),
        response_time_error=standard_error(response_times),
        pace=_mean([pace for run in runs if (pace := _pace(run)) is not None]),
        waits=any(map(waits, runs)),
        queries=_mean(values(lambda outcome: outcome.queries)) or 0.0,
        end_time=min(values(lambda outcome: outcome.end_time), default=None),
        seeds=len(runs),
        failed_runs=len(failures),
        stopped_runs=sum(outcome.stopped_asking for outcome in outcomes),
        failed=lane.failed,
        failure=failures[0] if failures else None,
    )


def _order(row: Standing) -> tuple[bool, bool, bool, float]:
    unknown = row.average_regret is None
    return row.failed, unknown, bool(row.stopped_runs), row.average_regret or 0.0


def paces(run: RunSnapshot) -> Array:
    """Return the pace of a run as it changed: one median per PACE_PASSES consecutive passes."""
    computing = _computing_seconds(run)
    if not len(computing):
        return computing
    windows = sliding_window_view(computing, min(PACE_PASSES, len(computing)))
    return np.asarray(np.median(windows, axis=-1))


def _pace(run: RunSnapshot) -> float | None:
    computing = _computing_seconds(run)
    return float(np.median(computing[-PACE_PASSES:])) if len(computing) else None


def _computing_seconds(run: RunSnapshot) -> Array:
    return (run.columns["seconds"] - run.columns["waited"])[measured_passes(run)]


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None
