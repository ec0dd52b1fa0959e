"""A record with the state of an optimizer after every ask and tell, written before they return.

Lines are appended and reach the operating system at once, so that kill -9 loses nothing; a thread
syncs them to disk within half a second (`store/line_file`). A state is the event `saved`. It comes
after the observations that it knows, so that whatever follows the last complete state belongs to a
call that did not return, and is cut; a copy is kept if there are observations in it. When the
states take more space than everything else, the file is written anew with the newest ones only, and
replaces the old file as a whole; so it is after `undo` and `change`, which alter what was written
before. Then all observations come before the states, and survive the loss of these (`rebuilding`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bolt_core.common import files
from bolt_core.common.errors import FileAccessError, FileInUseError, RecordError
from bolt_core.common.types import IterationRecord, RunConfig
from bolt_core.store import records
from bolt_core.store.line_file import LineFile
from bolt_core.store.record_format import record_line, to_json

SAVED = "saved"  # event: a state
WRITTEN_ANEW = "written_anew"  # member of a header: observations come before the states
ITERATION = b'\n{"kind": "iteration"'
END_OF_SAVED = b'{"kind": "end"'  # the closing line of a file of `save`
MIN_APPENDED_BYTES = 2**20  # before the file is written anew
LOCK_WAIT_SECONDS = 2.0
TAIL_BYTES = 2**16  # of a file, in which its last state is looked for first

Rows = Callable[[], Sequence[IterationRecord]]


class Journal:
    """A record file that this process alone writes."""

    def __init__(self, path: Path, header: Mapping[str, Any], lock: ExitStack) -> None:
        self.path, self.header = path, header
        self._lock = lock
        self._lines: LineFile | None = None
        self._base = self._appended = 0  # bytes
        self.dropped_bytes = 0  # after the last complete state, when the file was opened
        self.rebuilt_rows = 0  # observations that the state was rebuilt from, when it was opened
        self.copy: Path | None = None  # of the file as it was, if observations would be cut

    @staticmethod
    def create(path: Path, config: RunConfig, header: Mapping[str, Any]) -> Journal:
        """Create a file with a header, as a whole or not at all; FileExistsError if it exists."""
        lock = _locked(path, LOCK_WAIT_SECONDS)
        if path.exists():
            lock.close()
            raise FileExistsError(path)
        try:
            with files.atomic_path(path) as part:
                records.RecordWriter(part, config, header=header).abandon()
            journal = Journal(path, records.read_header(path), lock)
            journal._continue(path.stat().st_size)
        except BaseException:
            lock.close()
            raise
        return journal

    @staticmethod
    def attach(path: Path, wait_seconds: float = LOCK_WAIT_SECONDS) -> Journal:
        """Lock a file and continue it after its last state; what follows is cut."""
        lock = _locked(path, wait_seconds)
        try:
            journal = Journal(path, records.read_header(path), lock)
            raw = path.read_bytes()
            end = _end_of_last_state(raw)
            if not raw.startswith(END_OF_SAVED, end):
                journal.dropped_bytes = len(raw) - end
            if ITERATION in raw[end - 1 :]:
                journal.keep_copy()
            journal._continue(end)
        except BaseException:
            lock.close()
            raise
        return journal

    def keep_copy(self) -> None:
        """Keep the file as it is beside it, before anything of it is cut."""
        content, number = self.path.read_bytes(), 1
        copy = self.path.with_name(f"{self.path.name}.damaged")
        while copy.exists() and copy.read_bytes() != content:
            number += 1
            copy = self.path.with_name(f"{self.path.name}.damaged-{number}")
        if not copy.exists():
            files.write_atomically(copy, content)
        self.copy = copy

    def append(
        self, new: Sequence[IterationRecord], state: Mapping[str, Any], ended: float | None = None
    ) -> None:
        """Write new observations and the state after them; `ended`: R(n) of the pass before."""
        lines = self.check_open()
        parts = (
            [] if ended is None else [record_line("event", name=records.PASS_ENDED, seconds=ended)]
        )
        parts += [record_line("iteration", **to_json(record)) for record in new]
        data = b"".join([*parts, record_line("event", name=SAVED, **state)])
        try:
            lines.write(data)
        except OSError as problem:
            raise RecordError(
                f"cannot write {self.path}: {problem.strerror}; it is kept in memory and written "
                "with the next ask or tell, so free some space"
            ) from None
        self._appended += len(data)

    def check_open(self) -> LineFile:
        """Return the open file; a RecordError after `close`."""
        if self._lines is None:
            raise RecordError(f"{self.path} is closed; open it with Bolt.open")
        return self._lines

    @property
    def is_long(self) -> bool:
        """Whether appended lines take more space than the rest, so that `rewrite` is worthwhile."""
        return self._appended > max(self._base, MIN_APPENDED_BYTES)

    def rewrite(
        self,
        rows: Sequence[IterationRecord],
        states: Sequence[Mapping[str, Any]],
        changes: Mapping[str, Any] | None = None,
    ) -> None:
        """Replace the file by one with these passes and states; `changes` are for its header."""
        lines = self.check_open()
        header = {**self.header, **(changes or {}), WRITTEN_ANEW: True}
        try:
            with files.atomic_path(self.path) as part, part.open("wb") as file:
                file.write(
                    record_line("header", **{k: v for k, v in header.items() if k != "kind"})
                )
                file.writelines(record_line("iteration", **to_json(record)) for record in rows)
                file.writelines(record_line("event", name=SAVED, **state) for state in states)
                file.flush()
        except OSError as problem:
            self._appended = 0  # tried again when as much was appended once more
            if changes is not None:
                raise RecordError(f"cannot write {self.path}: {problem.strerror}") from None
            return
        self.header = header
        lines.abandon()
        self._continue(self.path.stat().st_size)

    def close(self) -> None:
        """Sync and release the file."""
        if self._lines is not None:
            self._lines.close()
            self._lines = None
        self._lock.close()

    def abandon(self) -> None:
        """Release the file as it is on disk; what could not be written is lost."""
        if self._lines is not None:
            self._lines.abandon()
            self._lines = None
        self._lock.close()

    def __del__(self) -> None:
        """Release the file of an optimizer that is not used any more."""
        with suppress(Exception):
            self.close()

    def _continue(self, length: int) -> None:
        """Append after `length` bytes from now on."""
        self._lines = LineFile(self.path, continues=True)
        self._lines.cut_after(length)
        self._base, self._appended = length, 0


def _locked(path: Path, wait_seconds: float) -> ExitStack:
    """Lock a file against other processes; remove what a killed one left while writing it anew."""
    stack, lock = ExitStack(), path.with_name(f".{path.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stack.enter_context(files.locked(lock, wait_seconds))
    except BlockingIOError:
        holder = _holder(lock)
        raise FileInUseError(
            f"another process uses {path}{holder}; wait until it ends, or choose another", holder
        ) from None
    except OSError as problem:
        raise FileAccessError(
            f"cannot use {path}: {problem.strerror}; make its folder writable, or choose another"
        ) from None
    with suppress(OSError):
        lock.write_text(f"process {os.getpid()} (since {datetime.now(UTC):%H:%M:%S} UTC)")
    with suppress(OSError):
        for part in path.parent.glob(f".{path.name}.*.part"):
            part.unlink()
    return stack


def _holder(lock: Path) -> str:
    """Return in words which process holds a lock; nothing if that is not known."""
    with suppress(OSError, UnicodeDecodeError):
        text = lock.read_text()
        if text.startswith("process ") and text.isprintable() and len(text) < 100:
            return f": {text}"
    return ""


def last_state(path: Path) -> Mapping[str, Any] | None:
    """Return the last complete state of a journal, from its end; None if there is none.

    It is not checked. An OSError if the file cannot be read.
    """
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        for length in _doubled(TAIL_BYTES, size):
            file.seek(size - length)
            state = _last_state(file.read(length))[1]
            if state is not None or length == size:
                return state
    return None


def _doubled(first: int, last: int) -> Iterator[int]:
    """Yield first, 2 first, 4 first... and at the end `last`."""
    while first < last:
        yield first
        first *= 2
    yield last


def _end_of_last_state(raw: bytes) -> int:
    """Return the end of the last complete state; without one, the end of the header."""
    return _last_state(raw)[0] or raw.index(b"\n") + 1


def _last_state(raw: bytes) -> tuple[int, Mapping[str, Any] | None]:
    """Return the last complete state and its end; 0 and None if there is none."""
    end = raw.rfind(b"\n") + 1
    while end:
        begin = raw.rfind(b"\n", 0, end - 1) + 1
        if b'"saved"' in raw[begin:end]:
            with suppress(ValueError, RecursionError):
                event = json.loads(raw[begin:end])
                if event["kind"] == "event" and event["name"] == SAVED:
                    return end, event
        end = begin
    return 0, None
