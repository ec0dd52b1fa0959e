"""Worked out once a look: the charts of a tick ask the same of the very same snapshots.

A snapshot never changes, so its answer does not either; it is known by identity, never by what it
holds. Only the last answer is kept, for the charts of one race are built one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


def memoize_last(work: Callable[[A], R]) -> Callable[[A], R]:
    """A function of one snapshot, or of a sequence of them, that remembers its last answer.

    Nobody may change what it returns. Threads that meet only work twice.
    """
    last: tuple[tuple[object, ...], R] | None = None

    @wraps(work)
    def asked(given: A) -> R:
        nonlocal last
        seen = tuple(given) if isinstance(given, list | tuple) else (given,)
        if (known := last) is not None and _same(known[0], seen):
            return known[1]
        found = work(given)
        last = seen, found
        return found

    return asked


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
