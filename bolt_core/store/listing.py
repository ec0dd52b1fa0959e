"""The list of races on the Runs page: one row per race, with its winner and its progress."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import Any

from bolt_core import benchmarks
from bolt_core.algorithms import is_baseline
from bolt_core.analysis.lanes import LaneKind, kind_names, lane_kind
from bolt_core.analysis.run_outcome import ends_early
from bolt_core.analysis.seed_statistics import leaders
from bolt_core.common.devices import disturbed_label, speed_label
from bolt_core.common.text import listed
from bolt_core.common.types import RunConfig, RunStatus
from bolt_core.runs.lane_names import label
from bolt_core.runs.own_problem import clock_label, is_own_record
from bolt_core.runs.race_snapshot import DISTURBED_RATIO
from bolt_core.store.library import StoredRace
from bolt_core.store.record_files import RecordFile

MAX_ALGORITHMS_NAMED = 4  # before "and 5 more"
AGE_UNITS = ((60.0, "s"), (60.0, "min"), (24.0, "h"), (7.0, "d"), (52.0, "weeks"))


@dataclass(frozen=True, slots=True)
class Row:
    """One race as text and numbers; a number that is unknown is None."""

    race_id: str
    name: str  # given by its owner, or the time of its start
    status: RunStatus
    benchmark: str
    algorithms: str
    seeds: str
    clock: str
    best: str | None  # the lane with the lowest average regret; several that read the same
    regret: float | None  # its average regret, mean over seeds
    n: float | None  # its final dataset size, mean over seeds
    n_star: float | None  # its final n*, mean over the seeds that have one
    corner_share: float | None  # of its queries at corners, mean over seeds
    steps: int  # queries of all runs
    age: str
    spark: list[float]  # running average regret of its first run
    megabytes: float
    tags: tuple[str, ...]
    problem: str | None = None  # what is missing or cannot be read
    broken: bool = False  # whether nothing of the race can be shown
    saved: bool = False  # by `opt.save`: a problem of the user, not a race that was cut off


def listing(
    races: Sequence[StoredRace], statuses: Mapping[str, RunStatus], now: float
) -> list[Row]:
    """Return one row per race, in order.

    `statuses` holds those of live races; `now` is in seconds since the epoch. A race that cannot
    be summarised gets a row with the reason, so that it can be deleted.
    """
    return [_row_or_reason(race, statuses.get(race.race_id), now) for race in races]


def matching(rows: Sequence[Row], words: str) -> list[Row]:
    """Return the rows that contain every word of a search."""
    searched = words.lower().split()
    return [row for row in rows if all(word in _text(row) for word in searched)]


def age(seconds: float) -> str:
    """Return an age in its largest unit: 45 s, 3 h, 2 weeks."""
    left = max(seconds, 0.0)
    for size, unit in AGE_UNITS:
        if left < size:
            return f"{left:.0f} {unit}"
        left /= size
    return f"{left:.0f} years"


def benchmark_label(config: RunConfig, header: Mapping[str, Any] | None) -> str:
    """Return the name of a benchmark; for one that is not installed, the name in the record."""
    spec = benchmarks.catalog().get(config.benchmark)
    return spec.label if spec else str((header or {}).get("label") or config.benchmark)


def _row_or_reason(race: StoredRace, status: RunStatus | None, now: float) -> Row:
    if not race.runs:
        return _broken_row(race, race.problem or "It has no records.", now)
    try:
        return _row(race, status or race.status, None if status else race.problem, now)
    except Exception as problem:  # noqa: BLE001 - one race must not hide the others
        return _broken_row(race, f"It cannot be summarised: {problem}", now)


def _broken_row(race: StoredRace, problem: str, now: float) -> Row:
    return Row(
        race_id=race.race_id,
        name=race.name or race.race_id,
        status=RunStatus.FAILED,
        benchmark="",
        algorithms="",
        seeds="",
        clock="",
        best=None,
        regret=None,
        n=None,
        n_star=None,
        corner_share=None,
        steps=0,
        age=age(now - race.changed),
        spark=[],
        megabytes=race.size / 1e6,
        tags=race.tags,
        problem=problem,
        broken=True,
    )


def _row(race: StoredRace, status: RunStatus, problem: str | None, now: float) -> Row:
    first, (best, winning) = race.runs[0], _best(race.runs)
    shown = winning or [first]
    names = [label(k) for k in dict.fromkeys(run.config.algorithm for run in race.runs)]
    unnamed = len(names) - MAX_ALGORITHMS_NAMED
    more = f" and {unnamed} more" if unnamed > 0 else ""
    seeds = sorted({run.config.seed for run in race.runs})
    return Row(
        race_id=race.race_id,
        name=race.name or _started(first.header),
        status=status,
        saved=status == RunStatus.INTERRUPTED and is_own_record(first.config, first.header),
        benchmark=benchmark_label(first.config, first.header),
        algorithms=", ".join(names[:MAX_ALGORITHMS_NAMED]) + more,
        seeds=str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]}\N{EN DASH}{seeds[-1]}",
        clock="; ".join(
            [
                clock_label(first.config, first.header),
                *_speed_changes(race.runs),
                *_disturbed(race.runs),
            ]
        ),
        best=best,
        regret=_mean(winning, "regret"),
        n=_mean(shown, "n"),
        n_star=_mean(shown, "n_star"),
        corner_share=_mean(shown, "corner_share"),
        steps=sum(run.summary.get("iterations", 0) for run in race.runs),
        age=age(now - race.changed),
        spark=list(shown[0].summary.get("spark", ())),
        megabytes=race.size / 1e6,
        tags=race.tags,
        problem=problem,
    )


def _speed_changes(runs: Sequence[RecordFile]) -> list[str]:
    """Return the changes of the device's speed while the race ran; its runs share them."""
    noted = max((run.summary.get("speeds", []) for run in runs), key=len)
    return [f"{speed_label(factor)} at {t:.0f} s" for t, factor in noted]


def _disturbed(runs: Sequence[RecordFile]) -> list[str]:
    """Return that other programs disturbed the timings of the race, if they did."""
    ratio = max(run.summary.get("contention", 0.0) for run in runs)
    return [disturbed_label(ratio)] if ratio > DISTURBED_RATIO else []


def _started(header: Mapping[str, Any]) -> str:
    """Return the start as 16 Nov 2026, 05:36 UTC; without one, the id of the run."""
    try:
        return f"{datetime.fromisoformat(header['started']):%-d %b %Y, %H:%M} UTC"
    except (KeyError, TypeError, ValueError):
        return str(header.get("run_id", ""))


def _best(runs: Sequence[RecordFile]) -> tuple[str | None, list[RecordFile]]:
    """Return the names of the lanes with the lowest average regret, and the runs of the lowest.

    Lanes, means and ties are those of the leaderboard; failed runs do not count, and a lane with a
    run that stopped asking wins nothing, nor does a baseline against other algorithms.
    """
    lanes: dict[LaneKind, list[RecordFile]] = {}
    for run in runs:
        if run.status != RunStatus.FAILED:
            lanes.setdefault(lane_kind(run.config), []).append(run)
    regrets = {
        kind: regret
        for kind, members in lanes.items()
        if (regret := _mean(members, "regret")) is not None and not any(map(_ended_early, members))
    }
    if not regrets:
        return None, []
    competing = {kind: r for kind, r in regrets.items() if not is_baseline(kind.config.algorithm)}
    regrets = competing or regrets
    names = dict(zip(lanes, kind_names(tuple(lanes)), strict=True))
    lowest = min(regrets, key=regrets.__getitem__)
    return listed([names[kind] for kind in leaders(regrets)]), lanes[lowest]


def _ended_early(run: RecordFile) -> bool:
    """Whether a finished run stopped asking; the end of its last pass stands for its query."""
    end, horizon = run.summary.get("t"), (run.header or {}).get("horizon")
    if run.status != RunStatus.FINISHED or end is None or horizon is None:
        return False
    return ends_early(float(end), float(horizon))


def _mean(runs: Sequence[RecordFile], quantity: str) -> float | None:
    """Return the mean over the runs whose summary has the quantity."""
    values = [v for run in runs if (v := run.summary.get(quantity)) is not None]
    return fmean(values) if values else None


def _text(row: Row) -> str:
    searchable = (
        row.name,
        row.status,
        row.benchmark,
        row.algorithms,
        row.clock,
        row.race_id,
        *row.tags,
    )
    return " ".join(searchable).lower()
