"""The state of a race in sentences: the headline, and the alternative texts of charts.

All numbers come from the same columns as the curves and have three significant digits.
"""

from collections.abc import Iterable, Sequence

from bolt_core.analysis.lanes import lanes
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.analysis.speed_changes import speed_sentence
from bolt_core.analysis.standings import PACE_PASSES, Standing, ranks, standings
from bolt_core.common.text import (
    LONG_RESPONSE,
    in_natural_unit,
    listed,
    race_time,
    seconds,
    seed_counts,
    significant,
)
from bolt_core.common.types import RunStatus
from bolt_core.runs.snapshot import RunSnapshot

CLEARLY_SLOWER = 1.25  # ratio of two response times from which on they are called different


def headline(snapshots: Sequence[RunSnapshot]) -> str | None:
    """Return the state of the race in two or three sentences; None before there is a regret."""
    rows = standings(snapshots)
    ranked = [row for row in rows if row.ranked] or [
        row for row in rows if row.average_regret is not None and not row.failed
    ]
    failed = [row for row in rows if row.failed]
    if not ranked:
        some_regret = any(row.average_regret is not None for row in failed)
        all_failed = some_regret and len(failed) == len(rows)
        sentences = (f"{row.label} failed {row.failure}".rstrip(".") + "." for row in failed)
        return " ".join(sentences) if all_failed else None
    after = f"After {race_time(reached(snapshots))}"
    first = ranked[0]
    text = f"{first.label} has an average regret of {_regret(first)}. {_state(first)}"
    if len(ranked) > 1:
        baselines = [row for row in rows if row.beside and row not in ranked and not row.failed]
        contrast = _contrast([*ranked, *baselines], snapshots)
        text = f"{_leader(ranked, baselines, snapshots)} {contrast}".rstrip()
    failures = f" {listed([row.label for row in failed])} failed." if failed else ""
    changed = speed_sentence(snapshots)
    return f"{after} {text}{failures} {changed}".rstrip()


def regret_ranking(snapshots: Sequence[RunSnapshot]) -> str:
    """Return the average regret of each lane, lowest first."""
    rows = [
        (row.label, row.average_regret, row.failed)
        for row in standings(snapshots)
        if row.average_regret is not None
    ]
    return ranking("Average regret", rows, reached(snapshots))


def ranking(title: str, rows: Iterable[tuple[str, float, bool]], t: float) -> str:
    """Return a sentence with the (label, value, failed) of each lane at time t, in that order."""
    values = [
        f"{label} {significant(value)}{' (failed)' if failed else ''}"
        for label, value, failed in rows
    ]
    if not values:
        return f"{title}: no query after the warm-up yet."
    return f"{title} after {race_time(t)}, lowest first: {', '.join(values)}."


def dataset_sizes(snapshots: Sequence[RunSnapshot]) -> str:
    """Return how many observations each lane keeps, in a sentence."""
    kept = [f"{row.label} keeps {_kept(row)}" for row in standings(snapshots)]
    return f"Dataset size after {race_time(reached(snapshots))}: {'; '.join(kept)}."


def reached(snapshots: Sequence[RunSnapshot]) -> float:
    """Return the moment in seconds that is shown.

    Without one, it is the time that the slowest run has reached; failed runs do not count.
    """
    moments = [run.moment for run in snapshots if run.moment is not None]
    if moments:
        return min(moments)
    started = [run for run in snapshots if len(run)]
    going = [run for run in started if run.status != RunStatus.FAILED]
    return min((RunOutcome(run).time_reached or 0.0 for run in going or started), default=0.0)


def _leader(
    rows: Sequence[Standing], baselines: Sequence[Standing], snapshots: Sequence[RunSnapshot]
) -> str:
    """Name the lowest regret as it is printed: lanes that print the same share it.

    A baseline has no rank; one with a lower regret is named too.
    """
    first = [row.label for row, rank in zip(rows, ranks(rows), strict=True) if rank == 1]
    tied = first or [rows[0].label]  # without any rank, the lowest is named alone
    here = " in these runs" if len({run.race for run in snapshots}) > 1 else " in this run"
    several = any(row.seeds > 1 for row in rows)
    where = f" over {seed_counts(row.seeds for row in rows)}" if several else here
    lower = [row.label for row in baselines if _is_lower(row, rows[0])]
    of_ranked = " of the ranked algorithms" if lower else ""
    is_lower = f" {listed(lower)}, without a rank, {_is(lower)} lower." if lower else ""
    lowest = f"the lowest average regret{of_ranked}{where}, {_regret(rows[0])}."
    if len(tied) > 1:
        return f"{listed(tied)} share {lowest}{is_lower}"
    return f"{tied[0]} has {lowest} {_state(rows[0])}{is_lower}"


def _is_lower(row: Standing, leader: Standing) -> bool:
    regret = row.average_regret
    return regret is not None and regret < (leader.average_regret or 0.0)


def _is(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _contrast(rows: Sequence[Standing], snapshots: Sequence[RunSnapshot]) -> str:
    """Name the lane whose response time differs most from the leader's, or say none does.

    Lanes that wait deliberately are left out.
    """
    leading = rows[0].pace or 0.0
    others = sorted((row for row in rows[1:] if not row.waits), key=lambda row: row.pace or 0.0)
    if rows[0].waits or not others:
        return ""
    fastest, slowest = others[0], others[-1]
    if (slowest.pace or 0.0) > CLEARLY_SLOWER * leading:
        kept, response = _kept(slowest), _pace(slowest)
        return f"{slowest.label} keeps {kept}; its response time is now {response}."
    if CLEARLY_SLOWER * (fastest.pace or 0.0) < leading:
        response = f"its response time is now only {_pace(fastest)}"
        if _reset_lately(snapshots, fastest.label):
            return f"{fastest.label} has just reset ({_kept(fastest)} kept); {response}."
        return f"{fastest.label} keeps {_kept(fastest)}; {response}."
    return "All response times are similar."


def _state(row: Standing) -> str:
    if row.waits:
        return f"It keeps {_kept(row)} observations and waits between queries."
    return f"It keeps {_kept(row)} observations; its response time is now {_pace(row)}."


def _kept(row: Standing) -> str:
    if row.final_size == row.queries:
        return f"all {row.final_size:,.0f}"
    return f"{row.final_size:,.0f} of {row.queries:,.0f}"


def _reset_lately(snapshots: Sequence[RunSnapshot], label: str) -> bool:
    """Return whether the lane's first run dropped its dataset within the passes of its pace."""
    run = next(lane.runs[0] for lane in lanes(snapshots) if lane.label == label)
    newest = run.columns.notes[max(len(run) - PACE_PASSES, 0) : len(run)]
    return any("reset" in notes for notes in newest)


def _pace(row: Standing) -> str:
    long = row.pace is not None and row.pace >= LONG_RESPONSE
    return in_natural_unit(row.pace or 0.0) if long else seconds(row.pace)


def _regret(row: Standing) -> str:
    return significant(row.average_regret)
