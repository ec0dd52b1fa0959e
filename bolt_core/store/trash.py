"""Deleting races, with undo for a day.

Deleting moves the files of a race into a folder `trash` beside the records; `restore` moves them
back. `tidy`, called when a server starts, undoes a deletion that was cut off by a crash, and
removes what was deleted more than a day ago.
"""

import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bolt_core.common import files
from bolt_core.common.errors import RecordError
from bolt_core.store import race_file
from bolt_core.store.ids import checked_id
from bolt_core.store.library import Library, StoredRace

TRASH_FOLDER = "trash"
DAY_SECONDS = 86_400.0
CUT_OFF_AFTER_SECONDS = 60.0  # a deletion takes less, so an older one is not under way


def delete(library: Library, race_id: str) -> None:
    """Move a race into the trash: all of its files or none."""
    trash_folder = folder(library, race_id)
    race = library.find(race_id)
    if race is None:
        raise RecordError(f"race {race_id} does not exist; it may have been deleted already")
    paths = library.files(race)
    if not _free_soon(paths):
        raise RecordError(f"race {race_id} is running, perhaps on another server; stop it first")
    moved: list[Path] = []
    try:
        trash_folder.mkdir(parents=True, exist_ok=True)
        for path in paths:
            path.replace(trash_folder / path.name)
            moved.append(path)
    except OSError as problem:
        for path in moved:
            with suppress(OSError):
                (trash_folder / path.name).replace(path)
        raise RecordError(f"cannot delete race {race_id}: {problem.strerror}") from None


def _free_soon(paths: Sequence[Path]) -> bool:
    """Return whether no process holds these files; a race that is just ending lets go of them."""
    deadline = time.monotonic() + race_file.LOCK_SECONDS
    while any(map(files.is_locked, paths)):
        if time.monotonic() >= deadline:
            return False
        time.sleep(race_file.LOCK_POLL_SECONDS)
    return True


def restore(library: Library, race_id: str) -> None:
    """Move a deleted race back: all of its files or none; nothing is overwritten."""
    trash_folder = folder(library, race_id)
    paths = sorted(trash_folder.glob("*")) if trash_folder.is_dir() else []
    if not paths:
        raise RecordError(f"race {race_id} is not in the trash; it cannot be restored")
    targets = {path: library.directory / path.name for path in paths}
    for target in targets.values():
        if os.path.lexists(target):
            raise RecordError(f"{target.name} exists again; nothing was restored")
    for path, target in targets.items():
        try:
            path.replace(target)
        except OSError as problem:
            raise RecordError(f"cannot restore race {race_id}: {problem.strerror}") from None
    with suppress(OSError):
        trash_folder.rmdir()


def deleted(library: Library) -> list[StoredRace]:
    """Return the races in the trash, the one deleted last first."""
    folders = sorted(_race_folders(library.directory), key=_changed, reverse=True)
    races = [Library(race_folder).find(race_folder.name) for race_folder in folders]
    return [race for race in races if race is not None]


def _race_folders(directory: Path) -> list[Path]:
    return [path for path in (directory / TRASH_FOLDER).glob("*") if path.is_dir()]


def _changed(path: Path) -> float:
    """Return when a file or folder was changed, in seconds since the epoch; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:  # another process removed it
        return 0.0


def folder(library: Library, race_id: str) -> Path:
    """Return the folder of a race in the trash; it need not exist."""
    return library.directory / TRASH_FOLDER / checked_id(race_id, "race_id")


def tidy(library: Library, now: float) -> None:
    """Undo deletions that were cut off, and remove what was deleted a day ago or earlier.

    `now` is in seconds since the epoch.
    """
    for race_folder in _race_folders(library.directory):
        with suppress(RecordError):  # it was imported again
            cut_off = now - _changed(race_folder) >= CUT_OFF_AFTER_SECONDS
            if cut_off and library.find(race_folder.name) is not None:
                restore(library, race_folder.name)
    empty_trash(library.directory, now)


def empty_trash(directory: Path, now: float) -> int:
    """Remove for good what was deleted a day ago or earlier; return the number of races.

    `now` is in seconds since the epoch.
    """
    old = [path for path in _race_folders(directory) if now - _changed(path) >= DAY_SECONDS]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return len(old)
