"""The text of a file: which encoding it has, and what it is if it is no text at all."""

from __future__ import annotations

import codecs

from bolt_core.common.errors import DataError

MAX_BYTES = 64 * 2**20
BOMS = (  # the longer ones first
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
IMAGES = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
OTHER_KINDS = (  # by their first bytes
    (b"PK\x03\x04", "a spreadsheet (xlsx, ods) or another zip file; save the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet (xls); save the table as CSV"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"%PDF", "a PDF; export the table as CSV"),
    (b"PAR1", "a Parquet file; export the table as CSV"),
    (b"SQLite format 3", "a database; export the table as CSV"),
    *((magic, "an image; export the table as CSV") for magic in IMAGES),
)
SAMPLE_BYTES = 4096
UTF16_SHARE = 0.3  # of zero bytes at odd or at even places


def decode(data: bytes) -> tuple[str, list[str]]:
    """Return the text and notes about its encoding; DataError if it is none."""
    if len(data) > MAX_BYTES:
        raise DataError(
            f"the file has {len(data) / 2**20:,.0f} MiB, at most {MAX_BYTES // 2**20} MiB are "
            "read; keep every tenth row, or the newest part"
        )
    if not data.strip():
        raise DataError("the file is empty; give a CSV file with a header and rows")
    for magic, kind in OTHER_KINDS:
        if data.startswith(magic):
            raise DataError(f"the file is {kind}")
    encoding, skipped = _encoding(data)
    try:
        text = data[skipped:].decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            line = data[: skipped + error.start].decode(encoding, "ignore").count("\n") + 1
            raise DataError(
                f"line {line}: the file is not valid {encoding.upper()}; save it as UTF-8"
            ) from None
        line = data[: skipped + error.start].count(b"\n") + 1
        text, encoding = data.decode("latin-1"), "latin-1"
        note = f"Line {line} is not UTF-8: the file is read as Latin-1."
        return _checked(text), [note]
    notes = [f"The file is read as {encoding.upper()}."] if encoding.startswith("utf-16") else []
    return _checked(text), notes


def _encoding(data: bytes) -> tuple[str, int]:
    """Return the encoding, and the bytes of a byte order mark."""
    for bom, encoding in BOMS:
        if data.startswith(bom):
            return encoding, len(bom)
    sample = data[:SAMPLE_BYTES]
    for encoding, first in (("utf-16-le", 1), ("utf-16-be", 0)):
        half = sample[first::2]
        if len(half) > 1 and half.count(0) > UTF16_SHARE * len(half):
            return encoding, 0
    return "utf-8", 0


def _checked(text: str) -> str:
    """Return the text without a byte order mark; DataError for a zero byte, with its line."""
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    zero = text.find("\0")
    if zero >= 0:
        line = text.count("\n", 0, zero) + 1
        raise DataError(
            f"line {line}: a zero byte, so this is not a text file, or a damaged one; export the "
            "table as CSV"
        )
    return text
