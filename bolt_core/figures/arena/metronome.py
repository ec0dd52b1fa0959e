"""The metronome strip: a row a lane, a tick for each observation.

A metronome keeps its beat whatever it has to carry; an algorithm that keeps everything does not.
First seeds only: the beat of one run can be seen, a mean of beats cannot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bolt_core import algorithms
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.analysis.standings import Standing, standings
from bolt_core.common.types import Array
from bolt_core.figures.shared.axes import across
from bolt_core.runs.snapshot import RunSnapshot

PLACES = 3  # of a tick's seconds: a millisecond is far below a pixel
TICKS = 2000  # a row: more than a strip has pixels
SHARE = 0.1  # of the time so far, at each end: their passes make a beat
BEATS = 5  # of them at least
SAMPLE = 500  # passes, about: enough to say what nine of ten took
WAITED = "Each tick is an observation: look who keeps the beat."  # nothing can be said yet
WAITING = 0.1  # of its time, from which on an algorithm is one that waits
KEPT = 2.0  # times slower, at most: a beat that is kept
SLOWED = 1.5  # times slower, at least, and than the one that is kept: a beat that is lost


@dataclass(frozen=True, slots=True)
class Beat:
    """Seconds from question to question: in the first tenth of a run, in the last, and between."""

    label: str
    first: float
    last: float
    least: float  # nine of ten passes took between these
    most: float
    longest: float
    waits: bool = False  # it chose its own moments: its ticks are no beat

    @property
    def slowed(self) -> float:
        return self.last / self.first

    @property
    def span(self) -> str:
        low, high = f"{self.least:.2g}", f"{self.most:.2g}"
        return f"{high} s" if low == high else f"{low} to {high} s"


def metronome(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Ticks at the times of the observations, over the whole horizon."""
    rows = [lane for lane in lanes(snapshots) if len(lane.runs[0])]
    if not rows:
        return {"kind": "text", "text": "Waiting for the first observation.", "tone": "muted"}
    end = across(snapshots, "seconds")
    said = beats_in_words(snapshots)
    return {
        "kind": "strip",
        "rows": [_row(lane, end) for lane in rows],
        "span": [0.0, round(end, 6)],
        "alt": f"One tick for each observation. {said}",
        "caption": said,
    }


def beats_in_words(snapshots: Sequence[RunSnapshot]) -> str:
    """Who keeps the beat and who loses it, from the passes themselves."""
    over = all(run.status.ended for run in snapshots)
    rows = standings(snapshots)
    rank = {row.label: place for place, row in enumerate(rows)}
    ordered = sorted(lanes(snapshots), key=lambda lane: rank[lane.label])
    found = [one for lane in ordered if (one := beat(lane.runs[0], lane.label))]
    if not found:
        return WAITED
    kept = next((one for one in found if one.slowed <= KEPT and not one.waits), None)
    lost = max(found, key=lambda one: one.slowed)
    told = [_keeps(kept, over)] if kept else []
    if lost.slowed >= SLOWED * (kept.slowed if kept else 1.0):
        whose = f"{lost.label}'s beat slowed from"
        told.append(f"{whose} {lost.first:.2g} s to {lost.last:.2g} s")
    elif len(found) > 1:
        most = f"{max(one.longest for one in found):.2g} s"
        told = [
            f"all kept their beat: nobody needed more than {most}"
            if over
            else f"So far all keep their beat: nobody needs more than {most}"
        ]
    if not told:
        return WAITED
    said = ("Over the whole race " if over else "") + "; ".join(told) + "."
    return said + _not_enough(rows, found)


def _not_enough(rows: Sequence[Standing], beats: Sequence[Beat]) -> str:
    """A beat that does not help: clearly quicker than the best's, in the worse half by regret.

    Who failed, waits on purpose or does not think at all (a baseline) is not meant.
    """
    ranked = [row for row in rows if row.average_regret is not None and not row.failed_runs]
    of = {one.label: one for one in beats if not one.waits}
    known = algorithms.catalog()
    thinking = [row for row in ranked if row.key in known and known[row.key].kind != "baseline"]
    timed = [(of[row.label], ranked.index(row)) for row in thinking if row.label in of]
    if not timed:
        return ""
    (best, _), (quickest, place) = timed[0], min(timed, key=lambda one: one[0].most)
    if place < max(1.0, len(ranked) / 2) or quickest.most * SLOWED > best.most:
        return ""
    where = f"number {place + 1} of {len(ranked)} by regret"
    return f" {quickest.label}'s beat is the quickest, yet it is {where}: what is kept counts too."


def beat(run: RunSnapshot, label: str = "") -> Beat | None:
    """What a full pass takes at both ends of a run; None while there are too few.

    An algorithm that waits on purpose is not slow: its waits are left out.
    """
    warm = int(np.sum(run.columns["warmup"]))
    t, took = run.columns["t"][warm:], (run.columns["seconds"] - run.columns["waited"])[warm:]
    if len(t) < 2 * BEATS:
        return None
    share = SHARE * (t[-1] - t[0])
    first = took[: max(BEATS, int(np.searchsorted(t, t[0] + share)))]
    last = took[min(len(t) - BEATS, int(np.searchsorted(t, t[-1] - share))) :]
    ends = float(np.median(first)), float(np.median(last))
    some = took[:: 1 + len(took) // SAMPLE]
    least, most = (float(q) for q in np.quantile(some, [0.05, 0.95]))
    waits = float(np.sum(run.columns["waited"])) > WAITING * float(t[-1])
    return Beat(label, *ends, least, most, float(took.max()), waits) if min(ends) > 0.0 else None


def _keeps(kept: Beat, over: bool) -> str:
    if over:
        return f"{kept.label} answered every {kept.span}, nine times in ten"
    return f"{kept.label} answers every {kept.span}, nine times in ten"


def _row(lane: Lane, end: float) -> dict[str, Any]:
    row = {
        "key": lane.key,
        "label": lane.label,
        "ticks": np.round(_few(lane.runs[0], end), PLACES).tolist(),
    }
    return row | ({"failed": True} if lane.failed else {})


def _few(run: RunSnapshot, end: float) -> Array:
    """The first tick of each two-thousandth of the strip: none that a pixel could show is lost.

    What was kept stays kept while the run goes on, so that a strip only ever grows.
    """
    ticks: Array = run.columns["t"]
    if len(ticks) <= TICKS:
        return ticks
    bins = (ticks / end * (TICKS - 1)).astype(np.intp)
    first: Array = ticks[np.flatnonzero(np.append(True, bins[1:] > bins[:-1]))]
    return first
