"""One file from the network, whole and verified, or an error: nothing in between.

The transfer goes to a temporary file that takes its name only when its checksum is right. A file
with another checksum is kept aside as `<name>.unverified`, for whoever wants to use it knowingly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO, TypeAlias
from urllib.parse import urlsplit
from urllib.request import urlopen

from bolt_core.common import files
from bolt_core.common.errors import DataError

PIECE = 1 << 16  # bytes a read
PATIENCE = 30.0  # seconds without a byte

Progress: TypeAlias = Callable[[int, int | None], None]  # bytes so far, bytes in all if known


def fetch(url: str, sha256: str, directory: Path, progress: Progress | None = None) -> Path:
    """The file behind `url` in `directory`; one that is there and right is not fetched again."""
    target = directory / Path(urlsplit(url).path).name
    if target.is_file() and checksum(target) == sha256:
        return target
    with files.atomic_path(target) as temporary:
        with temporary.open("wb") as out:
            _transfer(url, out, progress)
        found = checksum(temporary)
        if found != sha256:
            aside = temporary.replace(target.with_name(f"{target.name}.unverified"))
            raise DataError(
                f"{url} is not the published file: its sha256 is {found}, expected {sha256}. "
                f"It is kept as {aside}; give that path to use it all the same"
            )
    return target


def checksum(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _transfer(url: str, out: BinaryIO, progress: Progress | None) -> None:
    remedy = "try again, or download it by hand and give its path"
    done = 0
    try:
        with urlopen(url, timeout=PATIENCE) as response:
            length = response.headers.get("Content-Length")
            total = int(length) if length else None
            while piece := response.read(PIECE):
                out.write(piece)
                done += len(piece)
                if progress is not None:
                    progress(done, total)
    except (OSError, HTTPException) as error:
        raise DataError(f"{url} could not be downloaded ({error}); {remedy}") from error
    if total is not None and done != total:
        raise DataError(f"{url} broke off after {done} of {total} bytes; {remedy}")
