"""A file that one process holds while it works, and lets go of with its last breath.

Looking whether it is held neither creates nor writes it, so that a folder nobody may write into can
still be looked at, and two who look do not take each other for the holder.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PAUSE = 0.02  # seconds between two tries


@contextmanager
def held(path: Path, wait: float = 0.0) -> Iterator[None]:
    """Hold it; BlockingIOError if somebody else still does after `wait` seconds."""
    with path.open("ab") as file:
        end = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= end:
                    raise
                time.sleep(PAUSE)
            except OSError:  # a file system without locks
                break
            else:
                break
        yield


def is_held(path: Path) -> bool:
    """Does some process hold it?"""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # not there, not ours to read, or no locks here
        return False
    return False
