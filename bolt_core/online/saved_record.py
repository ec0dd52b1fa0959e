"""The record of a saved optimizer: reading it, with one clear error if the file is damaged."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bolt_core.common.errors import BoltError, ConfigError, RecordError
from bolt_core.common.text import shortened
from bolt_core.common.types import IterationRecord, Problem, RunConfig
from bolt_core.online.ask_tell import AskTell
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import records

REMEDY = "load another copy, or start anew and give the observations to tell_all"
DAMAGE = (
    *(BoltError, ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError),
    *(TypeError, ValueError, OSError),
)
TIME_SCALES = (None, "real time", "seconds", "datetimes")


class OtherAlgorithmError(ConfigError):
    """The file is of an algorithm that another class loads."""


@contextmanager
def damage_reported(path: str | Path) -> Iterator[None]:
    """Turn whatever a damaged file causes into a RecordError with the file, reason and remedy."""
    try:
        yield
    except OtherAlgorithmError:
        raise
    except DAMAGE as problem:
        reason = str(problem) if isinstance(problem, BoltError) else repr(problem)
        place = "" if str(path) in reason else f"{path} is damaged: "
        raise RecordError(f"{place}{shortened(reason, 400)}; {REMEDY}") from problem


def read(path: Path) -> tuple[RunSnapshot, Mapping[str, Any]]:
    """Return the run in a file that `save` wrote and the checked state of the optimizer."""
    snapshot = records.read(path)
    state, header = records.last_event(path, "saved"), snapshot.header
    if state is None or header is None:
        raise RecordError(f"{path} was not written by save(); `bolt show` may read it")
    if not isinstance(header["label"], str) or not isinstance(header["minimize"], bool):
        raise RecordError("label must be a text, minimize true or false")
    if not _is_number(state["at"]) or not _is_timeline(state["timeline"]):
        raise RecordError("the time of the last query is not valid")
    _check(state, len(snapshot))
    return snapshot, state


def rehearse(
    config: RunConfig, problem: Problem, state: Mapping[str, Any], past: Sequence[IterationRecord]
) -> None:
    """Make one pass with a second optimizer in this state, to see a damage before the caller does.

    Each algorithm has its own state, so there is no list of valid values to compare with.
    """
    twin = AskTell(config, problem)
    twin.resume(state, past)
    times = [record.observation.t for record in past]
    with np.errstate(all="ignore"):
        begun = twin.begun_at
        x, at = twin.ask(max([*times, 0.0 if begun is None else begun], default=0.0))
        twin.tell([(x, at, past[-1].observation.y if past else 0.0)])


def _check(state: Mapping[str, Any], passes: int) -> None:
    """Check the part of a state that all algorithms share."""
    kept = state["kept"]
    if not all(_is_count(i, passes - 1) for i in kept) or len(set(kept)) < len(kept):
        raise RecordError("the dataset does not consist of observations of the file")
    for n, seconds in state["responses"]:
        if not _is_count(n, passes) or not _is_number(seconds):
            raise RecordError("a response time is not a number of seconds at a size of the dataset")
    if type(state["answered"]) is not bool or type(state["n_star"]) not in (int, type(None)):
        raise RecordError("answered or n_star is not valid")
    if state["asked"] is not None:
        t, n, warmup = state["asked"]
        if not _is_number(t) or not _is_count(n, passes) or type(warmup) is not bool:
            raise RecordError("the pass that had begun is not valid")


def _is_timeline(timeline: Mapping[str, Any]) -> bool:
    return timeline["kind"] in TIME_SCALES and _is_number(timeline["now"])


def _is_count(value: object, most: int) -> bool:
    """Whether a value is a whole number up to `most`; it may size an array."""
    return type(value) is int and 0 <= value <= most


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
