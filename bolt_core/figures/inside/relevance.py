r"""Relevance score W_2 of each observation kept: a stem and a circle at the time it was made.

The scores come from outside, since they need a surrogate; here they are only drawn. If the
algorithm removes by this score, the lowest is next once D is above n*, and the observations removed
last are crosses at the scores they had then, if the record has them. A score compares two
surrogates with the same hyperparameters and the same fitted mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core.algorithms.bolt import MIN_OBSERVATIONS
from bolt_core.analysis.downsample import thin
from bolt_core.analysis.surrogate_from_record import why_none
from bolt_core.common.text import clock_time, significant
from bolt_core.common.types import Array
from bolt_core.figures.shared.chart_dicts import axis, note, plot, power_ticks, time_axis
from bolt_core.figures.shared.traces import Trace, dots, line, stems
from bolt_core.runs.lane_names import label
from bolt_core.runs.snapshot import RunSnapshot

BY_SCORE = ("bolt", "bolt-literal", "bolt-plain")  # algorithms that remove the lowest W_2
LAST = 20  # removals shown
MAX_STEMS = 260  # with more observations, only circles are drawn
ROOM_DECADES = 0.6  # below the lowest score, for the text at its foot
MAX_DECADES = 6  # lower scores are drawn at the bottom
NO_SURROGATE = "No surrogate yet: it is learned after the warm-up."


@dataclass(frozen=True, slots=True)
class Relevance:
    """Scores of the observations kept after `version` passes."""

    version: int
    t: float = 0.0  # of the newest observation, seconds
    ids: tuple[int, ...] = ()
    scores: Sequence[float] = ()  # W_2: standardised y times sqrt(seconds)
    reason: str | None = None  # why there are no scores

    @property
    def lowest(self) -> int | None:
        """The id of the observation with the lowest score."""
        return self.ids[int(np.argmin(self.scores))] if self.ids else None


def relevance(run: RunSnapshot, scored: Relevance | None) -> dict[str, Any]:
    """Return the chart of the scores; without scores, empty axes with the reason as `alt`."""
    time_title, score_title = "time of query", "W<sub>2</sub> score"
    if scored is None or not scored.ids:
        axes = {"xaxis": axis(f"{time_title} (s)"), "yaxis": axis(score_title)}
        return plot([], axes, missing_scores_reason(run, scored), "")
    scores = np.asarray(scored.scores, dtype=float)
    times = run.columns["t"][list(scored.ids)]
    removed_times, removed_scores = _removed(run, scored.version)
    low, high = span = _span(np.concatenate([scores, removed_scores]))
    foot = 10.0**low
    at, key = int(np.argmin(scores)), run.config.algorithm
    shown, crossed = np.maximum(scores, foot), np.maximum(removed_scores, foot)
    stemmed = len(times) if len(times) <= MAX_STEMS else 0
    strokes = stems(times[:stemmed], foot, shown[:stemmed])
    traces = [
        line(*strokes, "stems", key=key, width=1, opacity=0.45, hover="skip"),
        line(times[[at, at]], np.array([foot, shown[at]]), "foot", key=key, hover="skip"),
        _marks(key, *thin(times, shown), "kept", "circle-open", 6),
        _marks(key, removed_times, crossed, "recently removed", "x-open", 7),
        _marks(key, times[[at]], shown[[at]], "lowest", "circle", 11),
    ]
    layout = {
        "xaxis": time_axis(1.02 * scored.t or 1.0, time_title),
        "yaxis": axis(score_title, type="log", range=[low, high], **power_ticks(span)),
        "hovermode": "closest",
        "annotations": [_note(run, float(times[at]), low, scored.t)],
    }
    alt = (
        f"{label(key)}, relevance of the {len(scored.ids):,} observations kept: the one made at "
        f"{clock_time(times[at])} matters least, W2 {significant(scores[at])}; {fate(run)}."
    )
    caption = (
        f"How much the surrogate would change without each of the {len(scored.ids):,} observations "
        f"kept, at {clock_time(scored.t)}, with the fitted mean kept; logarithmic."
    )
    if count := len(removed_scores):
        alt += f" Crosses: the last {count} removed."
        caption += " Crosses: recently removed."
    return plot(traces, layout, alt, caption)


def missing_scores_reason(run: RunSnapshot, scored: Relevance | None) -> str:
    """Return why there are no scores."""
    if scored is not None and scored.reason:
        return scored.reason
    if not len(run) or not np.isfinite(run.columns["signal_variance"][-1]):
        return NO_SURROGATE
    return why_none(run) or "Computing the scores."


def fate(run: RunSnapshot) -> str:
    """Return what happens to the observation with the lowest score."""
    if run.config.algorithm not in BY_SCORE:
        return "lowest score"
    n_star = run.columns["n_star"][-1] if len(run) else np.nan
    full = len(run) and run.sizes()[-1] + 1 > max(n_star, MIN_OBSERVATIONS)  # False if n* is NaN
    return "removed next if still lowest" if full else "would be removed first"


def _removed(run: RunSnapshot, version: int) -> tuple[Array, Array]:
    """Return times and scores of the observations removed last, where the record has the scores."""
    removed: list[tuple[int, float]] = []
    if run.config.algorithm in BY_SCORE:  # the scores of other algorithms are not W_2
        for row in range(min(version, len(run)) - 1, -1, -1):
            ids, scores = run.columns.removed[row], run.columns.notes[row].get("scores", ())
            removed += list(zip(ids, scores, strict=False))
            if len(removed) >= LAST or version - row > 10 * LAST:
                break
    removed = removed[:LAST]
    times = run.columns["t"][[i for i, _ in removed]]
    return times, np.array([score for _, score in removed], dtype=float)


def _span(scores: Array) -> tuple[float, float]:
    """Return the ends of the axis as powers of ten: whole decades, so that there are ticks."""
    highest = float(np.max(scores))
    if not highest > 0.0:
        return -1.0, 0.0
    top = float(np.ceil(np.log10(highest) + 1e-9))
    lowest = max(float(np.min(scores)), 10.0 ** (top - MAX_DECADES))
    return min(float(np.floor(np.log10(lowest) - ROOM_DECADES)), top - 1.0), top


def _marks(key: str, x: Array, y: Array, name: str, symbol: str, size: int) -> Trace:
    hover = f"{name}: made at %{{x:.3~r}} s, W<sub>2</sub> %{{y:.3~g}}<extra></extra>"
    edge = 1.5 if symbol.endswith("-open") else 0.0
    look: dict[str, Any] = {"symbol": symbol, "size": size, "edge": edge, "cliponaxis": False}
    return dots(x, y, name, key=key, hover=hover, **look)


def _note(run: RunSnapshot, x: float, y: float, now: float) -> dict[str, Any]:
    """Return the text at the foot of the lowest, where there are only stems."""
    anchor = "left" if x < 0.1 * now else "right" if x > 0.9 * now else "center"
    # The browser replaces white by the background of its theme.
    place = {"xanchor": anchor, "yanchor": "bottom", "yshift": 2, "bgcolor": "white"}
    return note(f"<b>{fate(run)}</b>", x, y, name=run.config.algorithm, **place)
