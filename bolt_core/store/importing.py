"""Records from elsewhere: looked at, never executed, and only then put among our own.

A file is one or more records as `bolt run`, the app or `opt.save` write them, each beginning with
its header line; the app's own export of a race is such a file. Nothing is taken before everything
has been read through, and the bytes are kept as they came.
"""

from __future__ import annotations

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

MAX_FILE_BYTES = 100 * 1024 * 1024  # bytes of one file
MAX_RUNS = 200  # in one file
LONGEST_TEXT = 500  # characters of anything a header says in words
DIMENSIONS = 100
WORDS = ("algorithm", "benchmark")  # of a config; numbers of a config; numbers of a header
WHOLE, AMOUNTS = ("seed", "warmup"), ("horizon", "cost", "noise_variance")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
LOCK = ".records.lock"  # held by the import that is moving its records into the folder
HEADER = b'{"kind": "header"'


def import_records(data: bytes, directory: Path, *, name: str = "this file") -> list[str]:
    """Put the records of a file into `directory`; the ids of its races, in their order.

    What is there already, byte for byte, is not written again; another record of the same id is
    an error, for one of the two would be lost. So is one that joins a race of another benchmark.
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
            _place(drafts, directory, name)
    except OSError as problem:
        raise RecordError(f"cannot keep {name}: {problem.strerror}") from None
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)
    return list(dict.fromkeys(_race_of(run) for run in drafts.values()))


def _place(drafts: Mapping[Path, RunSnapshot], directory: Path, name: str) -> None:
    """All of them or none; while nobody else may."""
    targets = {draft: directory / f"{run.run_id}{records.SUFFIX}" for draft, run in drafts.items()}
    if len(set(targets.values())) < len(targets):
        raise RecordError(f"{name} holds two records of one id; split it into two files")
    for draft, target in targets.items():
        if target.exists() and target.read_bytes() != draft.read_bytes():
            raise RecordError(
                f"{name}: another record of the id {target.stem} is here already; "
                "delete that one first"
            )
    _check_races(drafts.values(), Library(directory), name)
    for draft, target in targets.items():
        draft.replace(target)


def _check_races(runs: Iterable[RunSnapshot], library: Library, name: str) -> None:
    """The runs of a race share a benchmark, also those that are here already."""
    here = {race.race_id: race.runs[0].config.benchmark for race in library.races()}
    for run in runs:
        found = here.setdefault(_race_of(run), run.config.benchmark)
        if found != run.config.benchmark:
            raise RecordError(
                f"{name} is not taken: it has a run on {run.config.benchmark[:40]!r} of race "
                f"{_race_of(run)}, whose others are on {found[:40]!r}"
            )


def _race_of(run: RunSnapshot) -> str:
    return str((run.header or {}).get("race_id") or run.run_id)


def _split(data: bytes, name: str) -> Iterator[bytes]:
    """The records of a file, each from its header to the next one's."""
    if len(data) > MAX_FILE_BYTES:
        raise RecordError(
            f"{name} has {len(data) / 1e6:,.0f} MB; "
            f"at most {MAX_FILE_BYTES / 1e6:,.0f} MB can be imported"
        )
    if not data.startswith(HEADER):
        raise RecordError(
            f"{name} is not a BOLT record: give a .jsonl file that the app, `bolt run` or "
            "opt.save wrote"
        )
    starts = [0, *(m.end() - len(HEADER) for m in re.finditer(rb"\n" + re.escape(HEADER), data))]
    if len(starts) > MAX_RUNS:
        raise RecordError(f"{name} holds {len(starts)} runs; at most {MAX_RUNS} are taken")
    for begin, end in zip(starts, [*starts[1:], len(data)], strict=True):
        yield data[begin:end]


def _checked(path: Path, name: str) -> RunSnapshot:
    """A record read through to its end, whose words are short and whose ids are file names."""
    try:
        if complaint := _complaint(records.read_header(path)):
            told = complaint
        else:
            return records.read(path)
    except RecordError as problem:
        told = str(problem).replace(str(path), "a record in it")
    raise RecordError(f"{name} is not taken: {told}")


def _complaint(about: Mapping[str, Any]) -> str | None:
    """What is wrong with a header, if anything: looked at before its numbers make arrays."""
    dimension, run_id, config = about.get("dimension"), about.get("run_id"), about.get("config")
    if not isinstance(dimension, int) or not 1 <= dimension <= DIMENSIONS:
        return f"dimension must be 1 to {DIMENSIONS}, got {str(dimension)[:40]}"
    for what, found in (("run_id", run_id), ("race_id", about.get("race_id") or run_id)):
        if not isinstance(found, str) or not NAME.fullmatch(found):
            return f"{what} {str(found)[:40]!r} is not an id of ours"
    told = [*about.values(), *(config.values() if isinstance(config, dict) else ())]
    if any(isinstance(text, str) and len(text) > LONGEST_TEXT for text in told):
        return f"its header has a text of over {LONGEST_TEXT} characters"
    return _wrong_kind(about, config) if isinstance(config, dict) else None  # the reader says why


def _wrong_kind(about: Mapping[str, Any], config: Mapping[str, Any]) -> str | None:
    """What a list or a chart would stumble over: a number that is none, a name that is a list."""
    for name in WORDS:
        if not isinstance(config.get(name), str):
            return f"{name} must be a word, got {str(config.get(name))[:40]}"
    for found, names in ((config, WHOLE), (about, ("place", "lane"))):
        for name in names:
            if type(found.get(name, 0)) is not int:
                return f"{name} must be a whole number, got {str(found.get(name))[:40]}"
    for name in AMOUNTS:
        value = about.get(name)
        if value is not None and (type(value) not in (int, float) or not math.isfinite(value)):
            return f"{name} must be a finite number, got {str(value)[:40]}"
    return None
