"""Damage to record files, drawn from a generator: truncation, flips, wrong types, deep nesting."""

import gzip
import json
import random
from collections.abc import Iterator
from typing import Any

VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        "",
        "x",
        "../../etc/passwd",
        ".hidden",
        "a" * 65,
        "campaign:x:y",
        "\ud800",
        [],
        {},
        [[]],
        [None],
        {"a": 1},
        ["x"],
        "nan",
        0,
        -1,
    ),
    *(
        1.5,
        -0.0,
        10**6,
        10**9,
        10**30,
        -(10**30),
        10**400,
        1e308,
        -1e308,
        1e-320,
        2**63,
        "9" * 5000,
    ),
)
TEXTS = (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"{", b"\xff\xfe", b"\x00", b"9" * 5000)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with one to three damages."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(DAMAGES)(data, rng)
    return data


def _truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flip_bits(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64)) if data else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _splice(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(TEXTS) + data[at + rng.randrange(12) :]


def _nest(data: bytes, rng: random.Random) -> bytes:
    at, depth = rng.randrange(len(data) + 1), rng.choice((10, 2000, 100_000))
    return data[:at] + b"[" * depth + data[at:]


def _compress(data: bytes, rng: random.Random) -> bytes:
    packed = gzip.compress(data)
    return packed if rng.random() < 0.5 else _truncate(packed, rng)


def _move_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    change = rng.randrange(3)
    if change == 0:
        del lines[a]
    elif change == 1:
        lines.insert(b, lines[a])
    else:
        lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _change_member(data: bytes, rng: random.Random) -> bytes:
    """Drop, duplicate or replace one member of one JSON line, at any depth."""
    lines = data.split(b"\n")
    at = rng.choice([0, 0, *range(len(lines)), -2, -2, -2, -3, -3, -3]) % len(lines)
    try:
        line = json.loads(lines[at])
        holder, key = rng.choice(list(_members(line)))
    except (ValueError, IndexError, RecursionError):
        return data
    if rng.random() < 0.3:
        del holder[key]
    elif isinstance(holder, dict) and rng.random() < 0.2:
        holder[f"{key}2"] = holder[key]
    else:
        holder[key] = rng.choice(VALUES)
    lines[at] = json.dumps(line).encode()
    return b"\n".join(lines)


def _members(node: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401 - a JSON value
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in list(pairs):
        yield node, key
        if isinstance(value, dict | list):
            yield from _members(value)


DAMAGES = (
    *(_truncate, _flip_bits, _splice, _nest, _compress, _move_lines),
    *(_change_member,) * 6,  # most of what can go wrong
)
