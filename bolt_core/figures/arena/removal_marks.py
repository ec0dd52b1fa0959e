"""Marks on the slider of a replay: how many observations were removed when, and each reset.

Thousands of single removals become counts in a few hundred bins. A reset keeps a mark of its own;
resets of one lane that are closer than a pixel share it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.lanes import lanes
from bolt_core.analysis.removal_times import removal_times
from bolt_core.common.text import counted
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot

BINS = 240  # of the slider: at least two pixels each
SLIDER_PIXELS = 1000  # about
DECIMALS = 3  # of a mark's time in seconds


def marks(snapshots: Sequence[RunSnapshot], span: float) -> dict[str, Any]:
    """Return counts per bin, reset times per lane and both as text; empty without a removal."""
    if span <= 0.0:
        return {}
    removed = np.zeros(BINS)
    rows: list[dict[str, Any]] = []
    removals: dict[str, int] = {}
    for lane in lanes(snapshots):
        densities, times = zip(*(removal_times(run, span, BINS) for run in lane.runs), strict=True)
        density, resets = np.sum(densities, axis=0), np.sort(np.concatenate(times))
        removed += density
        removals[lane.label] = int(density.sum())
        if len(resets):
            row = {"key": lane.key, "label": lane.label, "count": len(resets)}
            rows.append(row | {"resets": _one_per_pixel(resets, span)})
    if not rows and not removed.any():
        return {}
    resets_by_lane = {row["label"]: row["count"] for row in rows}
    sentences = [_counts(removals, "removal"), _counts(resets_by_lane, "reset")]
    alt = " ".join(f"{sentence}." for sentence in sentences if sentence)
    return {"removed": removed.astype(int).tolist(), "rows": rows, "alt": alt}


def _one_per_pixel(times: Array, span: float) -> list[float]:
    apart = np.diff(np.floor(times / span * SLIDER_PIXELS), prepend=-1.0) > 0.0
    shown: list[float] = np.round(times[apart], DECIMALS).tolist()
    return shown


def _counts(counts: Mapping[str, int], noun: str) -> str:
    """Return for example "14 resets: R-GPUCB 10, ET-GPUCB 4"."""
    shown = ", ".join(f"{label} {count:,}" for label, count in counts.items() if count)
    return f"{counted(sum(counts.values()), noun)}: {shown}" if shown else ""
