"""Read files that may be gzipped, up to a number of bytes, so that a small file cannot fill memory.

A gzip file of 1 MB can decompress to 1 GB. Everything that reads a file from elsewhere opens it
here. Exceeding a limit is an OSError, like other reasons why a file cannot be read.
"""

import errno
import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_BYTES = 256 * 2**20  # of a file, decompressed
MAX_LINE_BYTES = 16 * 2**20
GZIP_MAGIC = b"\x1f\x8b"


def open_bounded(path: Path, *, gzipped: bool, max_bytes: int | None = None) -> io.BufferedReader:
    """Open a file for reading bytes; reading more than `max_bytes` (default MAX_BYTES) raises."""
    file = cast("IO[bytes]", gzip.GzipFile(path, "rb")) if gzipped else path.open("rb")
    return io.BufferedReader(_Bounded(file, MAX_BYTES if max_bytes is None else max_bytes))


def read_bounded(data: bytes, max_bytes: int | None = None) -> bytes:
    """Return `data`, decompressed if it is gzipped, of at most `max_bytes` (default MAX_BYTES)."""
    source = io.BytesIO(data)
    file = gzip.GzipFile(fileobj=source) if data.startswith(GZIP_MAGIC) else source
    bounded = _Bounded(cast("IO[bytes]", file), MAX_BYTES if max_bytes is None else max_bytes)
    return io.BufferedReader(bounded).read()


def lines_of(file: io.BufferedReader) -> Iterator[bytes]:
    """Yield the lines with their ends; one that does not end yet is the last."""
    while text := file.readline(MAX_LINE_BYTES):
        ended = text.endswith(b"\n")
        if not ended and len(text) == MAX_LINE_BYTES:
            raise _too_large("a line", MAX_LINE_BYTES)
        yield text
        if not ended:
            return


class _Bounded(io.RawIOBase):
    """A file of which at most `max_bytes` can be read."""

    def __init__(self, file: IO[bytes], max_bytes: int) -> None:
        self._file, self._max_bytes, self._left = file, max_bytes, max_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        data = self._file.read(len(view))
        self._left -= len(data)
        if self._left < 0:
            raise _too_large("it", self._max_bytes)
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def _too_large(what: str, max_bytes: int) -> OSError:
    return OSError(errno.EFBIG, f"{what} has more than {max_bytes / 2**20:g} MiB, uncompressed")
