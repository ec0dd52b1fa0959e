"""Damage to a record file, drawn from a seed, and the errors that reading it gives.

By hand: python -c "from tests.support.damaged_records import errors; print(errors(5000))"
"""

import gzip
import json
import random
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

from bolt_core.common.errors import BoltError
from bolt_core.online.optimizer import Bolt, OnlineOptimizer, make

VALUES = (
    *(None, True, False, "", "x", "\ud800", [], {}, [[]], [None], {"a": 1}, ["x"], "nan", 0, -1),
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


def saved(path, algorithm="bolt", passes=24):
    """Save an optimizer with some passes to `path`; return the bytes."""
    opt = make(algorithm, [(0.0, 1.0), (-5.0, 5.0)], warmup=5)
    for k in range(passes):
        x = opt.ask(float(k))
        opt.tell(x, opt.at, float(x.sum()))
    opt.save(path)
    return path.read_bytes()


def damaged(data, rng):
    """Return the bytes with one to three damages."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(DAMAGES)(data, rng)
    return data


def _truncate(data, rng):
    return data[: rng.randrange(len(data) + 1)]


def _flip_bits(data, rng):
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64)) if data else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _splice(data, rng):
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(TEXTS) + data[at + rng.randrange(12) :]


def _nest(data, rng):
    at, depth = rng.randrange(len(data) + 1), rng.choice((10, 2000, 100_000))
    return data[:at] + b"[" * depth + data[at:]


def _compress(data, rng):
    packed = gzip.compress(data)
    return packed if rng.random() < 0.5 else _truncate(packed, rng)


def _move_lines(data, rng):
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


def _change_member(data, rng):
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


def _members(node):
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in list(pairs):
        yield node, key
        if isinstance(value, dict | list):
            yield from _members(value)


DAMAGES = (
    *(_truncate, _flip_bits, _splice, _nest, _compress, _move_lines),
    *(_change_member,) * 6,  # most of what can go wrong
)


def errors(count, seed=0, algorithm="bolt"):
    """Return how often each result occurs: "loads", "refused", or the name of a bare error."""
    rng, found = random.Random(seed), Counter()
    kind = Bolt if algorithm == "bolt" else OnlineOptimizer
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "damaged.jsonl"
        data = saved(path, algorithm)
        for case in range(count):
            path.write_bytes(damaged(data, rng))
            try:
                opt = kind.load(path)
                with suppress(BoltError):  # such as a time that is before the newest
                    opt.tell(opt.ask(1e6), opt.at, 1.0)
                found["loads"] += 1
            except BoltError as problem:
                named = path.name in str(problem) and len(str(problem)) < 1000
                found["refused" if named else f"unclear: {problem}"[:120]] += 1
            except Exception as problem:  # noqa: BLE001 - what the fuzzer looks for
                found[f"{type(problem).__name__} {problem} (case {case})"[:120]] += 1
    return found
