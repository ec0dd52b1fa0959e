"""The record of a saved optimizer: reading it, with one clear error if the file is damaged."""

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bolt_core.common.errors import (
    BoltError,
    ConfigError,
    FileAccessError,
    NotARecordError,
    RecordError,
)
from bolt_core.common.limits import MAX_STORED
from bolt_core.common.text import shortened
from bolt_core.common.types import IterationRecord, Problem, RunConfig
from bolt_core.online import thinking_time
from bolt_core.online.ask_tell import AskTell, Told
from bolt_core.online.journal import SAVED, WRITTEN_ANEW
from bolt_core.online.pending import PendingAsk
from bolt_core.online.rebuilding import whole_members
from bolt_core.runs.snapshot import RunSnapshot
from bolt_core.store import records
from bolt_core.store.record_format import read_lines

REMEDY = "load another copy, or start anew and give the observations to tell_all"
DAMAGE = (
    *(BoltError, ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError),
    *(TypeError, ValueError, OSError),
)
TIME_SCALES = (None, "real time", "seconds", "datetimes")
UNDO_DEPTH = 20  # tells that can be taken back


class SavedRun(NamedTuple):
    """What a file holds."""

    snapshot: RunSnapshot  # up to the last state
    state: Mapping[str, Any] | None  # None: a journal in which nothing was told or asked for yet
    earlier: Sequence[Mapping[str, Any]]  # states before each of the last tells, oldest first
    torn: Mapping[str, Any] | None = None  # what is left of the state, if its end is torn off


class OtherAlgorithmError(ConfigError):
    """The file is of an algorithm that another class loads."""


class DamagedFileError(RecordError):
    """The content of a file cannot be used; `reason` is the message without the remedy."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"{reason}; {REMEDY}")


@contextmanager
def damage_reported(path: str | Path) -> Iterator[None]:
    """Turn whatever a damaged file causes into a RecordError with the file, reason and remedy."""
    try:
        yield
    except (OtherAlgorithmError, FileAccessError):
        raise
    except DAMAGE as problem:
        if isinstance(problem, OSError) and problem.strerror:
            raise FileAccessError(f"cannot use {path}: {problem.strerror}") from problem
        raise DamagedFileError(_reason(problem, path)) from problem


def _reason(problem: BaseException, path: str | Path) -> str:
    """Return what is wrong with a file, without a remedy."""
    if isinstance(problem, NotARecordError):
        return problem.reason
    reason = str(problem) if isinstance(problem, BoltError) else repr(problem)
    place = "" if str(path) in reason else f"{path} is damaged: "
    return f"{place}{shortened(reason, 400)}"


def read(path: Path) -> SavedRun:
    """Return what `save` or a journal wrote, with checked states."""
    snapshot, (known, states) = records.read(path), _states(path)
    header = snapshot.header
    is_journal = header is not None and header.get("journal") is True
    if header is None or not (states or is_journal):
        raise RecordError(f"{path} was not written by save(); `bolt show` may read it")
    if not isinstance(header["label"], str) or not isinstance(header["minimize"], bool):
        raise RecordError("label must be a text, minimize true or false")
    if not _are_plausible(snapshot):
        raise RecordError(f"a value of an observation is not a number up to {MAX_STORED:g}")
    for count, state in states:
        if not _is_count(count, len(snapshot)):
            raise RecordError(f"a state follows {shortened(count, 40)} passes")
        check_state(state, count)
    rows = known if states else len(snapshot)
    if rows > (states[-1][0] if states else 0) and (torn := _torn_state(path, header, states)):
        return SavedRun(snapshot.upto(rows), None, [s for _, s in states], torn)
    if not states:
        return SavedRun(snapshot.upto(0), None, ())
    count, state = states[-1]
    return SavedRun(snapshot.upto(count), state, [s for _, s in states][:-1])


def _torn_state(
    path: Path, header: Mapping[str, Any], states: Sequence[tuple[int, Mapping[str, Any]]]
) -> Mapping[str, Any] | None:
    """Return what is left of a state that the observations of a file are whole without.

    None if they are of a call that did not return.
    """
    torn = whole_members(path.read_bytes().rpartition(b"\n")[2])
    if states:
        return {"timeline": states[-1][1]["timeline"], **torn}
    if "timeline" not in torn and header.get(WRITTEN_ANEW) is True:
        raise RecordError("its observations have no state after them, which says when they were")
    return torn if "timeline" in torn else None


def _states(path: Path) -> tuple[int, Sequence[tuple[int, Mapping[str, Any]]]]:
    """Return the passes before the last state, and the newest states with those that each knows."""
    known, passes = 0, 0
    states = deque[tuple[int, Mapping[str, Any]]](maxlen=UNDO_DEPTH + 1)
    for _, line in read_lines(path):
        passes += line.get("kind") == "iteration"
        if line.get("kind") == "event" and line.get("name") == SAVED:
            state = {key: value for key, value in line.items() if key not in ("kind", "name")}
            _add_state(states, line.get("i", passes), state)
            known = passes
    return known, states


def _are_plausible(snapshot: RunSnapshot) -> bool:
    values = (np.abs(snapshot.columns[name]) for name in ("x", "t", "y", "seconds"))
    return all(bool(np.all(column <= MAX_STORED)) for column in values)


def _add_state(
    states: deque[tuple[int, Mapping[str, Any]]], count: int, state: Mapping[str, Any]
) -> None:
    """Add a state; of several with the same number of tells, the last one stays."""
    if states and "tells" in state and states[-1][1].get("tells") == state["tells"]:
        states.pop()
    states.append((count, state))


def rehearse(
    config: RunConfig, problem: Problem, state: Mapping[str, Any], past: Sequence[IterationRecord]
) -> None:
    """Make one pass with a second optimizer in this state, to see a damage before the caller does.

    Each algorithm has its own state, so there is no list of valid values to compare with.
    """
    twin = AskTell(config, problem, bounded="pending" in state)
    twin.resume(state, past)
    times = [record.observation.t for record in past]
    with np.errstate(over="raise", invalid="raise"):
        begun = 0.0 if twin.start is None else twin.start.t
        x, at = twin.ask(max([*times, begun], default=0.0))
        twin.tell([Told(x, at, past[-1].observation.y if past else 0.0)])


def check_state(state: Mapping[str, Any], passes: int) -> None:
    """Check the part of a state that all algorithms share."""
    if not _is_number(state["at"]) or not _is_timeline(state["timeline"]):
        raise RecordError("the time of the last query is not valid")
    kept = state["kept"]
    if not all(_is_count(i, passes - 1) for i in kept) or len(set(kept)) < len(kept):
        raise RecordError("the dataset does not consist of observations of the file")
    for n, seconds in state.get("responses", ()):
        if not _is_count(n, passes) or not _is_number(seconds):
            raise RecordError("a response time is not a number of seconds at a size of the dataset")
    if type(state["answered"]) is not bool or type(state["n_star"]) not in (int, type(None)):
        raise RecordError("answered or n_star is not valid")
    if state["asked"] is not None:
        _check_start(state["asked"], passes)
    if "pending" in state:
        _check_bounded(state, passes)


def _check_bounded(state: Mapping[str, Any], passes: int) -> None:
    """Check what only a bounded optimizer saves."""
    if not all(type(state[name]) is int and state[name] >= 0 for name in ("asks", "tells")):
        raise RecordError("the number of asks or tells is not valid")
    if not _is_count(state["response_count"], passes):
        raise RecordError("the number of response times is not valid")
    thought = state.get("thought", 0.0)
    if not thinking_time.is_state(state["thinking"]) or not _is_number(thought) or thought < 0:
        raise RecordError("the thinking time is not valid")
    for data in state["pending"]:
        _check_start(data["start"], passes)
        ask = PendingAsk.from_json(data)
        if not all(map(math.isfinite, (*ask.x, ask.at))) or not 1 <= ask.id <= state["asks"]:
            raise RecordError("a pending ask is not valid")


def _check_start(start: Sequence[Any], passes: int) -> None:
    t, n, warmup = start
    if not _is_number(t) or not _is_count(n, passes) or type(warmup) is not bool:
        raise RecordError("the pass that had begun is not valid")


def _is_timeline(timeline: Mapping[str, Any]) -> bool:
    return timeline["kind"] in TIME_SCALES and _is_number(timeline["now"])


def _is_count(value: object, most: int) -> bool:
    """Whether a value is a whole number up to `most`; it may size an array."""
    return type(value) is int and 0 <= value <= most


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and abs(value) <= MAX_STORED  # type: ignore[arg-type]
