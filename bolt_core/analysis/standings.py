"""Who stands where: one row a lane, means over its seeds. The screen and the command line share it.

A seed that failed does not count while another is sound. A standard error needs three seeds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core.analysis import regret
from bolt_core.analysis.lanes import ENOUGH, Lane, lanes
from bolt_core.common.memoize_last import memoize_last
from bolt_core.common.types import Array, RunStatus
from bolt_core.runs.snapshot import RunSnapshot

LATELY = 15  # full passes whose median says how fast a run answers now


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the leaderboard: means over the seeds of a lane."""

    key: str  # of the algorithm
    label: str  # of the lane
    nth: int  # among the lanes of its algorithm: 0 is the first
    regret: float | None  # average over queries, without the warm-up
    error: float | None  # its standard error over seeds
    size: float  # |D| now
    n_star: float | None  # now, where the algorithm has one
    response: float | None  # mean R(n) of full passes, seconds
    response_error: float | None
    pace: float | None  # median of the last full passes, seconds, without waits of its own choice
    queries: float
    t: float | None  # seconds: how far its slowest run has come
    seeds: int
    broken: int  # runs that failed
    failed: bool  # every one of its runs
    failure: str | None  # when and why the first one that failed did


@memoize_last
def standings(snapshots: Sequence[RunSnapshot]) -> list[Standing]:
    """Lowest average regret first; then who has none yet; then who failed."""
    rows = [_standing(lane) for lane in lanes(snapshots)]
    return sorted(
        rows, key=lambda row: (row.failed, math.inf if row.regret is None else row.regret)
    )


def mean_response(run: RunSnapshot) -> float | None:
    """Mean R(n) over the full passes, seconds; None before the first."""
    full = _full(run)
    return float(full.mean()) if len(full) else None


def failure(run: RunSnapshot) -> str | None:
    """When and why a run failed, in words; None for a sound one."""
    if run.status != RunStatus.FAILED:
        return None
    when = f"at {run.columns['t'][-1]:.1f} s" if len(run) else "before its first query"
    return f"{when}: {(run.error or 'no reason was kept').partition(chr(10))[0]}"


def _standing(lane: Lane) -> Standing:
    runs = [run for run in lane.runs if run.status != RunStatus.FAILED] or list(lane.runs)
    lost, response = _each(runs, _average_regret), _each(runs, mean_response)
    long = [run for run in runs if len(run)]
    broken = [told for run in lane.runs if (told := failure(run))]
    return Standing(
        key=lane.key,
        label=lane.label,
        nth=lane.nth,
        regret=_mean(lost),
        error=_error(lost),
        size=_mean([_size(run) for run in long]) or 0.0,
        n_star=_mean(_each(long, _n_star)),
        response=_mean(response),
        response_error=_error(response),
        pace=_mean(_each(runs, _pace)),
        queries=_mean([float(len(run)) for run in runs]) or 0.0,
        t=min((end(run) for run in long), default=None),
        seeds=len(runs),
        broken=len(broken),
        failed=lane.failed,
        failure=broken[0] if broken else None,
    )


def end(run: RunSnapshot) -> float:
    """When its last pass was over."""
    t, waited, took = (float(run.columns[name][-1]) for name in ("t", "waited", "seconds"))
    return max(t - waited + took, t)


def _average_regret(run: RunSnapshot) -> float | None:
    lost = float(regret.instant(run.columns).mean()) if _warm(run) < len(run) else math.nan
    return None if math.isnan(lost) else lost


def _pace(run: RunSnapshot) -> float | None:
    rows = slice(max(_warm(run), len(run) - LATELY), None)
    lately = run.columns["seconds"][rows] - run.columns["waited"][rows]
    return float(np.median(lately)) if len(lately) else None


def _size(run: RunSnapshot) -> float:
    return float(run.columns["n"][-1]) + 1.0 - len(run.columns.removed[len(run) - 1])


def _n_star(run: RunSnapshot) -> float | None:
    last = float(run.columns["n_star"][-1])
    return None if math.isnan(last) else last


def _full(run: RunSnapshot) -> Array:
    full: Array = run.columns["seconds"][_warm(run) :]
    return full


def _warm(run: RunSnapshot) -> int:
    """Warm-up queries; they come first."""
    return int(np.sum(run.columns["warmup"]))


def _each(runs: Sequence[RunSnapshot], what: Callable[[RunSnapshot], float | None]) -> list[float]:
    return [value for run in runs if (value := what(run)) is not None]


def _mean(values: Sequence[float]) -> float | None:
    return float(np.mean(values)) if values else None


def _error(values: Sequence[float]) -> float | None:
    if len(values) < ENOUGH:
        return None
    return float(np.std(values, ddof=1) / len(values) ** 0.5)
