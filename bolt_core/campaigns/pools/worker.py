"""What a worker does: one run, from its config to its whole record. No Dask in it."""

from __future__ import annotations

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
from bolt_core.runs import loop
from bolt_core.store import records


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run that ended: its whole record, and what went wrong if something did."""

    config: RunConfig
    record: bytes  # gzipped JSON lines
    seconds: float  # of waiting, where it ran
    error: str | None = None


def execute(config: Mapping[str, Any], about: Mapping[str, Any]) -> dict[str, Any]:
    """Do one run, on whatever machine this is; all of it comes back, also of a run that fails."""
    runtime.configure()
    began = time.monotonic()
    with TemporaryDirectory(prefix="bolt-") as room:
        path = Path(room) / f"run{records.SUFFIX}"
        error = _driven(RunConfig.from_json(config), about, path)
        packed = gzip.compress(path.read_bytes(), compresslevel=6, mtime=0)
    return {"record": packed, "error": error, "seconds": time.monotonic() - began}


def lost(config: RunConfig, about: Mapping[str, Any], reason: str) -> Outcome:
    """The outcome of a run whose worker never came back."""
    with TemporaryDirectory(prefix="bolt-") as room:
        path = Path(room) / f"run{records.SUFFIX}"
        _stillborn(config, about, path, reason)
        return Outcome(config, gzip.compress(path.read_bytes(), mtime=0), 0.0, reason)


def outcome(config: RunConfig, answer: Mapping[str, Any]) -> Outcome:
    return Outcome(config, answer["record"], answer["seconds"], answer["error"])


def _driven(config: RunConfig, about: Mapping[str, Any], path: Path) -> str | None:
    """The loop to its end, recorded; the reason if it failed."""
    try:
        run = loop.prepare(config)
    except Exception as problem:  # noqa: BLE001 - a worker is a border
        _stillborn(config, about, path, reason := explain(problem))
        return reason
    with records.RecordWriter(path, config, header={**run.header_fields(), **about}) as writer:
        try:
            for record in loop.iterate(run):
                writer.append(record)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - even a plugin's sys.exit()
            writer.close(RunStatus.FAILED, reason := explain(problem))
            return reason
    return None


def _stillborn(config: RunConfig, about: Mapping[str, Any], path: Path, reason: str) -> None:
    """A record of a run that never began."""
    writer = records.RecordWriter(path, config, header={"dimension": 0, **about})
    writer.close(RunStatus.FAILED, reason)
