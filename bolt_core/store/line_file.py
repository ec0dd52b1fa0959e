"""An append-only file of lines that loses nothing when a write fails, synced by a thread.

What is durable, and when:

- A line is handed to the operating system before `write` returns, and therefore before the pass is
  shown. Killing the process, even with kill -9, loses no line that was shown.
- One thread of the process syncs the files to disk, at the latest SYNC_AFTER_SECONDS after a line
  was written, one file after the other. A power failure costs at most that time plus the time the
  disk needs to sync the open files once. The thread that writes lines never waits for a sync.
- While a write or a sync fails, lines are kept in memory and saving is tried again, first after
  FIRST_RETRY_SECONDS and at least every MAX_RETRY_SECONDS. What is missing is then written in
  order. Only ending the process before that loses it.
"""

from __future__ import annotations

import errno
import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from bolt_core.common import files
from bolt_core.common.errors import RecordError

SYNC_AFTER_SECONDS = 0.5  # from the first unsynced line to its sync
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.1, 5.0  # after a failure; the time doubles up to the max
NO_SYNC = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP)  # a file system that cannot sync
STATE = b'{"kind": "state"'  # the beginning of a line that replaces earlier lines of its kind


@dataclass(frozen=True, slots=True)
class SaveProblem:
    """Why a file cannot be saved at the moment, and since when."""

    reason: str
    since: datetime  # UTC


class LineFile:
    """One file, locked by this process while it is open.

    Any thread may call its methods. With `keep_trying`, no method raises an OSError: `problem`
    holds it, and saving is tried again until it succeeds, also after `close`.
    """

    def __init__(self, path: Path, *, continues: bool = False, keep_trying: bool = False) -> None:
        """Create the file with the first line; with `continues`, lock an existing file instead."""
        self.path = path
        self.problem: SaveProblem | None = None
        self._keep_trying = keep_trying
        self._lock = threading.Lock()
        self._pending: list[bytes] = []  # not written
        self._unsynced: list[bytes] = []  # written since the last sync began
        self._written = self._synced = 0  # bytes
        self._seek = self._cut = False  # whether to do so before the next line
        self._retry_at, self._retry_seconds = 0.0, FIRST_RETRY_SECONDS
        self._closed = False
        self._file: IO[bytes] | None = None
        if continues:
            self._file = _locked(path, "rb+")

    def cut_after(self, length: int) -> None:
        """Cut a file that continues after `length` bytes, when the next line is written."""
        self._written = self._synced = length
        self._seek = self._cut = True

    def write(self, line: bytes) -> None:
        """Write a line, which ends with a line feed; while writing fails, keep it in memory."""
        with self._lock:
            if self.problem is not None and line.startswith(STATE):
                self._pending = [old for old in self._pending if not old.startswith(STATE)]
            self._pending.append(line)
            if self.problem is None or time.monotonic() >= self._retry_at:
                self._write_pending(raising=not self._keep_trying)
        SYNC_THREAD.schedule(self, SYNC_AFTER_SECONDS)

    def close(self) -> None:
        """Write what is missing and release the file.

        With `keep_trying` the thread syncs the file afterwards, and completes and releases a file
        that cannot be written now. Otherwise it is synced before this returns.
        """
        with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                self._write_pending(raising=not self._keep_trying)
                if not self._keep_trying and self._file is not None:
                    os.fsync(self._file.fileno())
            finally:
                if not (self._pending and self._keep_trying):
                    self._release()
                if not self._keep_trying:
                    SYNC_THREAD.cancel(self)
        if self._keep_trying:
            SYNC_THREAD.schedule(self, 0.0)

    def abandon(self) -> None:
        """Release the file as it is; what is not written is lost."""
        with self._lock:
            self._closed = True
            self._release()
        SYNC_THREAD.cancel(self)

    def sync(self) -> float | None:
        """Write what is missing and sync the file; return the seconds to the next try, or None.

        Called by the sync thread. The lock is not held during the sync, so that lines are written
        meanwhile. The sync uses a descriptor of its own, because the file may be closed meanwhile.
        """
        with self._lock:
            if self._pending and not self._write_pending(raising=False):
                return self._retry_seconds
            if self._closed:
                self._release()
            written, lines = self._written, len(self._unsynced)
        try:
            with self.path.open("rb+") as file:
                os.fsync(file.fileno())
        except FileNotFoundError:  # deleted, or moved to the trash
            pass
        except OSError as problem:
            if problem.errno not in NO_SYNC:
                return self._sync_failed(problem)
        with self._lock:
            self._synced, self._unsynced = written, self._unsynced[lines:]
            if not self._pending:
                self.problem, self._retry_seconds = None, FIRST_RETRY_SECONDS
        return None

    def _sync_failed(self, problem: OSError) -> float:
        """Write the unsynced lines again before the next sync: the system may have lost them."""
        with self._lock:
            if not self._closed:
                self._pending = self._unsynced + self._pending
                self._unsynced, self._written, self._seek = [], self._synced, True
            self._note(problem)
            return self._retry_seconds

    def _write_pending(self, *, raising: bool) -> bool:
        """Write all pending lines; return whether they are written."""
        try:
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = _locked(self.path, "xb")
            if self._cut:
                self._file.truncate(self._written)
                self._cut = False
            if self._seek:
                self._file.seek(self._written)
                self._seek = False
            for line in tuple(self._pending):
                self._write_line(self._file, line)
        except (OSError, RecordError) as problem:
            self._seek = True
            self._note(problem)
            if raising:
                raise
            return False
        return True

    def _write_line(self, file: IO[bytes], line: bytes) -> None:
        """Write the first pending line; of a part that was written, only the rest stays pending."""
        rest = line
        while rest:
            count = file.write(rest)
            self._written += count
            self._unsynced.append(rest[:count])
            rest = rest[count:]
            self._pending[0] = rest
        del self._pending[0]

    def _note(self, problem: OSError | RecordError) -> None:
        """Keep the reason, with the time of the first failure, and when to try again."""
        since = self.problem.since if self.problem else datetime.now(UTC)
        self._retry_at = time.monotonic() + self._retry_seconds
        self._retry_seconds = min(2.0 * self._retry_seconds, MAX_RETRY_SECONDS)
        self.problem = SaveProblem(getattr(problem, "strerror", None) or str(problem), since)

    def _release(self) -> None:
        self._pending = []
        if self._file is not None:
            with suppress(OSError):
                self._file.close()


class SyncThread:
    """A daemon thread that syncs files when they are due; it sleeps while there are none."""

    def __init__(self) -> None:
        self._wake = threading.Condition()
        self._due: dict[LineFile, float] = {}  # monotonic seconds
        self._busy = False
        self._thread: threading.Thread | None = None

    def schedule(self, file: LineFile, seconds: float) -> None:
        """Sync a file after `seconds` at the latest; quick if that is planned already."""
        if seconds and file in self._due:
            return
        with self._wake:
            at = time.monotonic() + seconds
            self._due[file] = min(at, self._due.get(file, at))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="bolt-sync", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def cancel(self, file: LineFile) -> None:
        """Forget a file that needs no sync any more."""
        with self._wake:
            self._due.pop(file, None)

    def drain(self, timeout_seconds: float) -> None:
        """Try once, now, to save and sync what is due; wait at most `timeout_seconds`."""
        with self._wake:
            for file in self._due:
                self._due[file] = 0.0
            self._wake.notify_all()
            self._wake.wait_for(lambda: not self._busy and self._none_urgent(), timeout_seconds)

    def _none_urgent(self) -> bool:
        return all(self._due.values())

    def _work(self) -> None:
        while True:
            file = self._next()
            seconds = file.sync()
            with self._wake:
                self._busy = False
                if seconds is not None:
                    self._due.setdefault(file, time.monotonic() + seconds)
                self._wake.notify_all()

    def _next(self) -> LineFile:
        """Wait until a file is due, and return it."""
        with self._wake:
            while True:
                file = min(self._due, key=self._due.__getitem__, default=None)
                wait_seconds = None if file is None else self._due[file] - time.monotonic()
                if file is not None and wait_seconds is not None and wait_seconds <= 0.0:
                    del self._due[file]
                    self._busy = True
                    return file
                self._wake.wait(wait_seconds)


SYNC_THREAD = SyncThread()


def _locked(path: Path, mode: str) -> IO[bytes]:
    """Open a file without a buffer and lock it until it is closed."""
    file: IO[bytes] = path.open(mode, buffering=0)
    try:
        files.lock_record(file, path)
    except BlockingIOError:
        file.close()
        raise RecordError(
            f"another process is writing {path}; stop that run first, perhaps on another server"
        ) from None
    return file
