"""Who left? The last removals: when, how old, how relevant, and whether it was the oldest.

Exact from the record: D is replayed removal by removal, in the order they were made. Where all of
D leaves at once (a reset), age is no choice, so each reset is one line and none is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.text import counted, percent, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.chart_dicts import text_chart
from bolt_core.figures.shared.notes import GrowingColumn
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import Columns, Rows, RunSnapshot

LAST = 20
AT, AGE = {"name": "time", "unit": "s", "align": "right"}, {"unit": "s", "align": "right"}
SCORES: Mapping[str, str] = {  # what a record's scores are, by family
    "bolt": "W2: how much the surrogate changed when it left; standardised y times sqrt(seconds)",
    "w-dbo": "W-DBO's bound on W2, relative to the whole surrogate",
}


@dataclass(frozen=True, slots=True)
class Removal:
    """One observation leaving D."""

    row: int  # of the pass
    i: int  # its id
    score: float | None
    oldest: bool  # of D at that moment


@dataclass(frozen=True, slots=True)
class RemovalHistory:
    """All removals of a run in their order, as columns, and its resets by row."""

    run: RunSnapshot
    rows: Rows  # of the passes
    ids: Rows
    oldest: NDArray[np.bool_]
    resets: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def removals(self) -> tuple[Removal, ...]:
        return self.last(len(self))[::-1]

    @property
    def younger(self) -> int:
        """Removals of another than the oldest."""
        return int(np.sum(~self.oldest))

    def last(self, most: int) -> tuple[Removal, ...]:
        """The newest first."""
        columns = self.run.columns
        end = slice(None, -most - 1, -1)
        told = (part[end].tolist() for part in (self.rows, self.ids, self.oldest))
        newest = zip(*told, strict=True)
        return tuple(Removal(r, i, _score_of(columns, r, i), oldest) for r, i, oldest in newest)

    @property
    def in_words(self) -> str | None:
        """The lecture in one line; None before the first removal."""
        if not (count := len(self)):
            return None
        if count == 1:
            return f"The one removal was {'NOT ' * self.younger}the oldest"
        return f"{percent(self.younger / count)} of {count:,} removals were NOT the oldest"


says_reset = GrowingColumn(lambda remarks: "reset" in remarks)


def removal_history(run: RunSnapshot) -> RemovalHistory:
    """Replays D: the oldest in it is the first id that has not left yet."""
    ids, rows = run.columns.removals()
    resets = np.intersect1d(np.flatnonzero(says_reset(run)), rows)
    order = np.arange(len(ids))
    oldest = ids == _first_after(len(run), ids, order, order - 1)
    chosen = ~np.isin(rows, resets)
    return RemovalHistory(run, rows[chosen], ids[chosen], oldest[chosen], tuple(resets.tolist()))


def oldest_times(run: RunSnapshot) -> Array:
    """When the oldest observation in D after each pass was taken, seconds; NaN if D is empty."""
    (ids, rows), row = run.columns.removals(), np.arange(len(run))
    oldest = _first_after(len(run), ids, rows, row)
    there = oldest <= row
    times: Array = np.full(len(run), np.nan)
    times[there] = run.columns["t"][oldest[there]]
    return times


def _first_after(count: int, ids: Rows, left: Rows, moments: Rows) -> Rows:
    """The first of the ids 0 .. count that has not left yet, after each moment.

    `left`: when each of `ids` did. The largest of the moments up to an id only grows, so the first
    that is later is found by halving.
    """
    when = np.full(count + 1, np.iinfo(np.intp).max)
    when[ids] = left
    return np.searchsorted(np.maximum.accumulate(when), moments, side="right")


def removal_table(run: RunSnapshot) -> dict[str, Any]:
    """The last removals as a table, newest first; a sentence while there are none."""
    found = removal_history(run)
    if found.resets and not len(found):
        return _resets(run, found.resets)
    if not len(found):
        return text_chart(_nobody(run))
    return _removals(run, found)


def _removals(run: RunSnapshot, found: RemovalHistory) -> dict[str, Any]:
    last = found.last(LAST)
    scored = any(one.score is not None for one in last)
    columns = [AT, {"name": "age", "help": "since it was taken", **AGE}]
    columns += [{"name": "score", "align": "right", "help": _score_help(run)}] * scored
    columns.append({"name": "was it the oldest?", "help": "of those in D when it left"})
    t = run.columns["t"]
    rows = []
    for one in last:
        at = float(t[one.row])
        cells = [f"{at:,.1f}", f"{at - float(t[one.i]):,.1f}"]
        cells += [_score(one.score)] * scored
        rows.append({"key": "", "cells": [*cells, "yes" if one.oldest else "no"]})
    alt = f"Who left D of {label(run.config.algorithm)} lately. {found.in_words}."
    return {
        "kind": "table",
        "columns": columns,
        "rows": rows,
        "alt": alt,
        "caption": f"{found.in_words}{_lesson(found)}",
    }


def _resets(run: RunSnapshot, resets: tuple[int, ...]) -> dict[str, Any]:
    t = run.columns["t"]
    columns = [
        AT,
        {"name": "left", "unit": "observations", "align": "right"},
        {"name": "age of the oldest", **AGE},
        {"name": "why"},
    ]
    rows = []
    for row in resets[: -LAST - 1 : -1]:
        ids, at = run.columns.removed[row], float(t[row])
        oldest = at - float(np.min(t[list(ids)]))
        cells = [f"{at:,.1f}", f"{len(ids):,}", f"{oldest:,.1f}"]
        rows.append({"key": "", "cells": [*cells, run.columns.notes[row]["reset"]]})
    lost = sum(len(run.columns.removed[row]) for row in resets)
    count = counted(len(resets), "reset")
    said = f"{count}: {lost:,} observations left all at once, whatever they were worth."
    name = label(run.config.algorithm)
    return {
        "kind": "table",
        "columns": columns,
        "rows": rows,
        "alt": f"Resets of {name}. {said}",
        "caption": said,
    }


def _lesson(found: RemovalHistory) -> str:
    if not found.younger:
        return ": here, leaving is a matter of age."
    return ": relevance is not age."


def _nobody(run: RunSnapshot) -> str:
    if not len(run) or run.columns["warmup"][-1]:
        return "Nobody has left: nothing is removed during the warm-up."
    if said := stale_data_rule(run):
        return f"Nobody has left. {said}"
    n_star = float(run.columns["n_star"][-1])
    if np.isfinite(n_star):
        return f"Nobody has left: D has not outgrown n* = {n_star:,.0f} yet."
    return "Nobody has left: there is no limit yet."


def _score_help(run: RunSnapshot) -> str:
    family = next((name for name in SCORES if run.config.algorithm.startswith(name)), None)
    return SCORES[family] if family else "what the algorithm removed it by"


def _score_of(columns: Columns, row: int, i: int) -> float | None:
    """What it was removed by; of several, the last ones may have been told alone."""
    ids, scores = columns.removed[row], columns.notes[row].get("scores", ())
    place = ids.index(i) - (len(ids) - len(scores))
    return scores[place] if place >= 0 else None


def _score(score: float | None) -> str:
    if score is None or not np.isfinite(score):
        return "unknown"
    return significant(score) if score >= 1e-3 else f"{score:.1e}".replace("-", "\N{MINUS SIGN}")
