"""The work of a worker: one run, from its config to its complete record. It does not use Dask."""

import gzip
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bolt_core.common import runtime
from bolt_core.common.errors import BoltError, explain
from bolt_core.common.types import IterationRecord, RunConfig, RunStatus
from bolt_core.runs import guarded
from bolt_core.store import records
from bolt_core.store.sweep import WORKER_FOLDER_PREFIX, WORKER_RECORD


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that ended: its complete record, and the error if it failed."""

    config: RunConfig
    record: bytes  # gzipped JSON lines
    seconds: float  # of real time
    error: str | None = None
    cut: bool = False  # it failed because it took too much CPU time


class Limits(NamedTuple):
    """The limits of a run, in seconds; a run beyond one of them fails."""

    plugin: float | None = None  # for an answer of a plug-in; None: the usual limit
    cpu: float | None = None  # CPU time of the run; None: no limit


NO_LIMITS = Limits()


class CpuLimitError(BoltError):
    """A run took more CPU time than it may."""


def execute(config: RunConfig, about: Mapping[str, Any], limits: Limits = NO_LIMITS) -> Outcome:
    """Execute one run; return its outcome with its record, also if the run fails."""
    runtime.configure()
    began = time.monotonic()
    with TemporaryDirectory(prefix=WORKER_FOLDER_PREFIX) as folder:
        path = Path(folder) / WORKER_RECORD
        problem = _execute(config, about, path, limits)
        packed = gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)
    error = None if problem is None else explain(problem)
    cut = isinstance(problem, CpuLimitError)
    return Outcome(config, packed, time.monotonic() - began, error, cut)


def lost(config: RunConfig, about: Mapping[str, Any], reason: str) -> Outcome:
    """Return the outcome of a run whose worker was lost."""
    with TemporaryDirectory(prefix=WORKER_FOLDER_PREFIX) as folder:
        path = Path(folder) / WORKER_RECORD
        _record_failed_start(config, about, path, reason)
        return Outcome(config, gzip.compress(path.read_bytes(), mtime=0), 0.0, reason)


def _execute(
    config: RunConfig, about: Mapping[str, Any], path: Path, limits: Limits
) -> BaseException | None:
    """Run the loop to its end and record it; return the error if it failed."""
    began = time.process_time()  # a plug-in has a thread of its own
    try:
        thread = guarded.plugin_thread(config, limits.plugin)
        run = guarded.prepared(config, thread)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - a worker is a border
        _record_failed_start(config, about, path, explain(problem))
        return problem
    with records.RecordWriter(path, config, header={**run.header_fields(), **about}) as writer:
        try:
            for record in guarded.Passes(run, thread).records():
                writer.append(record)
                _check_cpu_time(time.process_time() - began, limits.cpu, record)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - even a plugin's sys.exit()
            writer.close(RunStatus.FAILED, explain(problem))
            return problem
    return None


def _check_cpu_time(seconds: float, limit: float | None, last: IterationRecord) -> None:
    if limit is not None and seconds > limit:
        raise CpuLimitError(
            f"cut after {seconds / 60:.1f} CPU minutes at t = {last.observation.t:.1f} s; "
            f"the limit was {limit / 60:g} minutes"
        )


def _record_failed_start(
    config: RunConfig, about: Mapping[str, Any], path: Path, reason: str
) -> None:
    """Write the record of a run that could not start."""
    writer = records.RecordWriter(path, config, header={"dimension": 0, **about})
    writer.close(RunStatus.FAILED, reason)
