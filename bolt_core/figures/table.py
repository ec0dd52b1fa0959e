"""The leaderboard: who lost least so far, what it keeps and how fast it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bolt_core.figures.words import Standing, regret_in_words, significant, standings
from bolt_core.snapshot import RunSnapshot

SPREAD = "\N{PLUS-MINUS SIGN}1 SE"
NONE = "\N{EN DASH}"
COLUMNS: tuple[dict[str, Any], ...] = (
    {"name": "", "help": "Rank", "align": "right"},
    {"name": "Algorithm"},
    {"name": "Average regret", "help": "Lower is better; without the warm-up.", "align": "right"},
    {"name": SPREAD, "help": "Standard error over the seeds.", "align": "right"},
    {"name": "n", "help": "Observations kept now.", "align": "right"},
    {"name": "Response", "help": "Mean response time R(n) of a full pass.", "align": "right"},
    {"name": "Queries", "help": "Observations made.", "align": "right"},
)


def leaderboard(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """One row an algorithm, lowest average regret first; the error only where seeds give one."""
    found = standings(snapshots)
    many = any(row.error is not None for row in found)
    shown = [many or column["name"] != SPREAD for column in COLUMNS]
    rows = [_row(rank, row, shown) for rank, row in enumerate(found, 1)]
    return {
        "kind": "table",
        "columns": [column for column, show in zip(COLUMNS, shown, strict=True) if show],
        "rows": rows,
        "alt": regret_in_words(snapshots),
        "caption": "",
    }


def _row(rank: int, row: Standing, shown: Sequence[bool]) -> dict[str, Any]:
    cells = [
        NONE if row.regret is None or row.failed else str(rank),
        row.label,
        NONE if row.regret is None else significant(row.regret),
        NONE if row.error is None else significant(row.error),
        f"{row.size:,.0f}",
        NONE if row.response is None else f"{significant(row.response)} s",
        f"{row.queries:,.0f}",
    ]
    told = [cell for cell, show in zip(cells, shown, strict=True) if show]
    return {"key": row.key, "cells": told} | ({"failed": True} if row.failed else {})
