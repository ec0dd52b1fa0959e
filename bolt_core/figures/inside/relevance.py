r"""W_2 score of each kept observation: a lollipop at the time it was taken, the lowest one filled.

The scores come from outside (they take a surrogate); here they are only drawn. Where the algorithm
removes by this very score, the lowest leaves next, and the last that left stand as hollow crosses
at the scores they had then, if the record carries them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.analysis.downsample import POINTS_PER_TRACE, rounded, thin
from bolt_core.analysis.surrogate_from_record import why_none
from bolt_core.common.text import significant
from bolt_core.common.types import Array
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

BY_SCORE = ("bolt", "bolt-literal")  # whose removals are of the lowest W_2
LAST = 20  # removals shown
STEMS = 260  # beyond, they would be a wall: heads only
ROOM = 0.6  # of a decade, below the lowest: its caption stands there
DECADES = 6  # at most: what is lower lies at the bottom


@dataclass(frozen=True, slots=True)
class Relevance:
    """What a surrogate says of its data after `version` passes."""

    version: int
    t: float = 0.0  # seconds, of the newest observation
    ids: tuple[int, ...] = ()
    scores: Sequence[float] = ()  # W_2, standardised y times sqrt(seconds)
    reason: str | None = None  # why there are none

    @property
    def lowest(self) -> int | None:
        """The id of the observation that matters least."""
        return self.ids[int(np.argmin(self.scores))] if self.ids else None


def relevance(run: RunSnapshot, found: Relevance | None) -> dict[str, Any]:
    """The lollipops of `found`, or what they wait for."""
    if found is None or not found.ids:
        return _nothing(missing_scores_reason(run, found))
    scores = np.asarray(found.scores, dtype=float)
    times = run.columns["t"][list(found.ids)]
    gone_t, gone = _removed(run, found.version)
    low, high = _range(np.concatenate([scores, gone]))
    at = int(np.argmin(scores))
    shown = np.maximum(scores, 10.0**low)
    traces = [
        *_stems(run, times, shown, 10.0**low),
        _foot(run, times[at], shown[at], 10.0**low),
        _heads(run, *thin(times, shown), "kept", "circle-open", 6),
        _heads(run, gone_t, np.maximum(gone, 10.0**low), "removed lately", "x-open", 7),
        _heads(run, times[at : at + 1], shown[at : at + 1], "lowest", "circle", 11),
    ]
    return {
        "kind": "plot",
        "data": [trace for trace in traces if trace["x"]],
        "layout": {
            "xaxis": {"title": {"text": "time taken (s)"}, "range": [0.0, 1.02 * found.t or 1.0]},
            "yaxis": {
                "title": {"text": "W<sub>2</sub> score"},
                "type": "log",
                "range": [low, high],
                **_decades(low, high),
            },
            "hovermode": "closest",
            "shapes": [],
            "annotations": [_caption(run, times[at], low, found.t)],
            "margin": {"l": 8, "r": 12, "t": 12, "b": 8},
            "meta": {
                "alt": _in_words(run, found, times[at], scores[at], len(gone)),
                "caption": _below(found, len(gone)),
            },
        },
    }


def missing_scores_reason(run: RunSnapshot, found: Relevance | None) -> str:
    """What is said instead of lollipops."""
    if found is not None and found.reason:
        return found.reason
    if not len(run) or not np.isfinite(run.columns["signal_variance"][-1]):
        return "No surrogate yet: it is learned when the warm-up is over."
    return why_none(run) or "Computing the scores."


def fate(run: RunSnapshot) -> str:
    """What becomes of the lowest."""
    if run.config.algorithm not in BY_SCORE:
        return "lowest score"
    n_star = run.columns["n_star"][-1] if len(run) else np.nan
    return "leaves next" if np.isfinite(n_star) else "would leave first"


def _removed(run: RunSnapshot, version: int) -> tuple[Array, Array]:
    """Times taken and scores of the last that left, where the record has their scores."""
    found: list[tuple[int, float]] = []
    if run.config.algorithm in BY_SCORE:  # others' "scores" are of another kind
        for row in range(min(version, len(run)) - 1, -1, -1):
            ids, scores = run.columns.removed[row], run.columns.notes[row].get("scores", ())
            found += list(zip(ids, scores, strict=False))
            if len(found) >= LAST or version - row > 10 * LAST:
                break
    found = found[:LAST]
    times = run.columns["t"][[i for i, _ in found]]
    return times, np.array([score for _, score in found], dtype=float)


def _range(scores: Array) -> tuple[float, float]:
    """Whole decades, so that there is always a tick to read."""
    highest = float(np.max(scores))
    if not highest > 0.0:
        return -1.0, 0.0
    top = float(np.ceil(np.log10(highest) + 1e-9))
    lowest = max(float(np.min(scores)), 10.0 ** (top - DECADES))
    return min(float(np.floor(np.log10(lowest) - ROOM)), top - 1.0), top


def _decades(low: float, high: float) -> dict[str, Any]:
    """A tick at each power of ten, in the size of other ticks (plotly's own are larger)."""
    powers = range(round(low), round(high) + 1)
    names = [f"10<sup>{k}</sup>".replace("-", "\N{MINUS SIGN}") for k in powers]
    return {"tickvals": [10.0**k for k in powers], "ticktext": names}


def _stems(run: RunSnapshot, times: Array, shown: Array, bottom: float) -> list[dict[str, Any]]:
    if len(times) > STEMS:
        return []
    gap = np.full(len(times), np.nan)
    x = np.column_stack([times, times, gap]).ravel()
    y = np.column_stack([np.full(len(times), bottom), shown, gap]).ravel()
    style = {"mode": "lines", "line": {"width": 1}, "opacity": 0.45, "hoverinfo": "skip"}
    return [_trace(run, x, y) | style | {"name": "stems"}]


def _foot(run: RunSnapshot, x: float, top: float, bottom: float) -> dict[str, Any]:
    """The stem of the lowest, so that its caption is not lost among the others."""
    style = {"mode": "lines", "line": {"width": 2}, "hoverinfo": "skip", "name": "foot"}
    return _trace(run, np.array([x, x]), np.array([bottom, top])) | style


def _heads(
    run: RunSnapshot, x: Array, y: Array, name: str, symbol: str, size: int
) -> dict[str, Any]:
    marker = {"symbol": symbol, "size": size, "line": {"width": 1.5 * symbol.endswith("-open")}}
    hover = f"{name}: taken at %{{x:.3~r}} s, W<sub>2</sub> %{{y:.3~g}}<extra></extra>"
    style = {"mode": "markers", "marker": marker, "name": name, "hovertemplate": hover}
    return _trace(run, x, y) | style | {"cliponaxis": False}


def _trace(run: RunSnapshot, x: Array, y: Array) -> dict[str, Any]:
    assert len(x) <= POINTS_PER_TRACE
    return {"type": "scatter", "meta": run.config.algorithm, "x": rounded(x), "y": rounded(y)}


def _caption(run: RunSnapshot, x: float, y: float, now: float) -> dict[str, Any]:
    """At the foot of the lowest, where there are only stems."""
    edge = "left" if x < 0.1 * now else "right" if x > 0.9 * now else "center"
    return {
        "name": run.config.algorithm,
        "text": f"<b>{fate(run)}</b>",
        "showarrow": False,
        "x": float(x),
        "y": float(y),
        "xanchor": edge,
        "yanchor": "bottom",
        "yshift": 2,
        "bgcolor": "white",  # the theme's ground in its place, on the screen
    }


def _in_words(run: RunSnapshot, found: Relevance, t: float, score: float, gone: int) -> str:
    said = (
        f"Relevance of the {len(found.ids):,} observations {label(run.config.algorithm)} keeps: "
        f"the one taken at {t:.1f} s matters least, W2 {significant(score)}; {fate(run)}."
    )
    return said + f" Crosses: the last {gone} that left." * bool(gone)


def _below(found: Relevance, gone: int) -> str:
    return (
        f"How much the surrogate would change without it, at {found.t:.1f} s; logarithmic. "
        f"{len(found.ids):,} observations are kept." + " Crosses: who left lately." * bool(gone)
    )


def _nothing(text: str) -> dict[str, Any]:
    return {
        "kind": "plot",
        "data": [],
        "layout": {
            "xaxis": {"title": {"text": "time taken (s)"}},
            "yaxis": {"title": {"text": "W<sub>2</sub> score"}},
            "shapes": [],
            "annotations": [],
            "meta": {"alt": text},
        },
    }
