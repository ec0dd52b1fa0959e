"""Import record files from elsewhere, after checking them completely.

A file holds one or more records as `bolt run`, the dashboard or `opt.save` write them, each
beginning with its header line; the dashboard's export of a race is such a file. Nothing in it is
executed, nothing is stored before everything has been read, and the bytes are kept unchanged.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

from bolt_core.common import files
from bolt_core.common.errors import RecordError
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import records
from bolt_core.store.library import Library

MAX_FILE_BYTES = 100 * 1024 * 1024
MAX_RUNS = 200  # per file
MAX_TEXT_LENGTH = 500  # characters of a text in a header
MAX_DIMENSION = 100
CONFIG_TEXTS = ("algorithm", "benchmark")
CONFIG_INTEGERS = ("seed", "warmup")
HEADER_INTEGERS = ("place", "lane")
HEADER_NUMBERS = ("horizon", "cost", "noise_variance")
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
LOCK = ".records.lock"  # held by the import that is moving its records into the folder
HEADER = b'{"kind": "header"'


def import_records(data: bytes, directory: Path, *, name: str = "this file") -> list[str]:
    """Store the records of a file in `directory`; return the ids of its races, in order.

    A record that exists already with the same bytes is left alone. RecordError is raised for
    another record of an existing id, because one of the two would be lost, and for a record that
    joins a race on another benchmark.
    """
    parts = list(_split(data, name))
    directory.mkdir(parents=True, exist_ok=True)
    drafts: dict[Path, RunSnapshot] = {}
    try:
        for part in parts:
            draft = directory / f".import-{token_hex(8)}.part"
            try:
                draft.write_bytes(part)
                drafts[draft] = _checked(draft, name)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
        with files.locked(directory / LOCK, wait_seconds=math.inf):
            _store(drafts, directory, name)
    except OSError as problem:
        raise RecordError(f"cannot store {name}: {problem.strerror}") from None
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)
    return list(dict.fromkeys(_race_of(run) for run in drafts.values()))


def _store(drafts: Mapping[Path, RunSnapshot], directory: Path, name: str) -> None:
    """Move all drafts to their final names, or none if one of them is refused."""
    targets = {draft: directory / f"{run.run_id}{records.SUFFIX}" for draft, run in drafts.items()}
    if len(set(targets.values())) < len(targets):
        raise RecordError(f"{name} holds two records of one id; split it into two files")
    for draft, target in targets.items():
        if target.exists() and target.read_bytes() != draft.read_bytes():
            raise RecordError(
                f"{name}: another record of the id {target.stem} exists already; "
                "delete that one first"
            )
    _check_races(drafts.values(), Library(directory), name)
    for draft, target in targets.items():
        draft.replace(target)


def _check_races(runs: Iterable[RunSnapshot], library: Library, name: str) -> None:
    """Check that the runs of each race, with those stored already, share a benchmark."""
    benchmarks_by_race = {race.race_id: race.runs[0].config.benchmark for race in library.races()}
    for run in runs:
        benchmark = benchmarks_by_race.setdefault(_race_of(run), run.config.benchmark)
        if benchmark != run.config.benchmark:
            raise RecordError(
                f"{name} is not imported: it has a run on {run.config.benchmark[:40]!r} of race "
                f"{_race_of(run)}, whose others are on {benchmark[:40]!r}"
            )


def _race_of(run: RunSnapshot) -> str:
    return str((run.header or {}).get("race_id") or run.run_id)


def _split(data: bytes, name: str) -> Iterator[bytes]:
    """Yield the records of a file, each from its header up to the next header."""
    if len(data) > MAX_FILE_BYTES:
        raise RecordError(
            f"{name} has {len(data) / 1e6:,.0f} MB; "
            f"at most {MAX_FILE_BYTES / 1e6:,.0f} MB can be imported"
        )
    if not data.startswith(HEADER):
        raise RecordError(
            f"{name} is not a BOLT record: give a .jsonl file that the dashboard, `bolt run` or "
            "opt.save wrote"
        )
    starts = [0, *(m.end() - len(HEADER) for m in re.finditer(rb"\n" + re.escape(HEADER), data))]
    if len(starts) > MAX_RUNS:
        raise RecordError(f"{name} holds {len(starts)} runs; at most {MAX_RUNS} can be imported")
    for begin, end in zip(starts, [*starts[1:], len(data)], strict=True):
        yield data[begin:end]


def _checked(path: Path, name: str) -> RunSnapshot:
    """Read a record completely; RecordError with a reason if its header or a line is bad."""
    try:
        reason = _header_error(records.read_header(path))
        if reason is None:
            return records.read(path)
    except RecordError as problem:
        reason = str(problem).replace(str(path), "a record in it")
    raise RecordError(f"{name} is not imported: {reason}")


def _header_error(header: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a header, or None; checked before its numbers size arrays."""
    dimension, run_id, config = (header.get(name) for name in ("dimension", "run_id", "config"))
    if not isinstance(dimension, int) or not 1 <= dimension <= MAX_DIMENSION:
        return f"dimension must be 1 to {MAX_DIMENSION}, got {str(dimension)[:40]}"
    for name, value in (("run_id", run_id), ("race_id", header.get("race_id") or run_id)):
        if not isinstance(value, str) or not ID.fullmatch(value):
            return f"{name} {str(value)[:40]!r} is not a valid id"
    values = [*header.values(), *(config.values() if isinstance(config, dict) else ())]
    if any(isinstance(text, str) and len(text) > MAX_TEXT_LENGTH for text in values):
        return f"its header has a text of over {MAX_TEXT_LENGTH} characters"
    if not isinstance(config, dict):
        return None  # the reader reports it
    return _type_error(header, config)


def _type_error(header: Mapping[str, Any], config: Mapping[str, Any]) -> str | None:
    """Return which value of a header or config has the wrong type, or None."""
    for name in CONFIG_TEXTS:
        if not isinstance(config.get(name), str):
            return f"{name} must be a text, got {str(config.get(name))[:40]}"
    for values, names in ((config, CONFIG_INTEGERS), (header, HEADER_INTEGERS)):
        for name in names:
            if type(values.get(name, 0)) is not int:
                return f"{name} must be a whole number, got {str(values.get(name))[:40]}"
    for name in HEADER_NUMBERS:
        value = header.get(name)
        if value is not None and (type(value) not in (int, float) or not math.isfinite(value)):
            return f"{name} must be a finite number, got {str(value)[:40]}"
    return None
