"""The last removals: when, how old, how relevant, and whether it was the oldest observation.

They are exact, from the record: D is replayed removal by removal, in their order. A reset removes
all of D at once, so that age is no choice: each reset is one row, and none counts as a removal.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bolt_core.common.text import counted, percent, significant
from bolt_core.common.types import Array
from bolt_core.figures.inside.stale_rule_sentence import stale_data_rule
from bolt_core.figures.shared.chart_dicts import table, text_chart
from bolt_core.figures.shared.notes import GrowingColumn
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import Columns, Rows, RunSnapshot

LAST = 20  # removals or resets shown
SECONDS = {"unit": "s", "align": "right"}
TIME = {"name": "time"} | SECONDS
SCORES: Mapping[str, str] = {  # what the scores of a record are, by family
    "bolt": "W2: how much the surrogate changed by its removal; standardised y times sqrt(seconds)",
    "w-dbo": "W-DBO's bound on W2, relative to the whole surrogate",
}


@dataclass(frozen=True, slots=True)
class Removal:
    """One observation removed from D."""

    row: int  # of the pass
    i: int  # its id
    score: float | None
    oldest: bool  # whether it was the oldest in D


@dataclass(frozen=True, slots=True)
class RemovalHistory:
    """All removals of a run in their order, as columns, and the rows of its resets."""

    run: RunSnapshot
    rows: Rows  # of the passes
    ids: Rows
    oldest: NDArray[np.bool_]
    resets: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def removals(self) -> tuple[Removal, ...]:
        """All removals, the oldest first."""
        return self.last(len(self))[::-1]

    @property
    def younger(self) -> int:
        """Number of removals of another observation than the oldest."""
        return int(np.sum(~self.oldest))

    def last(self, count: int) -> tuple[Removal, ...]:
        """Return the last `count` removals, the newest first."""
        newest = slice(None, -count - 1, -1)
        columns = (column[newest].tolist() for column in (self.rows, self.ids, self.oldest))
        return tuple(
            Removal(row, i, _recorded_score(self.run.columns, row, i), oldest)
            for row, i, oldest in zip(*columns, strict=True)
        )

    @property
    def summary(self) -> str | None:
        """How many removals were not of the oldest; None before the first removal."""
        if not (count := len(self)):
            return None
        if count == 1:
            return f"The one removal was {'NOT ' if self.younger else ''}the oldest"
        return f"{percent(self.younger / count)} of {count:,} removals were NOT the oldest"


has_reset = GrowingColumn(lambda notes: "reset" in notes)


def removal_history(run: RunSnapshot) -> RemovalHistory:
    """Return the removals of a run; the oldest in D is the first id not removed yet."""
    ids, rows = run.columns.removals()
    resets = np.intersect1d(np.flatnonzero(has_reset(run)), rows)
    order = np.arange(len(ids))
    oldest = ids == _first_kept(len(run), ids, order, order - 1)
    chosen = ~np.isin(rows, resets)
    return RemovalHistory(run, rows[chosen], ids[chosen], oldest[chosen], tuple(resets.tolist()))


def oldest_times(run: RunSnapshot) -> Array:
    """Return the time of the oldest observation in D after each pass; NaN if D is empty."""
    (ids, rows), row = run.columns.removals(), np.arange(len(run))
    oldest = _first_kept(len(run), ids, rows, row)
    some = oldest <= row
    times: Array = np.full(len(run), np.nan)
    times[some] = run.columns["t"][oldest[some]]
    return times


def _first_kept(count: int, ids: Rows, removed: Rows, moments: Rows) -> Rows:
    """Return the first of the ids 0 .. count that is not removed yet, after each moment.

    `removed` is the moment at which each of `ids` was removed. The running maximum of these moments
    over the ids only grows, so a binary search finds the first that is later.
    """
    when = np.full(count + 1, np.iinfo(np.intp).max)
    when[ids] = removed
    return np.searchsorted(np.maximum.accumulate(when), moments, side="right")


def removal_table(run: RunSnapshot) -> dict[str, Any]:
    """Return the last removals as a table, newest first; a sentence while there are none."""
    history = removal_history(run)
    if len(history):
        return _removals(run, history)
    return _resets(run, history.resets) if history.resets else text_chart(_nothing_removed(run))


def _removals(run: RunSnapshot, history: RemovalHistory) -> dict[str, Any]:
    last = history.last(LAST)
    scored = any(removal.score is not None for removal in last)
    score = [{"name": "score", "align": "right", "help": _score_help(run)}] if scored else []
    age = {"name": "age", "help": "since it was observed", **SECONDS}
    columns = [TIME, age, *score, {"name": "oldest?", "help": "of those in D at its removal"}]
    t, rows = run.columns["t"], []
    for removal in last:
        cells = [f"{t[removal.row]:,.1f}", f"{t[removal.row] - t[removal.i]:,.1f}"]
        cells += [_score(removal.score)] if scored else []
        rows.append({"key": "", "cells": [*cells, "yes" if removal.oldest else "no"]})
    lesson = "relevance is not age" if history.younger else "here, age decides"
    alt = f"Recently removed observations of {label(run.config.algorithm)}. {history.summary}."
    return table(columns, rows, alt, f"{history.summary}: {lesson}.")


def _resets(run: RunSnapshot, resets: tuple[int, ...]) -> dict[str, Any]:
    columns = [
        TIME,
        {"name": "removed", "unit": "observations", "align": "right"},
        {"name": "age of the oldest", **SECONDS},
        {"name": "reason"},
    ]
    t, rows = run.columns["t"], []
    for row in resets[: -LAST - 1 : -1]:
        ids, at = run.columns.removed[row], float(t[row])
        oldest = at - float(np.min(t[list(ids)]))
        cells = [f"{at:,.1f}", f"{len(ids):,}", f"{oldest:,.1f}", run.columns.notes[row]["reset"]]
        rows.append({"key": "", "cells": cells})
    removed = counted(sum(len(run.columns.removed[row]) for row in resets), "observation")
    summary = f"{counted(len(resets), 'reset')} removed {removed}, whatever their relevance."
    return table(columns, rows, f"Resets of {label(run.config.algorithm)}. {summary}", summary)


def _nothing_removed(run: RunSnapshot) -> str:
    if not len(run) or run.columns["warmup"][-1]:
        return "Nothing removed: the warm-up removes no observation."
    if rule := stale_data_rule(run):
        return f"Nothing removed. {rule}"
    n_star = float(run.columns["n_star"][-1])
    if np.isfinite(n_star):
        return f"Nothing removed: D is not above n* = {n_star:,.0f}."
    return "Nothing removed: there is no limit yet."


def _score_help(run: RunSnapshot) -> str:
    family = next((name for name in SCORES if run.config.algorithm.startswith(name)), None)
    return SCORES[family] if family else "the value by which the algorithm removed it"


def _recorded_score(columns: Columns, row: int, i: int) -> float | None:
    """Return the score of a removal; a record may have scores of the last removals only."""
    ids, scores = columns.removed[row], columns.notes[row].get("scores", ())
    at = ids.index(i) - (len(ids) - len(scores))
    return scores[at] if at >= 0 else None


def _score(score: float | None) -> str:
    if score is None or not np.isfinite(score):
        return "unknown"
    return significant(score) if score >= 1e-3 else f"{score:.1e}".replace("-", "\N{MINUS SIGN}")
