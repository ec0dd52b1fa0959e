"""Download one file and verify its checksum.

The file is written under a temporary name and renamed when its checksum is right. A file with
another checksum is kept as `<name>.unverified`, so that it can still be used deliberately.
"""

import hashlib
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO, TypeAlias
from urllib.parse import urlsplit
from urllib.request import urlopen

from bolt_core.common import files
from bolt_core.common.errors import DataError

CHUNK_BYTES = 1 << 16  # per read
TIMEOUT_SECONDS = 30.0  # without a byte

Progress: TypeAlias = Callable[[int, int | None], None]  # bytes so far, bytes in all if known


def fetch(url: str, sha256: str, directory: Path, progress: Progress | None = None) -> Path:
    """Return the path of the file in `directory`; download it unless a verified copy is there."""
    target = directory / Path(urlsplit(url).path).name
    if target.is_file() and checksum(target) == sha256:
        return target
    with files.atomic_path(target) as temporary:
        with temporary.open("wb") as out:
            _transfer(url, out, progress)
        actual = checksum(temporary)
        if actual != sha256:
            unverified = temporary.replace(target.with_name(f"{target.name}.unverified"))
            raise DataError(
                f"{url} is not the published file: its sha256 is {actual}, expected {sha256}. "
                f"It is kept as {unverified}; give that path to use it nevertheless"
            )
    return target


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _transfer(url: str, out: BinaryIO, progress: Progress | None) -> None:
    remedy = "try again, or download it yourself and give its path"
    done = 0
    try:
        with urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            length = response.headers.get("Content-Length")
            total = int(length) if length else None
            while chunk := response.read(CHUNK_BYTES):
                out.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(done, total)
    except (OSError, HTTPException) as error:
        raise DataError(f"{url} could not be downloaded ({error}); {remedy}") from error
    if total is not None and done != total:
        raise DataError(f"{url} broke off after {done} of {total} bytes; {remedy}")
