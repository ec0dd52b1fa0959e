"""The metronome strip: one row per lane, one tick per query.

Ticks at equal distances mean a constant response time; an algorithm that keeps every observation
slows down. Only the first seed of a lane is drawn, since ticks cannot be averaged.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bolt_core import algorithms
from bolt_core.analysis.lanes import Lane, lanes
from bolt_core.analysis.response_times import ResponseTimes, response_times
from bolt_core.analysis.speed_changes import speed_changes
from bolt_core.analysis.standings import Standing, standings
from bolt_core.common.text import LONG_RESPONSE, response
from bolt_core.common.types import Array
from bolt_core.figures.shared.axes import x_end
from bolt_core.figures.shared.chart_dicts import text_chart
from bolt_core.runs.snapshot import RunSnapshot

DECIMALS = 3  # of a tick's time: a millisecond is far below a pixel
MAX_TICKS = 5000  # per row
WINDOW_TICKS = 250  # of the densest row, about: more cannot be told apart
STEADY_GROWTH = 2.0  # at most: a response time that stays steady
SLOWING_GROWTH = 1.5  # at least, and times that of the steady lane: one that grows
NOTHING_TO_COMPARE = "Equal distances between ticks mean a constant response time."


def metronome(snapshots: Sequence[RunSnapshot]) -> dict[str, Any]:
    """Return the strip with a tick at the time of each query.

    Where ticks over the whole horizon could not be told apart, `window` is the number of seconds
    up to the moment shown that the browser draws.
    """
    rows = [lane for lane in lanes(snapshots) if len(lane.runs[0])]
    if not rows:
        return text_chart("Waiting for the first query.")
    end = x_end(snapshots, "seconds")
    caption = response_time_sentences(snapshots)
    drawn = [_row(lane, end) for lane in rows]
    window = _window([row["ticks"] for row in drawn], end)
    return {
        "kind": "strip",
        "rows": drawn,
        "window": window,
        "span": [0.0, round(end, 6)],
        "changes": [[round(c.t, DECIMALS), f"optimizer {c}"] for c in speed_changes(snapshots)],
        "alt": f"One tick per query. {caption}",
        "caption": caption,
    }


def response_time_sentences(snapshots: Sequence[RunSnapshot]) -> str:
    """Return which lane has a steady response time and whose grows, from the first seeds.

    Lanes that wait deliberately are left out. Of lanes on several devices, those are compared that
    share the device of the lane whose response time grows most.
    """
    rows = standings(snapshots)
    first_runs = {lane.label: lane.runs[0] for lane in lanes(snapshots)}
    timed = {row.label: each for row in rows if (each := response_times(first_runs[row.label]))}
    times = {label: each for label, each in timed.items() if not each.waits}
    if not times:
        return NOTHING_TO_COMPARE
    slowing = max(times, key=lambda label: times[label].growth)
    device = first_runs[slowing].config.clock
    slows = times[slowing].growth >= SLOWING_GROWTH
    if not slows and len(times) > 1:
        high = response(max(t.high for t in times.values()))
        parts = [f"All response times stay steady, 95\N{THIN SPACE}% of them at most about {high}"]
    else:
        limit = min(STEADY_GROWTH, times[slowing].growth / SLOWING_GROWTH if slows else math.inf)
        steady = [
            f"90\N{THIN SPACE}% of the response times of {label} are {_range(t)}"
            for label, t in times.items()
            if t.growth <= limit and first_runs[label].config.clock == device
        ]
        parts = steady[:1]
        if slows:
            first, last = response(times[slowing].first), response(times[slowing].last)
            most = " most," if len(times) > 1 else ""
            parts.append(f"the response time of {slowing} grew{most} from {first} to {last}")
    sentence = "; ".join(parts)
    one_device = len({run.config.clock for run in snapshots}) == 1
    return (
        f"{sentence[0].upper()}{sentence[1:]}.{_fast_but_worse(rows, times) if one_device else ''}"
    )


def _fast_but_worse(rows: Sequence[Standing], times: Mapping[str, ResponseTimes]) -> str:
    """Name a lane that is clearly faster than the best one, yet in the worse half by regret.

    Lanes with failed runs are left out, and baselines, which have no rank.
    """
    ranked = [row for row in rows if row.ranked and not row.failed_runs]
    catalog = algorithms.catalog()
    timed = [
        (rank, row.label, times[row.label].high)
        for rank, row in enumerate(ranked, start=1)
        if row.label in times and row.key in catalog and catalog[row.key].kind != "baseline"
    ]
    if not timed:
        return ""
    _, _, best = timed[0]
    rank, label, fastest = min(timed, key=lambda one: one[2])
    if rank - 1 < max(1.0, len(ranked) / 2) or fastest * SLOWING_GROWTH > best:
        return ""
    place = f"number {rank} of {len(ranked)} by regret"
    fastest_of = (
        "fastest of the ranked algorithms" if any(row.beside for row in rows) else "fastest"
    )
    return f" {label} responds {fastest_of}, yet it is {place}: which data is kept matters too."


def _range(times: ResponseTimes) -> str:
    if times.high >= LONG_RESPONSE:
        ends = dict.fromkeys(map(response, (times.low, times.high)))
        return " to ".join(ends)
    low, high = (f"{float(f'{value:.2g}'):g}" for value in (times.low, times.high))
    return f"{high} s" if low == high else f"{low}\N{EN DASH}{high} s"


def _row(lane: Lane, end: float) -> dict[str, Any]:
    ticks = np.round(_first_per_bin(lane.runs[0].columns["t"], end), DECIMALS).tolist()
    row = {"key": lane.key, "label": lane.label, "ticks": ticks}
    return row | ({"failed": True} if lane.failed else {})


def _window(rows: Sequence[Sequence[float]], end: float) -> float | None:
    """Return a round number of seconds with about `WINDOW_TICKS` ticks of the densest row.

    None: the strip shows the whole horizon, because that is not much longer.
    """
    spacings = [row[-1] / len(row) for row in rows if row[-1] > 0.0]
    if not spacings:
        return None
    wanted = WINDOW_TICKS * min(spacings)
    power = 10.0 ** math.floor(math.log10(wanted))
    window = next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= wanted)
    return round(window, DECIMALS) if end > 2.0 * window else None


def _first_per_bin(ticks: Array, end: float) -> Array:
    """Return the first tick of each of `MAX_TICKS` parts of the strip.

    Ticks that were shown stay while the run goes on, so that a strip only grows.
    """
    if len(ticks) <= MAX_TICKS:
        return ticks
    bins = (ticks / end * (MAX_TICKS - 1)).astype(np.intp)
    first: Array = ticks[np.flatnonzero(np.append(True, bins[1:] > bins[:-1]))]
    return first
