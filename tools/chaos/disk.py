"""A full disk that is freed again: races go on, viewers see a warning, and nothing is lost.

The disk is full for a random while: every write, or every sync, of a record fails, some of them
after a part of the line has been written. In the second check no file may grow beyond a limit,
which the operating system enforces (RLIMIT_FSIZE), and which is lifted before the race ends.
"""

import errno
import os
import random
import resource
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from bolt_core.live.conductor import Conductor
from bolt_core.store import line_file
from bolt_core.store.library import Library
from tools.chaos import races, workload
from tools.chaos.processes import temporary_home
from tools.chaos.report import Check

SHORT, LONG = 1, 40
ROOM_BYTES = (2_000, 9_000)  # up to which a file may grow
FULL_SECONDS = (0.1, 1.0)
END_SECONDS = 60.0  # within which a race ends and is saved


class FullFile:
    """A file on a disk that may be full: writes are then cut short, or refused."""

    full = threading.Event()
    refused = 0

    def __init__(self, file: Any, rng: random.Random) -> None:  # noqa: ANN401 - an open file
        self._file, self._rng = file, rng

    def write(self, data: bytes) -> int:
        """Write all, or in a full disk a part and then nothing."""
        if not self.full.is_set():
            return int(self._file.write(data))
        FullFile.refused += 1
        if len(data) > 1 and self._rng.random() < 0.5:
            return int(self._file.write(data[: self._rng.randrange(1, len(data))]))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self._file, name)


@contextmanager
def _fillable(rng: random.Random) -> Iterator[None]:
    """Let records be written to a disk that may be full."""
    opened, synced = line_file._locked, os.fsync

    def fsync(descriptor: int) -> None:
        if FullFile.full.is_set() and rng.random() < 0.5:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        synced(descriptor)

    FullFile.full.clear()
    FullFile.refused = 0
    with (
        mock.patch.object(line_file, "_locked", lambda *a: FullFile(opened(*a), rng)),
        mock.patch.object(os, "fsync", fsync),
    ):
        yield
    FullFile.full.clear()


@contextmanager
def _limited(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def run(seed: int, *, long: bool) -> list[Check]:
    """Run races on full disks and return one check per kind of disk."""
    rng, count = random.Random(seed), LONG if long else SHORT
    full, limited = Check("disk", "refused writes"), Check("disk", "file size limit")
    refused = sum(_full(full, rng, f"race {k} of seed {seed}") for k in range(count))
    full.figures = f"{refused} writes refused or cut"
    full.expect(refused > 0, "no write was refused")
    warned = sum(_limit(limited, rng, f"race {k} of seed {seed}") for k in range(count))
    limited.figures = f"{warned} of {count} races with a warning"
    limited.expect(warned > 0, "no race had a warning")
    return [full, limited]


def _full(check: Check, rng: random.Random, label: str) -> int:
    """Run a race while the disk is full for a while; return how many writes were not done."""
    with temporary_home() as home, _fillable(rng):
        conductor = Conductor(home / "runs")
        race_id = conductor.start(workload.race_configs(rng.randrange(1000)))
        time.sleep(rng.uniform(0.0, 0.5))
        FullFile.full.set()
        time.sleep(rng.uniform(*FULL_SECONDS))
        FullFile.full.clear()
        _finish(check, conductor, race_id, label)
        races.check_finished(check, Library(home / "runs"), race_id, label)
        return FullFile.refused


def _limit(check: Check, rng: random.Random, label: str) -> bool:
    """Run a race whose files reach a limit; return whether that was announced."""
    with temporary_home() as home:
        conductor = Conductor(home / "runs")
        race_id = conductor.start(workload.race_configs(rng.randrange(1000)))
        with _limited(rng.randrange(*ROOM_BYTES)):
            race = conductor.wait(race_id, lambda race: bool(race.warning or race.status.ended))
            time.sleep(rng.uniform(*FULL_SECONDS))
        _finish(check, conductor, race_id, label)
        races.check_finished(check, Library(home / "runs"), race_id, label)
        return race.warning is not None


def _finish(check: Check, conductor: Conductor, race_id: str, label: str) -> None:
    """Wait until the race has ended and everything is saved."""
    deadline = time.monotonic() + END_SECONDS
    race = conductor.snapshot(race_id)
    while race is not None and (race.warning or not race.status.ended):
        if time.monotonic() > deadline:
            check.expect(False, f"{label}: {race.status}, {race.warning}")
            break
        time.sleep(0.02)
        race = conductor.snapshot(race_id)
    conductor.shutdown()
