"""Bodies for the HTTP service that are wrong in every way we could think of, from a seed.

Each is made from a valid body by one change that no call may accept: broken JSON, numbers that are
none, values of a wrong type, members that do not exist, texts that are not UTF-8, deep nesting,
another media type, or a body that is too large.
"""

import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

VALID: dict[str, dict[str, Any]] = {  # by call; what is changed
    "create": {
        "name": "Plant",
        "maximize": "yield",
        "unit": "%",
        "warmup": 5,
        "knobs": {
            "feed": {"low": 0.0, "high": 8.0, "unit": "l/min", "max_step": 1.0},
            "stages": {"type": "integer", "low": 1, "high": 6},
            "catalyst": {"type": "choice", "values": ["A", "B"]},
        },
        "rows": [{"setting": {"feed": 1.0, "stages": 2, "catalyst": "A"}, "at": 1.7e9, "value": 2}],
    },
    "ask": {"reuse": True, "key": "a"},
    "tell": {
        "value": 71.3,
        "ask": 1,
        "key": "b",
        "setting": {"feed": 3.0},
        "at": "2026-05-03T14:05:00Z",
    },
    "undo": {"told": 99},
    "skip": {"ask": 99},
    "change": {"knob": "feed", "low": 1.0, "high": 6.0, "unit": "l/h", "max_step": 2.0},
    "correct": {"row": 99, "value": 1.0},
}
CALLS = tuple(VALID)
NEVER: tuple[Any, ...] = ([], {}, [[]], {"x": []}, [1, 2], {"low": {}})  # fit no member
BROKEN_NUMBERS = (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"9" * 80, b"0x1", b"1.")
OTHER_TYPES = ("text/plain", "", "application/xml", "multipart/form-data", "application/json5")
MARK = 123456789.25  # is replaced by a broken number


class Malformed(NamedTuple):
    """A request that has to be refused."""

    call: str
    what: str  # is wrong with it
    body: bytes
    headers: dict[str, str]


def malformed_bodies(count: int, seed: int) -> Iterator[Malformed]:
    """Yield `count` requests."""
    rng = random.Random(seed)
    ways = (_cut, _noise, _never, _never, _extra, _number, _twice, _not_utf8, _deep, _top, _type)
    for number in range(count):
        call = CALLS[number % len(CALLS)]
        made = _large(call) if number % 500 == 499 else rng.choice(ways)(call, rng)
        yield made


def _json(call: str, what: str, document: object) -> Malformed:
    return _raw(call, what, json.dumps(document).encode())


def _raw(call: str, what: str, body: bytes, media_type: str = "application/json") -> Malformed:
    return Malformed(call, what, body, {"Content-Type": media_type} if media_type else {})


def _copy(call: str) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(VALID[call]))
    return copied


def _cut(call: str, rng: random.Random) -> Malformed:
    body = json.dumps(VALID[call]).encode()
    return _raw(call, "cut", body[: rng.randrange(1, len(body) - 1)])


def _noise(call: str, rng: random.Random) -> Malformed:
    return _raw(call, "noise", b"{" + rng.randbytes(rng.randrange(1, 200)))


def _places(document: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401 - JSON
    """Return (container, key) of every scalar in a document."""
    found: list[tuple[Any, Any]] = []
    items = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in items:
        found += _places(value) if isinstance(value, dict | list) else [(document, key)]
    return found


def _never(call: str, rng: random.Random) -> Malformed:
    document = _copy(call)
    container, key = rng.choice(_places(document))
    container[key] = rng.choice(NEVER)
    return _json(call, f"{key} of another type", document)


def _extra(call: str, rng: random.Random) -> Malformed:
    document = _copy(call)
    document[rng.choice(["extra", "", "__class__", "\ud800", "x" * 300, "id", "token"])] = 1
    return _json(call, "a member that does not exist", document)


def _number(call: str, rng: random.Random) -> Malformed:
    document = _copy(call)
    container, key = rng.choice(_places(document))
    container[key] = MARK
    broken = rng.choice(BROKEN_NUMBERS)
    body = json.dumps(document).encode().replace(str(MARK).encode(), broken)
    return _raw(call, "a number that is none", body)


def _twice(call: str, rng: random.Random) -> Malformed:
    name = rng.choice(list(VALID[call]))
    body = json.dumps(VALID[call])[:-1] + f', "{name}": {json.dumps(VALID[call][name])}}}'
    return _raw(call, "a member twice", body.encode())


def _not_utf8(call: str, rng: random.Random) -> Malformed:
    broken = rng.choice([b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"])
    body = json.dumps(VALID[call])[:-1].encode() + b', "' + broken + b'": 1}'
    return _raw(call, "not UTF-8", body)


def _deep(call: str, rng: random.Random) -> Malformed:
    depth = rng.choice([20, 200, 2000, 20_000])
    opening, closing = rng.choice([(b"[", b"]"), (b'{"a":', b"}")])
    inner = opening * depth + b"1" + closing * depth
    body = json.dumps(VALID[call])[:-1].encode() + b', "deep": ' + inner + b"}"
    return _raw(call, "deeply nested", body)


def _top(call: str, rng: random.Random) -> Malformed:
    return _json(call, "not an object", rng.choice([[], [VALID[call]], "x", 1, True, None, 0.5]))


def _type(call: str, rng: random.Random) -> Malformed:
    return _raw(call, "media type", json.dumps(VALID[call]).encode(), rng.choice(OTHER_TYPES))


def _large(call: str) -> Malformed:
    size = 9 * 2**20 if call == "create" else 2**17
    return _raw(call, "too large", b'{"x": "' + b"x" * size + b'"}')
