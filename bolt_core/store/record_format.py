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
from bolt_core.common.errors import RecordError
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


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (number, line) of each complete line; a torn last line is dropped."""
    torn = 0  # number of a line that is not JSON, which only the last may be
    try:
        with open_record(path) as file:
            for number, text in enumerate(lines_of(file), start=1):
                if torn and text.strip():
                    raise RecordError(f"{path}, line {torn}: torn or not JSON")
                line = _parsed(text)
                if line is not None:
                    yield number, line
                elif number == 1:
                    raise RecordError(f"{path} is not a BOLT record; give a file `bolt run` wrote")
                else:
                    torn = torn or number
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise RecordError(f"cannot read {path}: {reason}") from None


def _parsed(text: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a line, or None if it is not one."""
    try:
        line = json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def _refused(name: str) -> float:
    raise ValueError(f"{name} is not a number of a record")


def checked_dimension(value: object) -> int:
    """Return the dimension of a header, which sizes arrays; ValueError if it is not usable."""
    if not isinstance(value, int) or not 0 <= value <= MAX_DIMENSION:
        raise ValueError(f"dimension must be 0 to {MAX_DIMENSION:,}, got {shortened(value, 40)}")
    return value


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
