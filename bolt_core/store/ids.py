"""Ids of runs and races, and the check that an id is safe to use in the name of a file."""

import re
import secrets
from datetime import UTC, datetime

from bolt_core.common.errors import RecordError

BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def new_id() -> str:
    """Return an id from UTC time and four random characters, which sorts by age."""
    tail = "".join(secrets.choice(BASE32) for _ in range(4))
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{tail}"


def new_ids(count: int) -> list[str]:
    """Return `count` ids that differ from each other, also within one second."""
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids[new_id()] = None
    return list(ids)


def is_valid_id(value: object) -> bool:
    """Whether a value is an id: letters, digits, dot, hyphen and underscore, at most 64."""
    return isinstance(value, str) and ID.fullmatch(value) is not None


def checked_id(value: object, kind: str = "id") -> str:
    """Return the id; a RecordError if it is none, so that no id ever names a file elsewhere.

    Every function that makes a path from an id calls this.
    """
    if isinstance(value, str) and ID.fullmatch(value):
        return value
    raise RecordError(f"{kind} {str(value)[:40]!r} is not a valid id")
