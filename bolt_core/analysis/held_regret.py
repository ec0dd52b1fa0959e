r"""Held regret: what is lost while the last setting stays in force and the objective moves on.

    1 / (T - w)  *  integral from w to T of  f(x*_t, t) - f(x_held(t), t) dt

w is the end of the warm-up; T is the horizon of a finished run, and the end of the last pass until
then. A setting holds from its query's time stamp to the next one's. The average over queries counts
only the moments of queries: an algorithm that asks once and then rests is not charged for its rest
there, and here it is. f is without noise. A query that failed holds nothing new.

The integrand is continuous between two queries. The trapezoidal rule is applied between all times
of queries and of the benchmark's grid (`optimum_grid`): its error is of the second order in the
step of the grid, H / 2000 (of a twin of a log, H / 300). f* is taken from the record at queries and
from the grid between them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis import optimum_grid
from bolt_core.analysis.run_outcome import RunOutcome
from bolt_core.common.errors import BoltError
from bolt_core.common.types import Array
from bolt_core.runs.snapshot import Columns, RunSnapshot

MIN_KNOWN_SHARE = 0.75  # of the time since the warm-up: a curve that is known less far is not shown
MAX_POINTS_PER_CALL = 4096  # of f: bounds the memory of a benchmark's temporaries

NO_CURVES: Mapping[str, "HeldCurve"] = MappingProxyType({})

Value = Callable[[Array, Array], Array]  # x (k, d), t (k,) -> f (k,), as `Benchmark.value`
Optimum = tuple[Array, Array]  # times in order, f* at each


@dataclass(frozen=True, slots=True)
class HeldCurve:
    """The integral of the held regret of one run since the end of its warm-up."""

    times: Array  # seconds; the first is the end of the warm-up
    integral: Array  # from the first time to each
    passes: int  # of the snapshot
    settled: int  # nodes up to the last query: later passes do not change them

    def is_of(self, begin: float, asked: Array) -> bool:
        """Whether a run with this end of warm-up and these query times has grown from this one."""
        last = self.times[self.settled - 1]
        return bool(self.times[0] == begin and (last == begin or last in asked))

    def average(self, until: float | None = None) -> float | None:
        """Return the held regret up to a time (default: as far as it is known); None: no time."""
        end = float(self.times[-1]) if until is None else min(until, float(self.times[-1]))
        span = end - float(self.times[0])
        return float(np.interp(end, self.times, self.integral)) / span if span > 0 else None

    def reaches(self, moment: float) -> bool:
        """Whether the curve is known nearly up to a moment; that of a live run lags behind it."""
        begin, end = float(self.times[0]), float(self.times[-1])
        return end - begin >= MIN_KNOWN_SHARE * (moment - begin)

    def averages(self, until: Array) -> Array:
        """Return the held regret up to each of several times; NaN where there is none."""
        ends = np.minimum(until, self.times[-1])
        spans = ends - self.times[0]
        total = np.interp(ends, self.times, self.integral)
        with np.errstate(divide="ignore", invalid="ignore"):
            averages: Array = np.where(spans > 0, total / spans, np.nan)
        return averages


def curve_of(run: RunSnapshot, previous: HeldCurve | None = None) -> HeldCurve | None:
    """Return the held regret of a run on its benchmark, whose grid is computed if it is not known.

    That takes up to a minute: call it neither in charged time nor in a page's thread.
    """
    benchmark = optimum_grid.benchmark_of(run.config)
    grid = optimum_grid.grid_times(benchmark), optimum_grid.computed(benchmark)
    return held_curve(run, benchmark.value, grid, previous)


def held_regret(run: RunSnapshot) -> float | None:
    """Return the held regret of a run up to now, as `curve_of` computes it.

    None where there is none: in the warm-up, without a known optimum, of an unknown benchmark.
    """
    if not np.isfinite(run.columns["best"]).any():
        return None
    try:
        curve = curve_of(run)
    except BoltError:
        return None
    return None if curve is None else curve.average()


def held_regret_if_quick(run: RunSnapshot) -> float | None:
    """Return the held regret for a page: on a built-in benchmark whose grid is known, else None."""
    if run.config.benchmark not in benchmarks.built_in():
        return None
    known = optimum_grid.known(optimum_grid.benchmark_of(run.config)) is not None
    return held_regret(run) if known else None


def held_regrets(
    runs: Sequence[RunSnapshot], curves: Mapping[str, HeldCurve]
) -> list[float] | None:
    """Return the held regret of each run up to the moment that is shown, from known curves.

    None unless the curve of every run is known nearly as far.
    """
    values = []
    for run in runs:
        curve = curves.get(run.run_id)
        now = RunOutcome(run).time_reached if run.moment is None else run.moment
        if curve is None or not curve.reaches(now or 0.0):
            return None
        if (value := curve.average(now)) is None:
            return None
        values.append(value)
    return values


class _Queries(NamedTuple):
    """When each setting took hold, the settings, and f* at those times."""

    times: Array
    x: Array
    best: Array


def held_curve(
    run: RunSnapshot, value: Value, optimum: Optimum, previous: HeldCurve | None = None
) -> HeldCurve | None:
    """Return the held regret of a run up to now; None before the warm-up is over.

    None too where the record has no optimum. `previous` is the curve of an earlier snapshot of the
    same run: only what came after its last query is computed.
    """
    begin, end = RunOutcome(run).warmup_end, _end(run, float(optimum[0][-1]))
    if end <= begin:  # still in the warm-up
        return None
    queries = _queries(run.columns)
    asked = queries.times
    if not len(asked) or asked[0] > begin or np.isnan(queries.best).any():
        return None
    times, integral = np.array([begin]), np.array([0.0])
    if previous is not None and previous.is_of(begin, asked):
        times, integral = previous.times[: previous.settled], previous.integral[: previous.settled]
    nodes, pieces = _pieces(queries, value, optimum, float(times[-1]), end)
    times = np.concatenate([times, nodes[1:]])
    integral = np.concatenate([integral, integral[-1] + np.cumsum(pieces)])
    settled = int(np.searchsorted(times, asked[-1], side="right"))
    return HeldCurve(times, integral, len(run), max(settled, 1))


def _pieces(
    queries: _Queries, value: Value, optimum: Optimum, begin: float, end: float
) -> tuple[Array, Array]:
    """Return the nodes from begin to end, and the integral between each and the next."""
    asked, x, _ = queries
    known_times, known_best = _known_optimum(queries, optimum)
    inner = known_times[(known_times > begin) & (known_times < end)]
    nodes = np.unique(np.concatenate([[begin], inner, [end]]))
    best = np.interp(nodes, known_times, known_best)
    held = np.searchsorted(asked, nodes[:-1], side="right") - 1  # from each node to the next
    at_left = _values(value, x[held], nodes[:-1])
    changes = np.append(held[1:] != held[:-1], True)  # elsewhere the next left value is the same
    at_right = np.append(at_left[1:], np.nan)
    at_right[changes] = _values(value, x[held[changes]], nodes[1:][changes])
    lost = (best[:-1] - at_left) + (best[1:] - at_right)
    return nodes, 0.5 * lost * np.diff(nodes)


def _known_optimum(queries: _Queries, optimum: Optimum) -> Optimum:
    """Return f* at the times of queries and of the grid; where they meet, the record's."""
    times = np.concatenate([queries.times, optimum[0]])
    times, first = np.unique(times, return_index=True)
    return times, np.concatenate([queries.best, optimum[1]])[first]


def _queries(columns: Columns) -> _Queries:
    """Return the queries that did not fail, in the order of their time stamps."""
    failed = np.array(["failed" in notes for notes in columns.notes[: columns.length]], dtype=bool)
    rows = np.flatnonzero(~failed & np.isfinite(columns["value"]))
    rows = rows[np.argsort(columns["t"][rows], kind="stable")]
    return _Queries(columns["t"][rows], columns["x"][rows], columns["best"][rows])


def _values(value: Value, x: Array, t: Array) -> Array:
    parts = range(0, len(t), MAX_POINTS_PER_CALL)
    chunks = [value(x[k : k + MAX_POINTS_PER_CALL], t[k : k + MAX_POINTS_PER_CALL]) for k in parts]
    return np.concatenate([np.asarray(chunk, dtype=float) for chunk in chunks])


def _end(run: RunSnapshot, longest: float) -> float:
    """Return the time up to which a run has come, at most its own horizon and the benchmark's."""
    horizon = float((run.header or {}).get("horizon") or longest)
    return min(RunOutcome(run).time_reached or 0.0, horizon, longest)
