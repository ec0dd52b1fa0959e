"""The leaderboard as a table: who leads, by how much, with how many observations, how fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bolt_core.analysis.standings import Standing, ranks, standings
from bolt_core.common.text import seconds, significant
from bolt_core.figures.arena.headline import regret_in_words
from bolt_core.figures.shared.palette import line_style
from bolt_core.runs.snapshot import RunSnapshot

SPREAD = "\N{PLUS-MINUS SIGN}1 SE"
NONE = "\N{EN DASH}"

Column = dict[str, str]


def leaderboard(snapshots: Sequence[RunSnapshot], cursor: float | None = None) -> dict[str, Any]:
    """One row a lane, lowest average regret first; who failed stands below, reasons under all.

    `cursor`: of a replay, the moment that is looked at.
    """
    rows = standings(snapshots)
    if not rows:
        return {"kind": "text", "text": "No algorithm has started yet.", "tone": "muted"}
    shown = [column for column in COLUMNS if _worth(column["name"], rows)]
    cells = [_cells(row, rank) for row, rank in zip(rows, ranks(rows), strict=True)]
    return {
        "kind": "table",
        "columns": shown,
        "rows": [
            {"key": row.key, "cells": [cell[column["name"]] for column in shown]}
            | ({"failed": True} if row.failed else {})
            | ({"dash": line_style(row.key, row.nth).dash} if row.nth else {})
            for row, cell in zip(rows, cells, strict=True)
        ],
        "whole": True,  # nobody is out of sight
        "alt": regret_in_words(snapshots, rows, cursor),
        "caption": _caption(rows),
    }


COLUMNS: tuple[Column, ...] = (
    {"name": "", "help": "Rank", "align": "right"},
    {"name": "Algorithm"},
    {"name": "Average regret", "align": "right", "help": "Lower is better; without the warm-up."},
    {"name": SPREAD, "align": "right", "help": "Standard error of it over the seeds."},
    {"name": "n", "align": "right", "help": "Dataset size: observations kept now."},
    {"name": "n*", "align": "right", "help": "Recommended size, where the algorithm has one."},
    {"name": "Response", "align": "right", "help": "Mean response time of a full pass, R(n)."},
    {"name": "Queries", "align": "right", "help": "Observations made."},
)


def _cells(row: Standing, rank: int | None) -> dict[str, str]:
    return {
        "": "" if rank is None else str(rank),
        "Algorithm": row.label if row.failed else _name(row),
        "Average regret": _number(row.average_regret),
        SPREAD: "" if row.regret_error is None else significant(row.regret_error),
        "n": f"{row.final_size:,.0f}",
        "n*": "" if row.final_n_star is None else f"{row.final_n_star:,.0f}",
        "Response": NONE if row.response_time is None else seconds(row.response_time),
        "Queries": f"{row.queries:,.0f}",
    }


def _name(row: Standing) -> str:
    """One broken seed is said, though the lane goes on."""
    return row.label + (
        f" ({row.failed_runs} of {row.seeds + row.failed_runs} failed)" * bool(row.failed_runs)
    )


def _worth(name: str, rows: Sequence[Standing]) -> bool:
    """Columns that nobody has anything to say in are left out."""
    if name == SPREAD:
        return any(row.regret_error is not None for row in rows)
    return name != "n*" or any(row.final_n_star is not None for row in rows)


def _number(value: float | None) -> str:
    return NONE if value is None else significant(value)


def _caption(rows: Sequence[Standing]) -> str:
    if all(row.average_regret is None and not row.failed for row in rows):
        return "No order yet: the warm-up queries are random for everybody."
    seeds = max(row.seeds for row in rows)
    said = [f"Means over {seeds} seeds." if seeds > 1 else "One seed."]
    return " ".join([*said, *(f"{r.label} failed {r.failure}." for r in rows if r.failure)])
