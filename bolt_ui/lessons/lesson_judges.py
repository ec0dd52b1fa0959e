"""Judges: which option of a lesson came true, read from the records of its race.

One pure function per lesson takes a race that has ended and returns a verdict. It does not know
which answer the lesson expects, so a run can disagree with the lesson.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.analysis.held_regret import held_regret_if_quick
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.analysis.standings import paces
from bolt_core.common.text import counted, seconds, significant
from bolt_core.figures.inside.removals import removal_history
from bolt_core.figures.lessons import lesson_charts as figures
from bolt_core.runs.lane_names import label
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

MANY_MORE = 1.25  # ratio of query counts from which one is "by far" larger
SAME_SIZE = 1.1  # ratio up to which two values of n* count as equal
SAME_REGRET = 1.1  # ratio below which regrets count as about the same
CLEAR_CHANGE = 1.25  # ratio from which n* or a response time has changed
FAR_ABOVE = 1.35  # ratio of held regret to average regret
SAME_GAIN = 1.1  # ratio up to which two gains in queries count as equal


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
        f"In the same time BOLT made {len(bolt):,} queries and GPUCB {len(gpucb):,}. The response "
        f"time of BOLT was {_response_course(bolt)}; that of GPUCB was {_response_course(gpucb)}. "
        "Here, 'by far' means at least 25 % more."
    )
    option = _compared(len(gpucb), len(bolt), MANY_MORE)
    return Verdict(option, summary, figures.queries_over_time(race.runs))


def how_much_data(race: RaceSnapshot) -> Verdict:
    """Judge whose regret is lowest: TV-GPUCB (0), one that keeps less (1), about equal (2)."""
    outcomes = {key: RunOutcome(_run(race, key)) for key in ("tv-gpucb", "bolt", "sw-gpucb")}
    figure = figures.data_table(race.runs)
    regrets = [value for one in outcomes.values() if (value := one.average_regret) is not None]
    if len(regrets) < len(outcomes):
        return Verdict(None, "A run ended in its warm-up, so it has no average regret.", figure)
    lanes = [
        f"{label(key)} kept {_size(one.median_size or 0.0)} observations (median), responded in "
        f"{seconds(one.response_time)} and has an average regret of {significant(regret)}"
        for (key, one), regret in zip(outcomes.items(), regrets, strict=True)
    ]
    alike = max(regrets) < SAME_REGRET * min(regrets)
    option = 2 if alike else 0 if regrets[0] == min(regrets) else 1
    return Verdict(option, f"{'; '.join(lanes)}.", figure)


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
        f"In the second half of the run the median of n* was {_size(fast)} on the nominal device "
        f"and {_size(slow)} on the slower one."
    )
    return Verdict(_compared(fast, slow, SAME_SIZE), summary, figure)


def fast_engine(race: RaceSnapshot) -> Verdict:
    """Judge what a faster engine changes: only R falls (0), n* grows too (1), only n* grows (2)."""
    fast, usual = sorted(race.runs, key=lambda run: sum(run.config.clock.device))
    sizes = [_median_n_star(run) for run in (usual, fast)]
    responses = [_late_response(run) for run in (usual, fast)]
    figure = figures.n_star_over_time(race.runs)
    if not all(map(math.isfinite, (*sizes, *responses))):
        summary = "n* was not finite on both engines, so there are no two sizes to compare."
        return Verdict(None, summary, figure)
    summary = (
        f"In the second half of the run the median of n* was {_size(sizes[0])} on the usual engine "
        f"and {_size(sizes[1])} on the fast one; the median response time was {responses[0]:.2f} s "
        f"and {responses[1]:.2f} s. Here, a change counts from 25 % on."
    )
    grows = sizes[1] >= CLEAR_CHANGE * sizes[0]
    falls = responses[0] >= CLEAR_CHANGE * responses[1]
    option = {(False, True): 0, (True, True): 1, (True, False): 2}.get((grows, falls))
    return Verdict(option, summary, figure)


def held_regret(race: RaceSnapshot) -> Verdict:
    """Judge whose held regret is far above its average: neither's (0), ABO (1), BOLT (2), both."""
    bolt, abo = (_held_ratio(_run(race, key)) for key in ("bolt", "abo"))
    figure = figures.held_table(race.runs, [held_regret_if_quick(run) for run in race.runs])
    if bolt is None or abo is None:
        return Verdict(None, "A run ended in its warm-up, so it has no held regret.", figure)
    far = abo >= FAR_ABOVE, bolt >= FAR_ABOVE
    summary = (
        f"The held regret of ABO was {abo:.2f} times its average regret over queries, and that of "
        f"BOLT {bolt:.2f} times."
    )
    return Verdict(int(far[0]) + 2 * int(far[1]), summary, figure)


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


def what_removal_gains(race: RaceSnapshot) -> Verdict:
    """Judge where removing gives more queries: slower device (0), about the same (1), nominal."""
    by_speed = sorted(race.runs, key=lambda run: sum(run.config.clock.device))
    counts = [
        tuple(len(_of(runs, key)) for key in ("bolt", "bolt-keep"))
        for runs in (by_speed[:2], by_speed[2:])
    ]
    figure = figures.queries_over_time(race.runs)
    if not all(kept for _, kept in counts):
        return Verdict(None, "A run made no query, so there is nothing to compare.", figure)
    usual, slower = (of_bolt / of_keep for of_bolt, of_keep in counts)
    (bolt, keep), (slow_bolt, slow_keep) = counts
    summary = (
        f"On the nominal device BOLT made {bolt:,} queries, {usual:.2f} times the {keep:,} of the "
        f"variant that keeps all; on the slower one it made {slow_bolt:,}, {slower:.2f} times "
        f"{slow_keep:,}. Here, ratios within 10 % of each other count as the same."
    )
    return Verdict(_compared(slower, usual, SAME_GAIN), summary, figure)


def _compared(first: float, second: float, ratio: float) -> int:
    """Return 0 if the first is larger by the ratio, 2 if the second is, and 1 otherwise."""
    return 0 if first >= ratio * second else 2 if second >= ratio * first else 1


def _run(race: RaceSnapshot, algorithm: str) -> RunSnapshot:
    return _of(race.runs, algorithm)


def _of(runs: Sequence[RunSnapshot], algorithm: str) -> RunSnapshot:
    return next(run for run in runs if run.config.algorithm == algorithm)


def _median_n_star(run: RunSnapshot) -> float:
    """Return the median over the second half of the time; passes without n* count as infinite."""
    t, n_star = run.columns["t"], run.columns["n_star"]
    late = n_star[(run.columns["warmup"] == 0) & (2.0 * t >= t[-1])] if len(run) else n_star
    return float(np.median(np.where(np.isnan(late), np.inf, late))) if len(late) else math.inf


def _late_response(run: RunSnapshot) -> float:
    """Return the median response time over the second half of the time, in seconds."""
    t, responses = run.columns["t"], run.columns["seconds"]
    late = responses[(run.columns["warmup"] == 0) & (2.0 * t >= t[-1])] if len(run) else responses
    return float(np.median(late)) if len(late) else math.inf


def _held_ratio(run: RunSnapshot) -> float | None:
    """Return held regret over average regret; None where one of them is unknown."""
    held, average = held_regret_if_quick(run), RunOutcome(run).average_regret
    return None if held is None or not average else held / average


def _size(n: float) -> str:
    return "not finite" if math.isinf(n) else f"{n:,.0f}"


def _response_course(run: RunSnapshot) -> str:
    """Return the response time at first, at most and at the end, as the headline defines it."""
    course = paces(run)
    if not len(course):
        return "unknown"
    first, top, last = (seconds(float(value)) for value in (course[0], course.max(), course[-1]))
    return f"{first} after the warm-up, at most {top}, and {last} at the end"
