"""Records from elsewhere: looked at, never executed, and only then put among our own.

A file is one or more records as `bolt run`, the app or `opt.save` write them, each beginning with
its header line; the app's own export of a race is such a file. Nothing is taken before everything
has been read through, and the bytes are kept as they came.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

from bolt_core import records
from bolt_core.errors import RecordError
from bolt_core.snapshot import RunSnapshot

LARGEST = 100 * 1024 * 1024  # bytes of one file
MOST_RUNS = 200  # in one file
LONGEST_TEXT = 500  # characters of anything a header says in words
DIMENSIONS = 100
WORDS = ("algorithm", "benchmark")  # of a config; numbers of a config; numbers of a header
WHOLE, AMOUNTS = ("seed", "warmup"), ("horizon", "cost", "noise_variance")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
HEADER = b'{"kind": "header"'


def take(data: bytes, directory: Path, *, name: str = "this file") -> list[str]:
    """Put the records of a file into `directory`; the ids of its races, in their order.

    What is there already, byte for byte, is not written again; another record of the same id is
    an error, for one of the two would be lost.
    """
    parts = list(_split(data, name))
    directory.mkdir(parents=True, exist_ok=True)
    drafts: list[tuple[Path, Path]] = []
    races: dict[str, None] = {}
    try:
        for part in parts:
            draft = directory / f".import-{token_hex(8)}.part"
            draft.write_bytes(part)
            drafts.append((draft, draft))
            run = _checked(draft, name)
            target = directory / f"{run.run_id}{records.SUFFIX}"
            if target.exists() and target.read_bytes() != part:
                raise RecordError(
                    f"{name}: another record of the id {run.run_id} is here already; "
                    "delete that one first"
                )
            drafts[-1] = (draft, target)
            races[str((run.header or {}).get("race_id") or run.run_id)] = None
        if len({target for _, target in drafts}) < len(drafts):
            raise RecordError(f"{name} holds two records of one id; split it into two files")
        for draft, target in drafts:
            draft.replace(target)
    except OSError as problem:
        raise RecordError(f"cannot keep {name}: {problem.strerror}") from None
    finally:
        for draft, _ in drafts:
            draft.unlink(missing_ok=True)
    return list(races)


def _split(data: bytes, name: str) -> Iterator[bytes]:
    """The records of a file, each from its header to the next one's."""
    if len(data) > LARGEST:
        raise RecordError(
            f"{name} has {len(data) / 1e6:,.0f} MB; at most {LARGEST / 1e6:,.0f} MB are taken"
        )
    if not data.startswith(HEADER):
        raise RecordError(
            f"{name} is not a BOLT record: give a .jsonl file that the app, `bolt run` or "
            "opt.save wrote"
        )
    starts = [0, *(m.end() - len(HEADER) for m in re.finditer(rb"\n" + re.escape(HEADER), data))]
    if len(starts) > MOST_RUNS:
        raise RecordError(f"{name} holds {len(starts)} runs; at most {MOST_RUNS} are taken")
    for begin, end in zip(starts, [*starts[1:], len(data)], strict=True):
        yield data[begin:end]


def _checked(path: Path, name: str) -> RunSnapshot:
    """A record read through to its end, whose words are short and whose ids are file names."""
    try:
        if complaint := _complaint(records.header(path)):
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
