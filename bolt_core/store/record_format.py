"""The lines of a record file: reading them, and one pass as a JSON object and back."""

import json
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING
from io import BufferedReader
from pathlib import Path
from typing import Any

from bolt_core.common.bounded_read import lines_of, open_bounded
from bolt_core.common.errors import FileAccessError, NotARecordError, RecordError
from bolt_core.common.text import shortened
from bolt_core.common.types import Hyperparameters, IterationRecord, Observation
from bolt_core.runs.record_fields import (
    JSON_FIELDS,
    OBSERVATION,
    THETA,
    read_observation,
    read_theta,
)

MAX_DIMENSION = 10_000


def open_record(path: Path) -> BufferedReader:
    """Open a record for reading a bounded number of bytes; a name in .gz is decompressed."""
    return open_bounded(path, gzipped=path.suffix == ".gz")


def read_lines(path: Path, length: int | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (number, line) of each complete line; a torn last line is dropped.

    With `length`, only the first `length` bytes are read. One line is in memory at a time.
    """
    try:
        with open_record(path) as file:
            yield from _parsed(lines_of(file), path, length)
    except (OSError, EOFError, zlib.error) as problem:
        if isinstance(problem, OSError) and problem.strerror:
            raise FileAccessError(f"cannot read {path}: {problem.strerror}") from None
        raise RecordError(f"cannot read {path}: {problem}") from None


def _parsed(
    lines: Iterator[bytes], path: Path, length: int | None
) -> Iterator[tuple[int, dict[str, Any]]]:
    read_bytes = 0
    for number, text in enumerate(lines, start=1):
        read_bytes += len(text)
        if length is not None and read_bytes > length:
            return
        try:
            line = parse_line(text)
        except ValueError:
            if number == 1:
                raise NotARecordError(f"{path} is not a BOLT record") from None
            if not any(rest.strip() for rest in lines):
                return
            raise RecordError(f"{path}, line {number}: torn or not JSON") from None
        yield number, line


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


def checked_dimension(value: object) -> int:
    """Return the dimension of a header, which sizes arrays; ValueError if it is not usable."""
    if not isinstance(value, int) or not 0 <= value <= MAX_DIMENSION:
        raise ValueError(f"dimension must be 0 to {MAX_DIMENSION:,}, got {shortened(value, 40)}")
    return value


def record_line(kind: str, **data: Any) -> bytes:  # noqa: ANN401 - JSON values
    """Return one line of a record; a ValueError if a number is not finite."""
    return json.dumps({"kind": kind, **data}, allow_nan=False).encode() + b"\n"


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
