"""The table of what was told, the newest first, in pages; the browser lets its owner correct it."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

from bolt_core.common.setting_text import value_text
from bolt_core.common.text import counted, display_name
from bolt_core.figures.problem.present import outcome, titled
from bolt_core.figures.shared.chart_dicts import text_chart
from bolt_core.online.answers import FIRST_VALUE
from bolt_core.runs.own_problem import knobs, own_values, own_y
from bolt_core.runs.snapshot import RunSnapshot

ROWS_PER_PAGE = 25
NOTHING = "Nothing has been told yet."
NO_KNOBS = "This run has no knobs with names, so its measurements are not listed here."


def pages(run: RunSnapshot) -> int:
    """Return how many pages the table has."""
    return max(math.ceil(len(run) / ROWS_PER_PAGE), 1)


def told_text(y: float) -> str:
    """Return a measured value as it is shown: six digits, 64.25."""
    return f"{y:.6g}".replace("-", "\N{MINUS SIGN}")


def told_table(run: RunSnapshot, page: int = 1) -> dict[str, Any]:
    """Return one page of the table; times are seconds since 1970, or since the first measurement.

    `id` of a row is the number by which it is corrected.
    """
    if not len(run):
        return text_chart(NOTHING)
    named = knobs(run)
    if named is None:
        return text_chart(NO_KNOBS)
    newest = len(run) - 1 - ROWS_PER_PAGE * (min(max(page, 1), pages(run)) - 1)
    rows = range(newest, max(newest - ROWS_PER_PAGE, -1), -1)
    values, y = own_values(run, run.columns["x"][list(rows)]), own_y(run)
    texts = [
        [display_name(value_text(knob, value), 24) for value in column]
        for knob, column in zip(named.values(), values, strict=True)
    ]
    columns = [titled(display_name(n, 24), display_name(k.unit, 12)) for n, k in named.items()]
    name, unit = outcome(run)
    shown = [
        {
            "id": row,
            "t": round(float(run.columns["t"][row]), 3),
            "cells": [column[at] for column in texts],
            "y": None if math.isnan(y[row]) else float(y[row]),
            "shown": "" if math.isnan(y[row]) else told_text(y[row]),
            "random": bool(run.columns["warmup"][row]),
            "corrected": FIRST_VALUE in run.columns.notes[row],
        }
        for at, row in enumerate(rows)
    ]
    return {
        "kind": "told",
        "origin": _epoch(run),
        "knobs": columns,
        "outcome": titled(name, unit),
        "rows": shown,
        "alt": f"{counted(len(run), 'measurement')}, the newest first.",
        "caption": f"Rows {newest + 1:,} to {rows[-1] + 1:,} of {len(run):,}, the newest first.",
    }


def _epoch(run: RunSnapshot) -> float | None:
    """Return the seconds since 1970 of second 0 of the run; None if it has no dates."""
    text = (run.header or {}).get("origin")
    return None if text is None else datetime.fromisoformat(str(text)).timestamp()
