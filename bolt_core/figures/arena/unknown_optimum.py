"""What was measured, for a problem of one's own: nobody knows its optimum, so it has no regret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import rounded, thin
from bolt_core.analysis.lanes import lanes
from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import RunSnapshot


def unknown_optimum(snapshots: Sequence[RunSnapshot]) -> bool:
    """No query of these runs has a regret, though there are queries."""
    made = [run for run in snapshots if len(run)]
    return bool(made) and not any(np.isfinite(run.columns["best"]).any() for run in made)


def measurements(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """y against time in the caller's own units; warm-up queries included."""
    drawn = [(lane, *_told(run)) for lane in lanes(snapshots) for run in lane.runs[:1] if len(run)]
    if not drawn:
        return {"kind": "text", "text": "Nothing was measured yet.", "tone": "muted"}
    traces = [
        {
            "type": "scatter",
            "mode": "markers",
            "meta": lane.key,
            "name": lane.label,
            "x": rounded(x),
            "y": rounded(y),
            "marker": {"size": 5},
            "hovertemplate": "%{y:,.4~r}",
        }
        for lane, x, y in drawn
    ]
    name = str((snapshots[0].header or {}).get("label") or "your problem")
    told = "; ".join(f"{lane.label} {significant(float(y[-1]))} last" for lane, _, y in drawn)
    layout = {
        "xaxis": {"title": {"text": "time (s)"}},
        "yaxis": {"title": {"text": "y"}},
        "shapes": [],
        "annotations": [],
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "meta": {
            "alt": f"Measurements of {name}: {told}.",
            "caption": "What was measured, one dot a query. Nobody knows the moving optimum of a "
            "problem of your own, so there is no regret to draw.",
        },
    }
    return {"kind": "plot", "data": traces, "layout": layout, "times": ["x"] * len(traces)}


def _told(run: RunSnapshot) -> tuple[Array, Array]:
    """Times and values as they were told; failed measurements are left out."""
    failed = np.array(["failed" in notes for notes in run.columns.notes[: len(run)]], bool)
    sign = -1.0 if (run.header or {}).get("minimize") else 1.0
    x, y = run.columns["t"][~failed], sign * run.columns["y"][~failed]
    return thin(x, y)
