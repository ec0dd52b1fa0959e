"""A campaign's results in one small file, from which a report is made without the records.

It holds for each run: its config and key, the averages, held regret (files of earlier versions do
not have it: "not recorded"), mean R(n), median n and n*, and two curves of at most 200 points,
average regret and dataset size over time; for a failed run, the reason. 270 runs are about a
megabyte of gzipped JSON. Every report is made from `Results`, so a report made from the file is the
same.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bolt_core import benchmarks
from bolt_core.analysis import curves
from bolt_core.analysis.downsample import rounded, thin
from bolt_core.analysis.held_regret import held_regret
from bolt_core.analysis.run_outcome import RunOutcome, ends_early
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.common import files, paths
from bolt_core.common.bounded_read import read_bounded
from bolt_core.common.errors import RecordError
from bolt_core.common.types import Array, RunConfig
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import records

FILE = "results.json.gz"
BUNDLED = paths.DATA / "campaign" / FILE  # the built-in campaign
SCHEMA = 2
POINTS = 200  # of a curve
MACHINE_FIELDS = ("cpu", "blas_threads", "python", "commit", "versions")
DATE_LENGTH = len("2026-01-31")
UNREADABLE = (
    OSError,
    EOFError,
    zlib.error,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)

Curve = tuple[list[float], list[float]]  # seconds, values


@dataclass(frozen=True, slots=True)
class RunResult:
    """The outcome of one run, with two curves."""

    config: RunConfig
    averages: Mapping[str, float | None]  # the four of regret.Averages
    response: float | None  # mean R(n) over full passes, seconds
    size: float | None  # median |D| over full passes
    n_star: float | None  # median over full passes; no limit counts as the highest
    iterations: int
    source: str  # of the benchmark's values: closed form, recording, simulation
    regret_curve: Curve  # running average without warm-up
    size_curve: Curve
    held_regret: float | None = None  # None: not recorded, or there is none
    last_query: float | None = None  # seconds; None: not recorded
    horizon: float | None = None  # of the run, seconds; None: not recorded
    corner_share: float | None = None  # of queries without the warm-up; None: not recorded
    no_structure_share: float | None = None  # of full passes; None: not recorded, or no surrogate

    @property
    def stopped_asking(self) -> bool:
        """Whether the run made no query in the last tenth of its horizon.

        Where the file does not have the last query's time, the end of its pass stands for it.
        """
        ends = self.size_curve[0]
        last = ends[-1] if self.last_query is None and ends else self.last_query
        horizon = self.horizon
        if horizon is None and self.last_query is None:  # of an earlier version
            horizon = self.config.horizon or _own_horizon(self.config.benchmark)
        return last is not None and horizon is not None and ends_early(last, horizon)


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that failed; a campaign tries a run twice."""

    algorithm: str
    benchmark: str
    seed: int
    reason: str


@dataclass(frozen=True, slots=True)
class Results:
    """A campaign's finished and failed runs, and the machines and versions that made them."""

    name: str
    note: str
    planned: int
    runs: tuple[RunResult, ...]
    made: tuple[Mapping[str, Any], ...]  # distinct machines and versions, with their `runs`
    failed: tuple[Failure, ...] = ()


def gather(campaign: Campaign) -> Results:
    """Return the results of a campaign from its records."""
    states = campaign.states()
    failed = campaign.reasons(states)
    runs = []
    for key in (key for key, state in states.items() if state == State.FINISHED):
        try:
            snapshot = records.read(campaign.path(key))
        except RecordError:
            failed[key] = campaign.damaged(key)
            continue
        held = held_regret(snapshot)
        runs.append((summarise(snapshot, held), snapshot.header or {}))
    return combine(campaign, runs, failed)


def combine(
    campaign: Campaign,
    runs: Sequence[tuple[RunResult, Mapping[str, Any]]],
    failed: Mapping[str, str],
) -> Results:
    """Return the results of runs with their record's header; `failed` has the reasons by key."""
    failures = (
        Failure(c.algorithm, c.benchmark, c.seed, failed[key])
        for key, c in campaign.configs.items()
        if key in failed
    )
    return Results(
        campaign.plan.name,
        campaign.plan.note,
        len(campaign.configs),
        tuple(run for run, _ in runs),
        _machines(header for _, header in runs),
        tuple(failures),
    )


def summarise(snapshot: RunSnapshot, held: float | None = None) -> RunResult:
    """Return the outcome of one run with its two curves; `held` is its held regret, if known."""
    outcome, header = RunOutcome(snapshot), snapshot.header or {}
    asked = snapshot.columns["t"]
    return RunResult(
        config=snapshot.config,
        averages={k: _short(v) for k, v in asdict(outcome.averages).items()},
        response=_short(outcome.response_time),
        size=outcome.median_size,
        n_star=outcome.median_n_star,
        iterations=outcome.queries,
        source=str(header.get("source", "")),
        regret_curve=_curve(*curves.regret_curve(snapshot)),
        size_curve=_curve(*curves.size_curve(snapshot)),
        held_regret=_short(held),
        last_query=float(asked.max()) if len(asked) else None,
        horizon=header.get("horizon"),
        corner_share=_short(outcome.corner_share),
        no_structure_share=_short(outcome.no_structure_share),
    )


def save(results: Results, path: Path) -> None:
    """Write results to a file; equal results give equal bytes."""
    data = {"schema": SCHEMA, **asdict(results)}
    for run, full in zip(data["runs"], results.runs, strict=True):
        run["key"] = full.config.key
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)
    files.write_atomically(path, gzip.compress(text.encode(), mtime=0))


def load(path: Path) -> Results:
    """Return the results in a file; any problem with it is a RecordError that names it."""
    try:
        raw = path.read_bytes()
    except OSError as problem:
        raise RecordError(f"cannot read {path}: {problem.strerror}") from None
    try:
        data = json.loads(read_bounded(raw))
        if data["schema"] == SCHEMA:
            runs, failed = map(_run, data["runs"]), (Failure(**row) for row in data["failed"])
            head = data["name"], data["note"], int(data["planned"])
            return Results(*head, tuple(runs), tuple(data["made"]), tuple(failed))
    except UNREADABLE as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise RecordError(
            f"{path} is not a campaign's results ({reason}); "
            "give a results.json.gz of `bolt campaign report`"
        ) from problem
    raise RecordError(
        f"{path} is of schema {data['schema']}, this BOLT reads {SCHEMA}; "
        "make it again with `bolt campaign report`"
    )


def _run(row: Mapping[str, Any]) -> RunResult:
    fields = {k: v for k, v in row.items() if k != "key"}
    fields["config"] = RunConfig.from_json(row["config"])
    if fields["config"].key != row["key"]:
        raise ValueError(f"the run {row['key']} is not of its config")
    for name in ("regret_curve", "size_curve"):
        x, y = row[name]
        fields[name] = (x, y)
    return RunResult(**fields)


def _own_horizon(benchmark: str) -> float | None:
    spec = benchmarks.catalog().get(benchmark)
    return spec.row.horizon if spec else None


def _machines(headers: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Return the machines and versions, each with its number of runs and first and last day."""
    machines: dict[str, dict[str, Any]] = {}
    for header in headers:
        facts = {name: header.get(name) for name in MACHINE_FIELDS}
        entry = machines.setdefault(json.dumps(facts, sort_keys=True), {**facts, "runs": 0})
        entry["runs"] += 1
        day = str(header.get("started", ""))[:DATE_LENGTH]
        entry["first"] = min(entry.get("first", day), day)
        entry["last"] = max(entry.get("last", day), day)
    return tuple(machines[key] for key in sorted(machines))


def _curve(x: Array, y: Array) -> Curve:
    kept_x, kept_y = thin(x, y, POINTS)
    known = np.isfinite(kept_y)
    times, values = rounded(kept_x[known], 6), rounded(kept_y[known], 6)
    return [float(t) for t in times if t is not None], [float(v) for v in values if v is not None]


def _short(value: float | None) -> float | None:
    """Return a value with ten significant digits, which JSON preserves."""
    return None if value is None else float(f"{value:.10g}")
