"""Where observations left D, for the slider of a replay: how many by the time, and each reset.

Thousands of removals become a density of a few hundred bins, in which each one counts. A reset is
an event of its own and keeps its mark; two of one lane closer than a pixel share it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.common.text import counted
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot

BINS = 240  # of the slider: two pixels or more each
PIXELS = 1000  # of a slider, about: resets closer than this share a mark
PLACES = 3  # of a mark's seconds


def marks(snapshots: Sequence[RunSnapshot], span: float) -> dict[str, Any]:
    """Removals as counts a bin, resets as times a lane, and both in words; empty if nobody left."""
    if span <= 0.0:
        return {}
    removed, rows = np.zeros(BINS), []
    left: dict[str, int] = {}
    for lane in lanes(snapshots):
        found = [_of_run(run, span) for run in lane.runs]
        density = np.sum([counts for counts, _ in found], axis=0)
        resets = np.sort(np.concatenate([times for _, times in found]))
        removed += density
        left[lane.label] = int(density.sum())
        if len(resets):
            rows.append(_row(lane, resets, span))
    if not rows and not removed.any():
        return {}
    told = {row["label"]: row["count"] for row in rows}
    said = [_said(left, "removal"), _said(told, "reset")]
    alt = ". ".join(word for word in said if word) + "."
    return {"removed": removed.astype(int).tolist(), "rows": rows, "alt": alt}


def _of_run(run: RunSnapshot, span: float) -> tuple[Array, Array]:
    """How many left in each bin one by one, and when all left at once. At the ends of passes."""
    removals, notes = run.columns.removed, run.columns.notes
    lost = [row for row in range(len(run)) if removals[row]]
    emptied = np.array([row for row in lost if "reset" in notes[row]], dtype=int)
    chosen = [row for row in lost if "reset" not in notes[row]]
    counts = [len(removals[row]) - ("failed" in notes[row]) for row in chosen]  # never was in D
    ends = np.minimum(run.columns.ends(), span)
    density, _ = np.histogram(ends[chosen], BINS, (0.0, span), weights=counts)
    return density, ends[emptied]


def _row(lane: Lane, resets: Array, span: float) -> dict[str, Any]:
    apart = np.diff(np.floor(resets / span * PIXELS), prepend=-1.0) > 0.0
    few = np.round(resets[apart], PLACES).tolist()
    return {"key": lane.key, "label": lane.label, "resets": few, "count": len(resets)}


def _said(counts: Mapping[str, int], what: str) -> str:
    """As in: 14 resets: R-GPUCB 10, ET-GPUCB 4."""
    told = [f"{name} {count:,}" for name, count in counts.items() if count]
    return f"{counted(sum(counts.values()), what)}: {', '.join(told)}" if told else ""
