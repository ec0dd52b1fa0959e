"""Judges: which option of a lesson came true, read from the records of its race.

One pure function per lesson takes a race that has ended and returns a verdict. It does not know
which answer the lesson expects, so a run can disagree with the lesson.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.common.text import counted
from bolt_core.figures.inside.removals import removal_history
from bolt_core.figures.lessons import lesson_charts as figures
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

MANY_MORE = 1.25  # ratio of query counts from which one is "by far" larger
SAME_SIZE = 1.1  # ratio up to which two values of n* count as equal
SAME_END = 1.05  # ratio up to which two curves end together


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a race shows: an option, a summary in words and a figure."""

    option: int | None  # index of the option that came true; None: the race does not decide
    summary: str
    figure: dict[str, Any]


Judge = Callable[[RaceSnapshot], Verdict]


def metronome(race: RaceSnapshot) -> Verdict:
    """Judge which algorithm made more queries: GPUCB (0), about equal (1), BOLT by far (2)."""
    bolt, gpucb = _run(race, "bolt"), _run(race, "gpucb")
    summary = (
        f"In the same time BOLT made {len(bolt):,} queries and GPUCB {len(gpucb):,}. The last "
        f"response time of BOLT was {_last_response(bolt)}, that of GPUCB {_last_response(gpucb)}. "
        "Here, 'by far' means at least 25 % more."
    )
    option = _compared(len(gpucb), len(bolt), MANY_MORE)
    return Verdict(option, summary, figures.queries_over_time(race.runs))


def per_second(race: RaceSnapshot) -> Verdict:
    """Judge on which axis BOLT's curve is longer: iterations (0), seconds (1), neither (2)."""
    bolt, other = _run(race, "bolt"), _run(race, "tv-gpucb")
    ends = [float(run.columns.ends()[-1]) if len(run) else 0.0 for run in (bolt, other)]
    longer = len(bolt) > SAME_END * len(other), ends[0] > SAME_END * ends[1]
    option = {(True, False): 0, (False, True): 1, (False, False): 2}.get(longer)
    summary = (
        f"BOLT ends at iteration {len(bolt):,} and {ends[0]:.0f} s, TV-GPUCB at iteration "
        f"{len(other):,} and {ends[1]:.0f} s."
    )
    return Verdict(option, summary, figures.reach_table(race.runs))


def slower_device(race: RaceSnapshot) -> Verdict:
    """Judge what n* does on the slower device: it falls (0), stays (1) or grows (2)."""
    fast, slow = (
        _median_n_star(run)
        for run in sorted(race.runs, key=lambda run: sum(run.config.clock.device))
    )
    figure = figures.n_star_over_time(race.runs)
    if math.isinf(fast) and math.isinf(slow):
        summary = "n* was not finite on either device, so there are no two sizes to compare."
        return Verdict(None, summary, figure)
    summary = (
        f"In the second half of the run the median of n* was {_size(fast)} on the usual device and "
        f"{_size(slow)} on the slower one."
    )
    return Verdict(_compared(fast, slow, SAME_SIZE), summary, figure)


def stale_not_old(race: RaceSnapshot) -> Verdict:
    """Judge how many of BOLT's removals were the oldest: all (0), most (1), at most half (2)."""
    history, figure = removal_history(_run(race, "bolt")), figures.removal_table(race.runs)
    removed = len(history.removals)
    oldest = removed - history.younger
    if not removed:
        return Verdict(None, "BOLT removed nothing in this run.", figure)
    option = 0 if oldest == removed else 1 if 2 * oldest > removed else 2
    summary = f"BOLT removed {counted(removed, 'observation')}; {oldest:,} of them the oldest."
    return Verdict(option, summary, figure)


def _compared(first: float, second: float, ratio: float) -> int:
    """Return 0 if the first is larger by the ratio, 2 if the second is, and 1 otherwise."""
    return 0 if first >= ratio * second else 2 if second >= ratio * first else 1


def _run(race: RaceSnapshot, algorithm: str) -> RunSnapshot:
    return next(run for run in race.runs if run.config.algorithm == algorithm)


def _median_n_star(run: RunSnapshot) -> float:
    """Return the median over the second half of the time; passes without n* count as infinite."""
    t, n_star = run.columns["t"], run.columns["n_star"]
    late = n_star[(run.columns["warmup"] == 0) & (2.0 * t >= t[-1])] if len(run) else n_star
    return float(np.median(np.where(np.isnan(late), np.inf, late))) if len(late) else math.inf


def _size(n: float) -> str:
    return "not finite" if math.isinf(n) else f"{n:,.0f}"


def _last_response(run: RunSnapshot) -> str:
    return f"{run.columns['seconds'][-1]:.2f} s" if len(run) else "unknown"
