"""Making room: races put aside, taken back, and the oldest ones cleared away.

Deleting moves a race's files into a folder `trash` beside the records; undo moves them back.
What has lain there for a day is gone with the next clearing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bolt_core.common.errors import RecordError
from bolt_core.store.library import Library
from bolt_core.store.records import SUFFIX

TRASH = "trash"
DAY = 86_400.0  # seconds


def delete(library: Library, race_id: str) -> None:
    """Put a race aside."""
    race = library.find(race_id)
    if race is None:
        raise RecordError(f"race {race_id} is not here; it may have been deleted already")
    place = library.directory / TRASH / race_id
    moved: list[Path] = []
    try:
        place.mkdir(parents=True, exist_ok=True)
        for run in race.runs:
            run.path.replace(place / run.path.name)
            moved.append(run.path)
    except OSError as problem:
        for path in moved:  # all of a race or nothing
            with suppress(OSError):
                (place / path.name).replace(path)
        raise RecordError(f"cannot delete race {race_id}: {problem.strerror}") from None


def restore(library: Library, race_id: str) -> None:
    """Take back what was put aside."""
    place = library.directory / TRASH / race_id
    files = sorted(place.glob(f"*{SUFFIX}"))
    if not files:
        raise RecordError(f"race {race_id} is not among the deleted ones; it cannot come back")
    for path in files:
        target = library.directory / path.name
        if target.exists():
            raise RecordError(f"{target.name} is here again; nothing was overwritten")
        _moved(path, target, race_id)
    with suppress(OSError):
        place.rmdir()


def prune(library: Library, keep: int, *, busy: frozenset[str] = frozenset()) -> Iterator[str]:
    """Put aside all but the newest `keep` races; those in `busy` stay.

    Gives each id once its race is put aside: if one cannot be, the caller knows which were.
    """
    old = [race.race_id for race in library.races()[keep:] if race.race_id not in busy]
    for race_id in old:
        delete(library, race_id)
        yield race_id


def empty_trash(directory: Path, now: float) -> int:
    """Forget for good what was put aside a day ago or earlier; `now`: seconds since the epoch."""
    gone = 0
    for place in (directory / TRASH).glob("*"):
        with suppress(OSError):  # somebody else was quicker
            if place.is_dir() and now - place.stat().st_mtime >= DAY:
                shutil.rmtree(place, ignore_errors=True)
                gone += 1
    return gone


def _moved(path: Path, target: Path, race_id: str) -> None:
    try:
        path.replace(target)
    except OSError as problem:
        raise RecordError(f"cannot take race {race_id} back: {problem.strerror}") from None
