"""The leaderboard: one row per lane with average regret, dataset size and response time."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core import algorithms
from bolt_core.analysis.held_regret import NO_CURVES, HeldCurve, held_regrets
from bolt_core.analysis.lanes import lanes
from bolt_core.analysis.run_outcome import NO_LATE_QUERY, STOPPED_ASKING
from bolt_core.analysis.standings import Standing, ranks, standings
from bolt_core.common.text import in_natural_unit, listed, seed_counts, significant
from bolt_core.figures.arena.headline import regret_ranking
from bolt_core.figures.shared.chart_dicts import table, text_chart
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.own_problem import is_own_problem
from bolt_core.runs.snapshot import RunSnapshot

SEEDS = "Seeds"
STANDARD_ERROR = "\N{PLUS-MINUS SIGN}1 SE"
HELD = "Held regret"
MISSING = "\N{EN DASH}"
COLUMNS: tuple[dict[str, str], ...] = (
    {"name": "", "help": "Rank", "align": "right"},
    {"name": "Algorithm"},
    {"name": "Average regret", "align": "right", "help": "Lower is better; without the warm-up."},
    {"name": SEEDS, "align": "right", "help": "Seeds that the means of this row are over."},
    {"name": STANDARD_ERROR, "align": "right", "help": "Its standard error over the seeds."},
    {
        "name": HELD,
        "align": "right",
        "help": "Average loss over all seconds, not only at queries: the last setting stays in use "
        "until the next query. Lower is better; without the warm-up.",
    },
    {"name": "n", "align": "right", "help": "Dataset size: observations kept now."},
    {"name": "n*", "align": "right", "help": "Recommended size, where the algorithm has one."},
    {"name": "Mean response", "align": "right", "help": "Mean response time after the warm-up."},
    {"name": "Queries", "align": "right", "help": "Queries made so far, warm-up included."},
)


def leaderboard(
    snapshots: Sequence[RunSnapshot], held: Mapping[str, HeldCurve] = NO_CURVES
) -> dict[str, Any]:
    """Return the table, lowest average regret first and failed lanes last.

    `held` has the held regret by run id, as far as it is known.
    """
    rows = standings(snapshots)
    if not rows:
        return text_chart("No algorithm has started yet.")
    held_by_lane = {lane.label: held_regrets(lane.counted_runs, held) for lane in lanes(snapshots)}
    differ = len({row.seeds for row in rows}) > 1
    cells = [
        _cells(row, rank, held_by_lane[row.label], seeds=f"{row.seeds}" if differ else "")
        for row, rank in zip(rows, ranks(rows), strict=True)
    ]
    optional = {SEEDS, STANDARD_ERROR, "n*"}  # left out where no row has a value
    required = [column["name"] not in optional for column in COLUMNS]
    shown = [i for i, always in enumerate(required) if always or any(row[i] for row in cells)]
    entries = [
        {"key": row.key, "cells": [texts[i] for i in shown]}
        | ({"failed": True} if row.failed else {})
        | (_style(row) if row.nth else {})
        for row, texts in zip(rows, cells, strict=True)
    ]
    columns = [COLUMNS[i] | _differences(rows, COLUMNS[i]["name"]) for i in shown]
    alt = regret_ranking(snapshots)
    return table(
        columns, entries, alt, _caption(rows, own_problem=is_own_problem(snapshots[0])), whole=True
    )  # no row is scrolled away


def _style(row: Standing) -> dict[str, str]:
    """Return how a further lane of an algorithm differs from its first one."""
    style = line_style(row.key, row.nth)
    return {"dash": style.dash, "symbol": style.symbol}


def _differences(rows: Sequence[Standing], column: str) -> dict[str, str]:
    """Return the help of the column of names: where these algorithms differ from their sources."""
    catalog = algorithms.catalog()
    specs = [catalog[key] for key in dict.fromkeys(row.key for row in rows) if key in catalog]
    sentences = [f"{spec.label}: {' '.join(spec.differs)}" for spec in specs if spec.differs]
    if column != "Algorithm" or not sentences:
        return {}
    return {"help": "\n".join(("Where they differ from their sources.", *sentences))}


def _cells(
    row: Standing, rank: int | None, held: Sequence[float] | None, *, seeds: str
) -> list[str]:
    label = row.label + (f" ({STOPPED_ASKING})" if row.stopped_runs else "")
    if row.failed_runs and not row.failed:
        label += f" ({row.failed_runs} of {row.seeds + row.failed_runs} failed)"
    return [
        "" if rank is None else str(rank),
        label,
        MISSING if row.average_regret is None else significant(row.average_regret),
        seeds,
        "" if row.regret_error is None else significant(row.regret_error),
        significant(float(np.mean(held))) if held else MISSING,
        f"{row.final_size:,.0f}",
        "" if row.final_n_star is None else f"{row.final_n_star:,.0f}",
        MISSING if row.response_time is None else in_natural_unit(row.response_time),
        f"{row.queries:,.0f}",
    ]


def _caption(rows: Sequence[Standing], *, own_problem: bool) -> str:
    if all(row.average_regret is None and not row.failed for row in rows):
        if own_problem:
            return "No ranking: the optimum of your own problem is unknown."
        return "No ranking yet: warm-up queries are random for every algorithm."
    seeds = seed_counts(row.seeds for row in rows)
    stopped = [row.label for row in rows if row.stopped_runs]
    rest = ""
    if stopped:
        rest = f" {listed(stopped)}: {NO_LATE_QUERY}, so the average regret has no rank."
    if baselines := [row.label for row in rows if row.beside]:
        rest += f" Shown for comparison, without a rank: {listed(baselines)}."
    failures = [f" {row.label} failed {row.failure}." for row in rows if row.failure]
    several = any(row.seeds > 1 for row in rows)
    return (f"Means over {seeds}." if several else "One seed.") + rest + "".join(failures)
