"""The bundled race, which the Arena shows before a race is started.

Its files are ordinary records, made by tools/record.py.
"""

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any

from bolt_core import algorithms, benchmarks
from bolt_core.common import paths
from bolt_core.common.devices import clock_label
from bolt_core.common.options import options_of
from bolt_core.common.types import RunStatus
from bolt_core.runs.race_snapshot import RaceSnapshot
from bolt_core.store.record_schema import SCHEMA
from bolt_core.store.records import read

RACE_ID = "recorded"
FOLDER = paths.DATA / "recorded"
BENCHMARK, SEED = "eggholder", 1
ALGORITHMS = ("bolt", "w-dbo", "r-gpucb", "gpucb")


@cache
def race() -> RaceSnapshot:
    """Return the bundled race; it is read once per process."""
    runs = tuple(read(FOLDER / f"{key}.jsonl.gz") for key in ALGORITHMS)
    horizon = float((runs[0].header or {})["horizon"])
    return RaceSnapshot(RACE_ID, RunStatus.FINISHED, runs, horizon, horizon)


def records() -> bytes:
    """Return the records, concatenated as in `export.jsonl`; `import_records` reads them."""
    files = [gzip.decompress((FOLDER / f"{key}.jsonl.gz").read_bytes()) for key in ALGORITHMS]
    lines = [json.loads(line) for file in files for line in file.splitlines()]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def label() -> str:
    """Return what it shows and how it was made: "Eggholder, seed 1, on 16 November 2026 ..."."""
    run = race().runs[0]
    about = run.header or {}
    day = datetime.fromisoformat(about["started"])
    version = f"version {about['versions']['bolt-core']}, commit {about['commit'][:7]}"
    clock = clock_label(run.config.clock)
    return f"{name()}, made on {day.day} {day:%B %Y} on {about['cpu']} ({clock}; {version})"


def name() -> str:
    """Return the benchmark, the seed and the horizon: "Eggholder, seed 1, 600 s"."""
    run = race().runs[0]
    return f"{benchmarks.get(BENCHMARK).label}, seed {run.config.seed}, {race().horizon:g} s"


def recipe() -> str:
    """Return a hash of the settings of the race; when it changes, the race is recorded again.

    It covers the schema, the defaults of the algorithms, and the benchmark's row and options. A
    change of behaviour that leaves all of these unchanged is not noticed.
    """
    settings: Mapping[str, Any] = {
        "schema": SCHEMA,
        "algorithms": {key: _defaults(algorithms.get(key).params) for key in ALGORITHMS},
        "row": asdict(benchmarks.get(BENCHMARK).row),
        "options": [option.name for option in benchmarks.get(BENCHMARK).options],
    }
    canonical = json.dumps(settings, sort_keys=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:12]


def _defaults(params: type) -> dict[str, Any]:
    return {option.name: option.default for option in options_of(params)}
