"""Atomic file writes (temporary file, fsync, rename) and locks between processes."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO, Any

from bolt_core.common.packages import require

LOCK_POLL_SECONDS = 0.02


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path`; a reader sees the old file or the new one, never a part."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the folder of `path`, to be filled by the caller.

    On success, the temporary file is forced to disk and renamed to `path`. On any exception,
    KeyboardInterrupt included, it is removed and `path` is unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as problem:
        temporary.unlink(missing_ok=True)
        if isinstance(problem, OSError) and problem.filename == str(temporary):
            raise type(problem)(problem.errno, problem.strerror, str(path)) from None
        raise


@contextmanager
def locked(path: Path, wait_seconds: float = 0.0) -> Iterator[None]:
    """Hold the lock file `path`, created if missing, during a `with` block.

    The operating system releases the lock when the process ends, however it ends. Raise
    BlockingIOError if another process or thread still holds the lock after `wait_seconds`. On a
    file system without locks the block runs unlocked.
    """
    deadline = time.monotonic() + wait_seconds
    with path.open("ab") as file:
        while not _try_lock(file):
            if time.monotonic() >= deadline:
                raise BlockingIOError(f"{path} is locked by another process")
            time.sleep(LOCK_POLL_SECONDS)
        yield


def lock_record(file: IO[Any], path: Path) -> None:
    """Lock a record that is open for writing until it is closed.

    Raise BlockingIOError if another process holds it. On Windows nothing is locked, because a
    Windows lock would also keep readers out.
    """
    if sys.platform != "win32" and not _try_lock(file):
        raise BlockingIOError(f"{path} is locked by another process")


def is_locked(path: Path) -> bool:
    """Return whether a process holds the lock file `path`.

    The file is neither created nor changed, so the answer is available for a read-only folder. The
    probe is a shared lock, so that two concurrent probes do not take each other for the holder.
    """
    try:
        with path.open("rb") as file:
            return not _try_shared_lock(file)
    except OSError:  # the file is missing or not readable
        return False


def _try_lock(file: IO[Any]) -> bool:
    """Return whether an exclusive lock was taken, or the file system has no locks."""
    if sys.platform == "win32":
        require("a file lock", "filelock")
        from filelock import lock_descriptor

        try:
            return lock_descriptor(file.fileno(), blocking=False)
        except OSError:
            return True
    return _try_flock(file, shared=False)


def _try_shared_lock(file: IO[Any]) -> bool:
    """Return whether no process holds an exclusive lock on `file`; Windows has no shared probe."""
    if sys.platform == "win32":
        return _try_lock(file)
    return _try_flock(file, shared=True)


def _try_flock(file: IO[Any], *, shared: bool) -> bool:
    """Return whether a lock of POSIX systems was taken, or the file system has no locks."""
    import fcntl

    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
