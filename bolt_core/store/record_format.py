"""The lines of a record file: reading them, and one pass as a JSON object and back."""

import gzip
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from pathlib import Path
from typing import IO, Any

from bolt_core.common.errors import RecordError
from bolt_core.common.types import Hyperparameters, IterationRecord, Observation
from bolt_core.runs.record_fields import (
    JSON_FIELDS,
    OBSERVATION,
    THETA,
    read_observation,
    read_theta,
)


def open_record(path: Path) -> IO[bytes] | gzip.GzipFile:
    """Open a record for reading bytes; a name ending in .gz is decompressed."""
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def read_lines(path: Path, length: int | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (number, line) of each complete line; a torn last line is dropped.

    With `length`, only the first `length` bytes are read. One line is in memory at a time.
    """
    try:
        with open_record(path) as file:
            yield from _parsed(file, path, length)
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise RecordError(f"cannot read {path}: {reason}") from None


def _parsed(
    file: IO[bytes] | gzip.GzipFile, path: Path, length: int | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in enumerate(file, start=1):
        if length is not None and file.tell() > length:
            return
        try:
            line = parse_line(text)
        except ValueError:
            if number == 1:
                raise RecordError(
                    f"{path} is not a BOLT record; give a file `bolt run` wrote"
                ) from None
            if not text.endswith(b"\n") or not any(rest.strip() for rest in file):
                return
            raise RecordError(f"{path}, line {number}: torn or not JSON") from None
        yield number, line
        if not text.endswith(b"\n"):  # what a writer appends meanwhile is not a line of its own
            return


def parse_line(text: bytes) -> dict[str, Any]:
    """Return a line as a JSON object; a ValueError if it is torn, or not one of a record."""
    try:
        line = DECODER.decode(text.decode())
    except RecursionError:
        raise ValueError("too deeply nested") from None
    if not isinstance(line, dict):
        raise ValueError("not an object")  # noqa: TRY004 - handled like bad JSON
    return line


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not a number of a record")


DECODER = json.JSONDecoder(parse_constant=_refused)  # one for all lines: building it takes longer


def to_json(record: IterationRecord) -> dict[str, Any]:
    """Return a record as one JSON object, without defaults and unknown (NaN) values."""
    line = dict(zip(OBSERVATION, read_observation(record.observation), strict=True))
    for field in JSON_FIELDS:
        value = getattr(record, field.name)
        if value != field.default and not (field.may_be_nan and _is_nan(value)):
            line[field.name] = _encoded(value)
    return line


def from_json(line: Mapping[str, Any], expected: int) -> IterationRecord:
    """Return the record of a line; `expected` is the iteration number that it must have."""
    if line["i"] != expected:
        raise ValueError(f"iteration {line['i']} instead of {expected}")
    x = tuple(line["x"])
    values = {}
    for field in JSON_FIELDS:
        if field.name in line:
            values[field.name] = field.decode(line[field.name])
        elif field.may_be_nan:
            values[field.name] = (math.nan,) * len(x) if field.decode is tuple else math.nan
        elif field.default is MISSING:
            raise KeyError(field.name)
    return IterationRecord(Observation(line["i"], x, line["t"], line["y"]), **values)


def _is_nan(value: float | tuple[float, ...]) -> bool:
    return any(map(math.isnan, value)) if isinstance(value, tuple) else math.isnan(value)


def _encoded(value: object) -> object:
    if isinstance(value, Hyperparameters):
        return dict(zip(THETA, read_theta(value), strict=True))
    return dict(value) if isinstance(value, Mapping) else value
