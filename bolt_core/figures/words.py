"""What the charts say, in words: the headline, the leaderboard's rows, the alternative texts.

All numbers come from the same columns as the curves, with three significant digits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bolt_core import regret
from bolt_core.figures.lanes import ENOUGH, Lane, lanes, sizes
from bolt_core.snapshot import RunSnapshot
from bolt_core.types import RunStatus


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the leaderboard: means over the seeds of an algorithm."""

    key: str
    label: str
    regret: float | None  # average over queries, without the warm-up
    error: float | None  # standard error over seeds
    size: float  # |D| now
    response: float | None  # mean R(n) of full passes, seconds
    queries: float
    seeds: int
    failed: bool  # every one of its runs


def standings(snapshots: Sequence[RunSnapshot]) -> list[Standing]:
    """Lowest average regret first; then who has none yet; then who failed."""
    rows = [_standing(lane) for lane in lanes(snapshots)]
    return sorted(rows, key=lambda row: (row.failed, _or_infinite(row.regret)))


def headline(snapshots: Sequence[RunSnapshot]) -> str | None:
    """What a race shows so far, in one or two sentences; None before there is anything to say."""
    rows = [row for row in standings(snapshots) if row.regret is not None]
    rows = [row for row in rows if not row.failed] or rows[:1]
    if not rows:
        return None
    best, worst, t = rows[0], rows[-1], reached(snapshots)
    if len(rows) == 1:
        return (
            f"After {t:.0f} s {best.label} {_keeps(best)}, answers every {seconds(best.response)} "
            f"and has lost {significant(best.regret)} on average to the moving optimum."
        )
    return (
        f"After {t:.0f} s {best.label} has the lowest average regret, {significant(best.regret)}: "
        f"it {_keeps(best)} and answers every {seconds(best.response)}. "
        f"{worst.label} is at {significant(worst.regret)}, {_keeps(worst)} "
        f"and needs {seconds(worst.response)}."
    )


def regret_in_words(snapshots: Sequence[RunSnapshot]) -> str:
    rows = [row for row in standings(snapshots) if row.regret is not None]
    if not rows:
        return "Average regret: no query after the warm-up yet."
    told = [f"{row.label} {significant(row.regret)}{' (failed)' * row.failed}" for row in rows]
    after = f"on average after {reached(snapshots):.0f} s"
    return f"Average regret, lower is better: {told[0]} {after}{_then(told)}."


def sizes_in_words(snapshots: Sequence[RunSnapshot]) -> str:
    rows = standings(snapshots)
    told = [f"{row.label} keeps {row.size:,.0f} of {row.queries:,.0f}" for row in rows]
    return f"Dataset size after {reached(snapshots):.0f} s: {'; '.join(told)}."


def reached(snapshots: Sequence[RunSnapshot]) -> float:
    """How far the slowest run has come; a failed one holds nobody back."""
    going = [run for run in snapshots if len(run) and run.status != RunStatus.FAILED]
    ends = [_end(run) for run in going or snapshots if len(run)]
    return min(ends, default=0.0)


def significant(value: float | None) -> str:
    """Three digits that matter; whole numbers stay whole."""
    if value is None or not math.isfinite(value):
        return "unknown"
    places = 2 - math.floor(math.log10(abs(value))) if value else 0
    return f"{value:,.{max(places, 0)}f}".replace("-", "\N{MINUS SIGN}")


def seconds(value: float | None) -> str:
    return f"{significant(value)} s"


def _standing(lane: Lane) -> Standing:
    runs = [run for run in lane.runs if run.status != RunStatus.FAILED] or list(lane.runs)
    lost = [regret.instant(run.columns) for run in runs]
    known = [float(r.mean()) for r in lost if len(r)]
    passes = [run.columns["seconds"][run.columns["warmup"] == 0] for run in runs]
    thought = np.concatenate(passes)
    many = len(known) >= ENOUGH
    return Standing(
        key=lane.key,
        label=lane.label,
        regret=float(np.mean(known)) if known else None,
        error=float(np.std(known, ddof=1) / len(known) ** 0.5) if many else None,
        size=float(np.mean([_size(run) for run in runs])),
        response=float(thought.mean()) if len(thought) else None,
        queries=float(np.mean([len(run) for run in runs])),
        seeds=len(runs),
        failed=all(run.status == RunStatus.FAILED for run in runs),
    )


def _or_infinite(value: float | None) -> float:
    return math.inf if value is None else value


def _size(run: RunSnapshot) -> float:
    return float(sizes(run)[-1]) if len(run) else 0.0


def _keeps(row: Standing) -> str:
    if row.size == row.queries:
        return f"keeps all {row.size:,.0f} observations"
    return f"keeps {row.size:,.0f} of {row.queries:,.0f} observations"


def _end(run: RunSnapshot) -> float:
    """Where its clock stands; who has finished is at the horizon, however early it last looked."""
    horizon = (run.header or {}).get("horizon")
    if run.status == RunStatus.FINISHED and horizon is not None:
        return float(horizon)
    return float(run.columns.ends()[-1])


def _then(told: list[str]) -> str:
    return f", then {', '.join(told[1:])}" if len(told) > 1 else ""
