"""The file of a pack: the results of a campaign's finished runs, without their records.

Gzipped JSON lines. The first has the campaign's name, its plan and the number of runs; each other
one has a result (`run_result`) and, under `made`, what the header of its record says of the machine
and the versions that made it:

    {"kind": "bolt-campaign-pack", "schema": 1, "name": ..., "plan": {...}, "runs": 216}
    {"key": ..., "config": {...}, "averages": {...}, ..., "commit": ..., "made": {...}}

Equal runs give equal bytes. Runs are sorted by seed and key, and each seed is a gzip member of its
own: a campaign runs one seed after the other, so the bytes of earlier seeds stay the same while it
grows, and a version control system stores only what is new.

A pack is data from elsewhere: it names no file, its size is bounded, and every value is checked.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from bolt_core.campaigns.plan import NAME, Plan
from bolt_core.campaigns.run_result import RunResult, from_row, to_row
from bolt_core.common import files
from bolt_core.common.bounded_read import GZIP_MAGIC, lines_of, open_bounded
from bolt_core.common.errors import RecordError
from bolt_core.common.text import shortened
from bolt_core.store.record_checks import HEADER, first_error
from bolt_core.store.value_checks import Check, whole

KIND = "bolt-campaign-pack"
SCHEMA = 1
SUFFIX = ".pack.jsonl.gz"
MAX_PACK_BYTES = 64 * 2**20  # decompressed; a run takes about 4 kB
MAX_PACK_LINE_BYTES = 2**18
MAX_PACK_RUNS = 20_000
MACHINE_FIELDS = ("cpu", "cores", "blas_threads", "python", "versions")
MADE_FIELDS = ("run_id", "started", *MACHINE_FIELDS)  # of a record's header, besides the commit
REMEDY = "make it again with `bolt campaign pack`"


@dataclass(frozen=True, slots=True)
class PackedRun:
    """The result of a finished run, and what made it."""

    result: RunResult
    made: Mapping[str, Any]  # MADE_FIELDS of the header of its record

    @property
    def header(self) -> Mapping[str, Any]:
        """What a pack holds of the header of the run's record."""
        return {**self.made, "commit": self.result.commit}

    @property
    def started(self) -> datetime:
        """When the run started."""
        return datetime.fromisoformat(self.made["started"])


@dataclass(frozen=True, slots=True)
class Pack:
    """The content of a pack."""

    path: Path
    name: str  # of the campaign
    plan: Mapping[str, Any]  # of `Plan.to_json`, not checked: another version may have made it
    runs: Mapping[str, PackedRun]  # by key


def packed_run(path: Path, result: RunResult, header: Mapping[str, Any]) -> PackedRun:
    """Return a run as it is read from a pack; `path` is its record, which an error names."""
    made = {name: header.get(name) for name in MADE_FIELDS}
    try:
        return _checked(json.loads(_line({**to_row(result), "made": made})))
    except ValueError as problem:
        raise RecordError(f"{path} cannot be packed: {shortened(problem, 300)}") from None


def write(path: Path, plan: Plan, runs: Iterable[PackedRun]) -> None:
    """Write a pack atomically."""
    try:
        files.write_atomically(path, to_bytes(plan, runs))
    except OSError as problem:
        raise RecordError(f"cannot write {path}: {problem.strerror}") from None


def to_bytes(plan: Plan, runs: Iterable[PackedRun]) -> bytes:
    """Return the bytes of a pack, which depend on the plan and the runs only."""
    rows = sorted(runs, key=lambda run: (run.result.config.seed, run.result.config.key))
    head = {"kind": KIND, "schema": SCHEMA, "name": plan.name, "plan": plan.to_json()}
    parts = [_member([{**head, "runs": len(rows)}])]
    for _, group in groupby(rows, key=lambda run: run.result.config.seed):
        parts.append(_member({**to_row(run.result), "made": dict(run.made)} for run in group))
    return b"".join(parts)


def read(path: Path) -> Pack:
    """Return a pack after checking all of it; any problem is a RecordError that names the file."""
    try:
        with path.open("rb") as file:
            gzipped = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
        with open_bounded(path, gzipped=gzipped, max_bytes=MAX_PACK_BYTES) as stream:
            return _parsed(path, lines_of(stream))
    except (OSError, EOFError, zlib.error) as problem:
        reason = shortened(getattr(problem, "strerror", None) or problem)
        raise RecordError(f"cannot read the pack {path}: {reason}; {REMEDY}") from None


def _member(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return gzip.compress("".join(map(_line, rows)).encode(), mtime=0)


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, sort_keys=True, separators=(",", ":"), allow_nan=False) + "\n"


def _parsed(path: Path, lines: Iterator[bytes]) -> Pack:
    head = _object(path, 1, next(lines, b""))
    if head.get("kind") != KIND or head.get("schema") != SCHEMA:
        raise RecordError(
            f"{path} is not a pack of schema {SCHEMA} (kind {shortened(head.get('kind'), 40)!r}, "
            f"schema {shortened(head.get('schema'), 40)!r}); {REMEDY}"
        )
    if reason := first_error({name: head.get(name) for name in HEAD}, HEAD):
        raise RecordError(f"{path}: in its first line {reason}; {REMEDY}")
    runs: dict[str, PackedRun] = {}
    for number, line in enumerate(lines, start=2):
        if len(runs) == head["runs"]:
            raise RecordError(f"{path} has more than its {len(runs)} runs; {REMEDY}")
        run = _run(path, number, _object(path, number, line))
        if run.result.config.key in runs:
            raise RecordError(f"{path}: line {number} repeats a run; {REMEDY}")
        runs[run.result.config.key] = run
    if len(runs) < head["runs"]:
        raise RecordError(f"{path} has {len(runs)} of its {head['runs']} runs; {REMEDY}")
    return Pack(path, head["name"], head["plan"], runs)


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    if len(line) > MAX_PACK_LINE_BYTES:
        raise RecordError(f"{path}: line {number} is too long; {REMEDY}")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise RecordError(f"{path}: line {number} is not a JSON object; {REMEDY}")
    return data


def _run(path: Path, number: int, row: Mapping[str, Any]) -> PackedRun:
    """Return the run of a line; the error of an invalid one names the run as far as it is known."""
    try:
        return _checked(row)
    except ValueError as problem:
        where = f"line {number}, run {shortened(row.get('key'), 40)!r}"
        raise RecordError(f"{path}: {where}: {shortened(problem, 300)}; {REMEDY}") from None


def _checked(row: Mapping[str, Any]) -> PackedRun:
    """Return the run of a row; a ValueError says what is wrong with it."""
    made = row.get("made")
    if type(made) is not dict or set(made) != set(MADE_FIELDS):
        raise ValueError(f"made must be an object of {', '.join(MADE_FIELDS)}")
    if reason := first_error(made, MADE):
        raise ValueError(f"in made, {reason}")
    return PackedRun(from_row({k: v for k, v in row.items() if k != "made"}), made)


def _is_utc_time(value: object) -> bool:
    """Whether a value is a time with its zone in ISO 8601, which can be compared and shown."""
    if not isinstance(value, str) or len(value) > MAX_TIME_LENGTH:
        return False
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


MAX_TIME_LENGTH = 40
HEAD: Mapping[str, Check] = {
    "name": ("a campaign's name", lambda v: isinstance(v, str) and NAME.fullmatch(v) is not None),
    "plan": ("an object", lambda v: type(v) is dict),
    "runs": whole(0, MAX_PACK_RUNS),
}
MADE: Mapping[str, Check] = {
    **{name: HEADER[name] for name in MADE_FIELDS},
    "started": ("a time in ISO 8601 with its zone", _is_utc_time),
}
