"""The table of `bolt compare`: standings of a race, what its values are, and which have no rank."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.table import Column, Table

from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.analysis.run_outcome import NO_LATE_QUERY, STOPPED_ASKING
from bolt_core.analysis.seed_statistics import MIN_SEEDS_FOR_STANDARD_ERROR
from bolt_core.analysis.standings import ranks, standings
from bolt_core.cli._parts import number_text
from bolt_core.common.devices import clock_label
from bolt_core.common.text import listed, seed_numbers
from bolt_core.runs.lane_names import label
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.runs.snapshot import RunSnapshot

COLUMNS = {  # heading of each value of a row that is not shown beside another one
    "rank": "rank",
    "algorithm": "algorithm",
    "regret": "average\nregret",
    "held_regret": "held\nregret",
    "n": "n",
    "n_star": "n*",
    "response": "R(n) s",
    "resets": "resets",
    "queries": "queries",
    "seconds": "t s",
}
LEGEND = (
    "Means over seeds, without the warm-up; average regret with its standard error from "
    f"{MIN_SEEDS_FOR_STANDARD_ERROR} seeds on; R(n) over full passes; n and n* at the end; "
    "resets: how often all data were dropped; t: the end of the last pass. "
    "-: no value; n* has none where it sets no limit or the algorithm has none."
)
STOPPED_LEGEND = f" {STOPPED_ASKING}: {NO_LATE_QUERY}, so it is not ranked."
NO_VALUES: Mapping[str, float | None] = MappingProxyType({})


def rows_of(
    runs: Sequence[RunSnapshot], held: Mapping[str, float | None] = NO_VALUES
) -> list[dict[str, Any]]:
    """Return one row per lane, as the JSON output and the table show it.

    `held` has the held regret by run id; there is none while a race runs.
    """
    held_by_lane = {lane.label: _mean_held(lane, held) for lane in lanes(runs)}
    rows = standings(runs)
    return [
        {
            "rank": rank,
            "algorithm": row.key,
            "regret": row.average_regret,
            "error": row.regret_error,
            "held_regret": held_by_lane[row.label],
            "n": row.final_size,
            "n_star": row.final_n_star,
            "response": row.response_time,
            "resets": _resets(row.key, runs),
            "queries": row.queries,
            "seconds": row.end_time,
            "failed": row.failed_runs,
            "stopped_asking": row.stopped_runs,
        }
        for row, rank in zip(rows, ranks(rows), strict=True)
    ]


def _mean_held(lane: Lane, held: Mapping[str, float | None]) -> float | None:
    """Return the mean over the seeds of a lane; None unless all of them have a value."""
    values = [held.get(run.run_id) for run in lane.counted_runs]
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known and len(known) == len(values) else None


def _resets(algorithm: str, runs: Sequence[RunSnapshot]) -> float | None:
    """Return the mean number of resets per run."""
    members = [run for run in runs if run.config.algorithm == algorithm and len(run)]
    resets = [sum("reset" in note for note in run.columns.notes[: len(run)]) for run in members]
    return float(np.mean(resets)) if resets else None


def table_of(race: RaceSnapshot, held: Mapping[str, float | None] = NO_VALUES) -> Table:
    """Return the standings of a race, under what its runs have in common."""
    columns = [Column(heading, overflow="fold") for heading in COLUMNS.values()]
    table = Table(
        *columns,
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),  # so that words and values are whole in 80 characters
        pad_edge=False,
        show_edge=False,
        title=f"race {race.race_id}: {_conditions(race.runs)}",
        title_justify="left",
        caption=_legend(race.runs),
        caption_justify="left",
    )
    for row in rows_of(race.runs, held):
        table.add_row(*(_cell(row, name) for name in COLUMNS))
    return table


def _cell(row: Mapping[str, Any], name: str) -> str:
    """Return a value of a row as text, with what is shown beside it."""
    if name == "algorithm":
        failed = f" ({row['failed']} failed)" if row["failed"] else ""
        stopped = f" ({STOPPED_ASKING})" if row["stopped_asking"] else ""
        return f"{row[name]}{failed}{stopped}"
    value = number_text(row[name])
    if name == "regret" and row["error"] is not None:
        return f"{value} \N{PLUS-MINUS SIGN} {number_text(row['error'])}"
    return value


def _conditions(runs: Sequence[RunSnapshot]) -> str:
    """Return what all runs of the comparison have in common, in words."""
    first = runs[0]
    what = f"{label(first.config.benchmark)}, {seed_numbers(run.config.seed for run in runs)}"
    if horizon := (first.header or {}).get("horizon"):
        what += f", horizon {horizon:g} s"
    return f"{what}. {clock_label(first.config.clock)}."


def _legend(runs: Sequence[RunSnapshot]) -> str:
    """Return what the table's values are, and which rows have no rank."""
    rows = standings(runs)
    beside = [row.key for row in rows if row.beside]
    verb = "is a baseline and has" if len(beside) == 1 else "are baselines and have"
    return (
        LEGEND
        + (STOPPED_LEGEND if any(row.stopped_runs for row in rows) else "")
        + (f" {listed(beside)} {verb} no rank." if beside else "")
    )
