"""Which option of a lesson came true, read from the records of the run that settles it.

One pure function a lesson: a race that has ended in, a verdict out. It knows nothing of what the
lesson expects, so a run that disagrees is free to say so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.figures.inside.removals import removal_history
from bolt_core.figures.lessons import lesson_charts as figures
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

FAR = 1.25  # times as many queries: "by far"
NEAR = 1.1  # two sizes n* within it are the same
END = 1.05  # of two curves, one that reaches no further than this ends where the other does


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the run says: an option, in words, and a figure."""

    option: int | None  # which came true; None: the run does not say
    said: str
    figure: dict[str, Any]


Judge = Callable[[RaceSnapshot], Verdict]


def metronome(race: RaceSnapshot) -> Verdict:
    """Who made more queries: GPUCB (0), about the same (1), BOLT by far (2)."""
    bolt, gpucb = len(_of(race, "bolt")), len(_of(race, "gpucb"))
    option = 2 if bolt >= FAR * gpucb else 0 if gpucb >= FAR * bolt else 1
    last = [_seconds(_of(race, key)) for key in ("bolt", "gpucb")]
    said = (
        f"In the same time BOLT made {bolt:,} queries and GPUCB {gpucb:,}. At the end an answer "
        f"took BOLT {last[0]} and GPUCB {last[1]}. 'By far' begins at a quarter more."
    )
    return Verdict(option, said, figures.queries_over_time(race.runs))


def per_second(race: RaceSnapshot) -> Verdict:
    """On which axis BOLT's curve reaches further: iterations (0), seconds (1), neither (2)."""
    bolt, other = _of(race, "bolt"), _of(race, "tv-gpucb")
    times = [float(run.columns.ends()[-1]) if len(run) else 0.0 for run in (bolt, other)]
    iterations, seconds = len(bolt) > END * len(other), times[0] > END * times[1]
    option = {(True, False): 0, (False, True): 1, (False, False): 2}.get((iterations, seconds))
    said = (
        f"BOLT ends at iteration {len(bolt):,} and {times[0]:.0f} s, TV-GPUCB at iteration "
        f"{len(other):,} and {times[1]:.0f} s."
    )
    return Verdict(option, said, figures.reach_table(race.runs))


def slower_device(race: RaceSnapshot) -> Verdict:
    """What n* does on the slower device: falls (0), stays (1), grows (2)."""
    quick, slow = sorted(race.runs, key=lambda run: sum(run.config.clock.device))
    usual, there = _usual_n_star(quick), _usual_n_star(slow)
    if math.inf in (usual, there) and usual == there:
        said = "Neither device found a limit, so there are no two sizes to compare."
        return Verdict(None, said, figures.n_star_over_time(race.runs))
    option = 0 if usual > NEAR * there else 2 if there > NEAR * usual else 1
    said = (
        f"In the second half of the run n* was {_size(usual)} on the usual device (median) and "
        f"{_size(there)} on the slower one."
    )
    return Verdict(option, said, figures.n_star_over_time(race.runs))


def stale_not_old(race: RaceSnapshot) -> Verdict:
    """How many of BOLT's removals were the oldest: all (0), most (1), at most half (2)."""
    found = removal_history(_of(race, "bolt"))
    gone = len(found.removals)
    oldest = gone - found.younger
    if not gone:
        return Verdict(None, "BOLT removed nothing in this run.", figures.removal_table(race.runs))
    option = 0 if oldest == gone else 1 if 2 * oldest > gone else 2
    said = f"Of {gone:,} observations that BOLT removed, {oldest or 'none'} were the oldest it had."
    return Verdict(option, said, figures.removal_table(race.runs))


def _of(race: RaceSnapshot, algorithm: str) -> RunSnapshot:
    return next(run for run in race.runs if run.config.algorithm == algorithm)


def _usual_n_star(run: RunSnapshot) -> float:
    """The median over the second half of the time; a pass without a limit counts as infinite."""
    t, n_star = run.columns["t"], run.columns["n_star"]
    late = n_star[(run.columns["warmup"] == 0) & (2.0 * t >= t[-1])] if len(run) else n_star
    return float(np.median(np.where(np.isnan(late), np.inf, late))) if len(late) else math.inf


def _size(n: float) -> str:
    return "without limit" if math.isinf(n) else f"{n:,.0f}"


def _seconds(run: RunSnapshot) -> str:
    return f"{run.columns['seconds'][-1]:.2f} s" if len(run) else "no time at all"
