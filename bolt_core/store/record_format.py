"""The lines of a record: a pass as one JSON object and back, and a file line by line."""

from __future__ import annotations

import gzip
import json
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from bolt_core.common.errors import RecordError
from bolt_core.common.types import Hyperparameters, IterationRecord, Observation


def open_record(path: Path) -> IO[bytes] | gzip.GzipFile:
    """The lines' bytes, whether the file is gzipped or not: its name says so."""
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, line) of each whole line; a torn last one is dropped."""
    try:
        with open_record(path) as file:
            raw = file.read().split(b"\n")
    except (OSError, EOFError, zlib.error) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise RecordError(f"cannot read {path}: {reason}") from None
    while raw and not raw[-1].strip():
        raw.pop()
    for number, text in enumerate(raw, start=1):
        try:
            line = json.loads(text, parse_constant=_refused)
            if not isinstance(line, dict):
                raise ValueError("not an object")  # noqa: TRY301, TRY004 - one way out for both
        except (ValueError, RecursionError):
            if number == 1:
                raise RecordError(
                    f"{path} is not a BOLT record; give a file `bolt run` wrote"
                ) from None
            if number == len(raw):
                return
            raise RecordError(f"{path}, line {number}: torn or not JSON") from None
        yield number, line


def _refused(name: str) -> float:
    raise ValueError(f"{name} is no number of a record")


def to_json(record: IterationRecord) -> dict[str, Any]:
    """A record as one JSON object; what is empty is left out."""
    line: dict[str, Any] = {
        **asdict(record.observation),
        "value": _known(record.value),
        "best": _known(record.best),
        "best_x": () if _known(record.best) is None else record.best_x,
        "n": record.n,
        "seconds": record.seconds,
        "warmup": record.warmup,
        "waited": record.waited or None,
        "theta": None if record.theta is None else asdict(record.theta),
        "n_star": record.n_star,
        "removed": record.removed,
        "notes": dict(record.notes),
    }
    return {name: value for name, value in line.items() if value not in (None, (), {})}


def _known(value: float) -> float | None:
    """Without an oracle nobody knows f(x, t) and f(x*, t): they are left out."""
    return None if math.isnan(value) else value


def from_json(line: Mapping[str, Any], expected: int) -> IterationRecord:
    if line["i"] != expected:
        raise ValueError(f"iteration {line['i']} where {expected} should stand")
    theta = line.get("theta")
    return IterationRecord(
        observation=Observation(line["i"], tuple(line["x"]), line["t"], line["y"]),
        value=line.get("value", math.nan),
        best=line.get("best", math.nan),
        best_x=tuple(line.get("best_x", (math.nan,) * len(line["x"]))),
        n=line["n"],
        seconds=line["seconds"],
        warmup=line["warmup"],
        waited=line.get("waited", 0.0),
        theta=None if theta is None else Hyperparameters(**theta),
        n_star=line.get("n_star"),
        removed=tuple(line.get("removed", ())),
        notes=line.get("notes", {}),
    )
