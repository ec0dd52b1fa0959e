"""Remove what killed imports, atomic writes and campaign workers left behind."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bolt_core.common import files
from bolt_core.store.records import SUFFIX

LEFT_ALONE_SECONDS = 3600.0  # what is younger may be in use
PART = re.compile(r"\.(import-[0-9a-f]{16}|.+\.[0-9a-f]{8})\.part")
WORKER_FOLDER_PREFIX = "bolt-run-"  # of the folder in which a campaign's run is recorded
WORKER_FOLDER = re.compile(re.escape(WORKER_FOLDER_PREFIX) + r"\w+")
WORKER_RECORD = f"run{SUFFIX}"


def sweep(directory: Path, now: float) -> int:
    """Remove old temporary files of this program in `directory` and in the folder for temporary
    files; return their number. `now` is in seconds since the epoch.
    """
    removed = 0
    for path in [*_old(directory, PART, now), *_old(_temporary_folder(), WORKER_FOLDER, now)]:
        with suppress(OSError):  # removed by another process, or of another user
            if path.is_dir():
                if _abandoned(path):
                    shutil.rmtree(path)
                    removed += 1
            elif not files.is_locked(path):
                path.unlink()
                removed += 1
    return removed


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir())


def _old(directory: Path, pattern: re.Pattern[str], now: float) -> Iterator[Path]:
    """Yield what matches the pattern and has not been changed for a while; links are left alone."""
    with suppress(OSError):
        for path in directory.iterdir():
            if pattern.fullmatch(path.name) and not path.is_symlink():
                with suppress(OSError):
                    if now - path.stat().st_mtime >= LEFT_ALONE_SECONDS:
                        yield path


def _abandoned(folder: Path) -> bool:
    """Whether a folder holds nothing but the record of a worker, and no process writes it."""
    record = folder / WORKER_RECORD
    contents = list(folder.iterdir())
    return contents in ([], [record]) and not files.is_locked(record)
