"""A cache of one result, for functions of snapshots that several charts call in a row.

A snapshot is immutable, so it is compared by identity. Only the last result is kept, because the
charts of one race are built one after the other.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

A = TypeVar("A")
R = TypeVar("R")


def memoize_last(function: Callable[[A], R]) -> Callable[[A], R]:
    """Return `function` with a cache of its last result.

    Its argument is one snapshot or a sequence of them. Callers must not change the result. Two
    threads at the same time may both compute it.
    """
    last: tuple[tuple[object, ...], R] | None = None

    @wraps(function)
    def memoized(argument: A) -> R:
        nonlocal last
        key = tuple(argument) if isinstance(argument, list | tuple) else (argument,)
        if (cached := last) is not None and _identical(cached[0], key):
            return cached[1]
        result = function(argument)
        last = key, result
        return result

    return memoized


def _identical(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
