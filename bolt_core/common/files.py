"""A file that is there whole or not at all, whatever happens while it is written."""

from __future__ import annotations

import os
from pathlib import Path


def place(path: Path, data: bytes) -> None:
    """Write beside it, then rename; what is not finished leaves nothing behind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:  # Ctrl-C too
        beside.unlink(missing_ok=True)
        raise
