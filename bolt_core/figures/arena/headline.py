"""What the charts say, in words: the headline and the alternative texts.

All numbers come from the same columns as the curves, with three significant digits.
"""

from __future__ import annotations

from collections.abc import Sequence

from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.analysis.standings import Standing, ranks, standings
from bolt_core.common.text import seconds, significant
from bolt_core.common.types import RunStatus
from bolt_core.runs.snapshot import RunSnapshot

CLEARLY = 1.25  # times slower: what anybody would call slower


def headline(snapshots: Sequence[RunSnapshot], cursor: float | None = None) -> str | None:
    """What a race shows so far, in two or three sentences; None before there is anything to say.

    `cursor`: of a replay, the moment that is looked at.
    """
    rows = standings(snapshots)
    sound = [row for row in rows if row.average_regret is not None and not row.failed]
    broken = [row for row in rows if row.failed]
    if not sound:
        ran = len(broken) == len(rows) and any(row.average_regret is not None for row in broken)
        return _all_failed(broken) if ran else None
    t = reached(snapshots) if cursor is None else cursor
    said = [_leads(sound, t) if len(sound) > 1 else _alone(sound[0], t)]
    said += [_other(sound)] if len(sound) > 1 else []
    if broken:
        said.append(f"{_and([row.label for row in broken])} failed.")
    return " ".join(said)


def _alone(row: Standing, t: float) -> str:
    return (
        f"After {t:.0f} s {row.label} {_keeps(row)}, answers every {seconds(row.pace)} "
        f"and has lost {significant(row.average_regret)} on average to the moving optimum."
    )


def _leads(rows: Sequence[Standing], t: float) -> str:
    """The lowest regret, as it is printed: who cannot be told apart shares the lead."""
    best, lowest = rows[0], significant(rows[0].average_regret)
    tied = [row.label for row, rank in zip(rows, ranks(rows), strict=True) if rank == 1]
    if len(tied) > 1:
        return f"After {t:.0f} s {_and(tied)} share the lowest average regret, {lowest}."
    return (
        f"After {t:.0f} s {best.label} has the lowest average regret, {lowest}: "
        f"it {_keeps(best)} and answers every {seconds(best.pace)}."
    )


def _other(rows: Sequence[Standing]) -> str:
    """Who needs clearly longer now than the one that leads, or clearly less, or nobody."""
    lead = rows[0].pace or 0.0
    others = sorted(rows[1:], key=lambda row: row.pace or 0.0)
    fast, slow = others[0], others[-1]
    if (slow.pace or 0.0) > CLEARLY * lead:
        return f"{slow.label} {_keeps(slow, short=True)} and now needs {seconds(slow.pace)}."
    if CLEARLY * (fast.pace or 0.0) < lead:
        return f"{fast.label} {_keeps(fast, short=True)} and needs only {seconds(fast.pace)}."
    return "The others answer about as fast."


def _all_failed(rows: Sequence[Standing]) -> str:
    return " ".join(f"{row.label} failed {row.failure}".rstrip(".") + "." for row in rows)


def regret_in_words(
    snapshots: Sequence[RunSnapshot],
    found: Sequence[Standing] | None = None,
    cursor: float | None = None,
) -> str:
    """Who leads; `found` are the standings, if somebody has them already."""
    rows = [row for row in found or standings(snapshots) if row.average_regret is not None]
    if not rows:
        return "Average regret: no query after the warm-up yet."
    told = [
        f"{row.label} {significant(row.average_regret)}{' (failed)' * row.failed}" for row in rows
    ]
    t = reached(snapshots) if cursor is None else cursor
    after = f"on average after {t:.0f} s"
    return f"Average regret, lower is better: {told[0]} {after}{_then(told)}."


def sizes_in_words(snapshots: Sequence[RunSnapshot]) -> str:
    rows = standings(snapshots)
    told = [f"{row.label} keeps {row.final_size:,.0f} of {row.queries:,.0f}" for row in rows]
    return f"Dataset size after {reached(snapshots):.0f} s: {'; '.join(told)}."


def reached(snapshots: Sequence[RunSnapshot]) -> float:
    """How far the slowest run has come; a failed one holds nobody back."""
    going = [run for run in snapshots if len(run) and run.status != RunStatus.FAILED]
    reached = [RunOutcome(run).time_reached for run in going or snapshots]
    return min((t for t in reached if t is not None), default=0.0)


def _keeps(row: Standing, *, short: bool = False) -> str:
    of = (
        f"all {row.final_size:,.0f}"
        if row.final_size == row.queries
        else f"{row.final_size:,.0f} of {row.queries:,.0f}"
    )
    return f"keeps {of}" + " observations" * (not short)


def _and(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _then(told: list[str]) -> str:
    return f", then {', '.join(told[1:])}" if len(told) > 1 else ""
