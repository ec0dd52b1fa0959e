"""The work of a worker: one run, from its config to its complete record. It does not use Dask."""

import gzip
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bolt_core.common import runtime
from bolt_core.common.errors import explain
from bolt_core.common.types import RunConfig, RunStatus
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


def execute(
    config: RunConfig, about: Mapping[str, Any], plugin_limit: float | None = None
) -> Outcome:
    """Execute one run; return its outcome with its record, also if the run fails.

    Code of a plug-in that does not answer within `plugin_limit` seconds fails its run.
    """
    runtime.configure()
    began = time.monotonic()
    with TemporaryDirectory(prefix=WORKER_FOLDER_PREFIX) as folder:
        path = Path(folder) / WORKER_RECORD
        error = _execute(config, about, path, plugin_limit)
        packed = gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)
    return Outcome(config, packed, time.monotonic() - began, error)


def lost(config: RunConfig, about: Mapping[str, Any], reason: str) -> Outcome:
    """Return the outcome of a run whose worker was lost."""
    with TemporaryDirectory(prefix=WORKER_FOLDER_PREFIX) as folder:
        path = Path(folder) / WORKER_RECORD
        _record_failed_start(config, about, path, reason)
        return Outcome(config, gzip.compress(path.read_bytes(), mtime=0), 0.0, reason)


def _execute(
    config: RunConfig, about: Mapping[str, Any], path: Path, plugin_limit: float | None
) -> str | None:
    """Run the loop to its end and record it; return the reason if it failed."""
    try:
        thread = guarded.plugin_thread(config, plugin_limit)
        run = guarded.prepared(config, thread)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - a worker is a border
        _record_failed_start(config, about, path, reason := explain(problem))
        return reason
    with records.RecordWriter(path, config, header={**run.header_fields(), **about}) as writer:
        try:
            for record in guarded.Passes(run, thread).records():
                writer.append(record)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - even a plugin's sys.exit()
            writer.close(RunStatus.FAILED, reason := explain(problem))
            return reason
    return None


def _record_failed_start(
    config: RunConfig, about: Mapping[str, Any], path: Path, reason: str
) -> None:
    """Write the record of a run that could not start."""
    writer = records.RecordWriter(path, config, header={"dimension": 0, **about})
    writer.close(RunStatus.FAILED, reason)
