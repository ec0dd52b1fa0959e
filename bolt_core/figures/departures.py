"""Who left? The last removals: when, how old, how relevant, and whether it was the oldest.

Exact from the record: D is replayed removal by removal, in the order they were made. Where all of
D leaves at once (a reset), age is no choice, so each reset is one line and none is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.figures.instead import instead_of_n_star
from bolt_core.figures.kinds import text
from bolt_core.figures.lanes import label
from bolt_core.figures.noted import many, percent
from bolt_core.figures.words import significant
from bolt_core.snapshot import RunSnapshot
from bolt_core.types import Array

LAST = 20
AT, AGE = {"name": "time", "unit": "s", "align": "right"}, {"unit": "s", "align": "right"}
SCORES: Mapping[str, str] = {  # what a record's scores are, by family
    "bolt": "W2: how much the surrogate changed when it left; standardised y times sqrt(seconds)",
    "w-dbo": "W-DBO's bound on W2, relative to the whole surrogate",
}


@dataclass(frozen=True, slots=True)
class Departure:
    """One observation leaving D."""

    row: int  # of the pass
    i: int  # its id
    score: float | None
    oldest: bool  # of D at that moment


@dataclass(frozen=True, slots=True)
class Departures:
    """All removals of a run in their order, and its resets by row."""

    removals: tuple[Departure, ...]
    resets: tuple[int, ...]

    @property
    def younger(self) -> int:
        """Removals of another than the oldest."""
        return sum(not one.oldest for one in self.removals)

    @property
    def in_words(self) -> str | None:
        """The lecture in one line; None before the first removal."""
        if not (count := len(self.removals)):
            return None
        if count == 1:
            return f"The one removal was {'NOT ' * self.younger}the oldest"
        return f"{percent(self.younger / count)} of {count:,} removals were NOT the oldest"


def departures(run: RunSnapshot) -> Departures:
    """Replays D: the oldest in it is the first id that has not left yet."""
    gone = np.zeros(len(run) + 1, dtype=bool)
    oldest, found, resets = 0, [], []
    for row, ids in enumerate(run.columns.removals[: len(run)]):
        if not ids:
            continue
        notes = run.columns.remarks[row]
        if "reset" in notes:
            resets.append(row)
            gone[list(ids)] = True
            continue
        scores = notes.get("scores", ())
        told = (*(None,) * (len(ids) - len(scores)), *scores)
        for i, score in zip(ids, told, strict=False):
            while gone[oldest]:
                oldest += 1
            found.append(Departure(row, i, score, i == oldest))
            gone[i] = True
    return Departures(tuple(found), tuple(resets))


def oldest_times(run: RunSnapshot) -> Array:
    """When the oldest observation in D after each pass was taken, seconds; NaN if D is empty."""
    t, times = run.columns["t"], np.full(len(run), np.nan)
    gone, oldest = np.zeros(len(run) + 1, dtype=bool), 0
    for row, ids in enumerate(run.columns.removals[: len(run)]):
        if ids:
            gone[list(ids)] = True
        while gone[oldest]:
            oldest += 1
        if oldest <= row:
            times[row] = t[oldest]
    return times


def who_left(run: RunSnapshot) -> dict[str, Any]:
    """The last removals as a table, newest first; a sentence while there are none."""
    found = departures(run)
    if found.resets and not found.removals:
        return _resets(run, found.resets)
    if not found.removals:
        return text(_nobody(run))
    return _removals(run, found)


def _removals(run: RunSnapshot, found: Departures) -> dict[str, Any]:
    last = found.removals[: -LAST - 1 : -1]
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
        ids, at = run.columns.removals[row], float(t[row])
        oldest = at - float(np.min(t[list(ids)]))
        cells = [f"{at:,.1f}", f"{len(ids):,}", f"{oldest:,.1f}"]
        rows.append({"key": "", "cells": [*cells, run.columns.remarks[row]["reset"]]})
    lost = sum(len(run.columns.removals[row]) for row in resets)
    count = many(len(resets), "reset")
    said = f"{count}: {lost:,} observations left all at once, whatever they were worth."
    name = label(run.config.algorithm)
    return {
        "kind": "table",
        "columns": columns,
        "rows": rows,
        "alt": f"Resets of {name}. {said}",
        "caption": said,
    }


def _lesson(found: Departures) -> str:
    if not found.younger:
        return ": here, leaving is a matter of age."
    return ": relevance is not age."


def _nobody(run: RunSnapshot) -> str:
    if not len(run) or run.columns["warmup"][-1]:
        return "Nobody has left: nothing is removed during the warm-up."
    if said := instead_of_n_star(run):
        return f"Nobody has left. {said}"
    n_star = float(run.columns["n_star"][-1])
    if np.isfinite(n_star):
        return f"Nobody has left: D has not outgrown n* = {n_star:,.0f} yet."
    return "Nobody has left: there is no limit yet."


def _score_help(run: RunSnapshot) -> str:
    family = next((name for name in SCORES if run.config.algorithm.startswith(name)), None)
    return SCORES[family] if family else "what the algorithm removed it by"


def _score(score: float | None) -> str:
    if score is None or not np.isfinite(score):
        return "unknown"
    return significant(score) if score >= 1e-3 else f"{score:.1e}".replace("-", "\N{MINUS SIGN}")
