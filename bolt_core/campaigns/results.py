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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bolt_core.analysis.held_regret import held_regret
from bolt_core.campaigns.campaign import Campaign, State
from bolt_core.campaigns.run_result import POINTS, Curve, RunResult, from_row, summarise, to_row
from bolt_core.common import devices, files, paths
from bolt_core.common.bounded_read import read_bounded
from bolt_core.common.errors import RecordError
from bolt_core.common.text import shortened
from bolt_core.common.types import ClockConfig, RunConfig
from bolt_core.store import records

__all__ = [
    "POINTS",
    "Curve",
    "Failure",
    "Results",
    "RunResult",
    "gather",
    "load",
    "save",
    "summarise",
]

FILE = "results.json.gz"
BUNDLED = paths.DATA / "campaign" / FILE  # the built-in campaign
SCHEMA = 2
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


@dataclass(frozen=True, slots=True)
class Failure:
    """A run that failed; a campaign tries a run twice."""

    algorithm: str
    benchmark: str
    seed: int
    reason: str
    setting: str = ""  # clock and horizon where they are not the paper's; absent in older files


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
    """Return the results of a campaign from its records and packs."""
    states = campaign.states()
    failed = campaign.reasons(states)
    runs = []
    for key in (key for key, state in states.items() if state == State.FINISHED):
        try:
            runs.append(result_of(campaign, key))
        except RecordError:
            failed[key] = campaign.damaged(key)
    return combine(campaign, runs, failed)


def result_of(campaign: Campaign, key: str) -> tuple[RunResult, Mapping[str, Any]]:
    """Return the result of a finished run and its header, from a pack or from its record."""
    if packed := campaign.packed().get(key):
        return packed.result, packed.header
    snapshot = records.read(campaign.path(key))
    return summarise(snapshot, held_regret(snapshot)), snapshot.header or {}


def combine(
    campaign: Campaign,
    runs: Sequence[tuple[RunResult, Mapping[str, Any]]],
    failed: Mapping[str, str],
) -> Results:
    """Return the results of runs with their record's header; `failed` has the reasons by key."""
    failures = (
        Failure(c.algorithm, c.benchmark, c.seed, failed[key], _setting(c))
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


def _setting(config: RunConfig) -> str:
    """Return the clock and the horizon of a run in words, where they are not the paper's."""
    paper = ClockConfig("model", device=devices.device("paper"))
    clock = "" if config.clock == paper else devices.clock_label(config.clock)
    horizon = f"horizon {config.horizon:g} s" if config.horizon else ""
    return ", ".join(filter(None, (clock, horizon)))


def save(results: Results, path: Path) -> None:
    """Write results to a file; equal results give equal bytes."""
    data = {"schema": SCHEMA, **asdict(replace(results, runs=()))}
    data["runs"] = [to_row(run) for run in results.runs]
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
            runs, failed = map(from_row, data["runs"]), (Failure(**row) for row in data["failed"])
            head = data["name"], data["note"], int(data["planned"])
            return Results(*head, tuple(runs), tuple(data["made"]), tuple(failed))
    except UNREADABLE as problem:
        reason = shortened(getattr(problem, "strerror", None) or problem)
        raise RecordError(
            f"{path} is not a campaign's results ({reason}); "
            "give a results.json.gz of `bolt campaign report`"
        ) from problem
    raise RecordError(
        f"{path} is of schema {data['schema']}, this BOLT reads {SCHEMA}; "
        "make it again with `bolt campaign report`"
    )


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
