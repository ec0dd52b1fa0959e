"""Read the body of a request: bounded while it is read, and as strict JSON.

Refused are NaN and Infinity, numbers that no computer number can hold, names that occur twice in an
object, texts that are not UTF-8, and documents that are deeply nested.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import anyio
from starlette.requests import ClientDisconnect, Request

from bolt_core.common.document_size import check_size
from bolt_core.common.errors import ConfigError
from bolt_core.common.text import shortened
from bolt_core.service.errors import ServiceError

MAX_BODY_BYTES = 64 * 2**10  # of a call on a problem
MAX_NEW_BODY_BYTES = 8 * 2**20  # of a new problem with the rows of a log
MAX_DEPTH = 8  # levels of a body
MAX_VALUES = 400_000  # in a body
MAX_BODY_SECONDS = 30.0  # in which a body has to arrive
MAX_DIGITS = 60  # of a whole number
MEDIA_TYPE = "application/json"


async def read_object(request: Request, max_bytes: int) -> dict[str, Any]:
    """Return the JSON object in a request; an empty one for an empty body."""
    body = await read_body(request, max_bytes)
    if not body.strip():
        return {}
    _check_media_type(request)
    return parsed_object(body)


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Return the body; an error as soon as it is larger than `max_bytes`."""
    too_large = ServiceError(
        413,
        "too_large",
        f"the body has more than {max_bytes:,} bytes",
        "send less, such as fewer rows",
    )
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdecimal() and int(length[:20]) > max_bytes:
        raise too_large
    body = bytearray()
    try:
        with anyio.fail_after(MAX_BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > max_bytes:
                    raise too_large
    except TimeoutError:
        raise ServiceError(
            408, "timeout", "the body did not arrive in time", "send the request again"
        ) from None
    except ClientDisconnect:
        raise ServiceError(400, "malformed", "the body is not complete", "send it again") from None
    return bytes(body)


def _check_media_type(request: Request) -> None:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if media_type != MEDIA_TYPE or encoding not in ("", "identity"):
        raise ServiceError(
            415,
            "media_type",
            f"the body is {shortened(media_type, 60) or 'of an unknown type'}"
            + ("" if encoding in ("", "identity") else f", encoded as {shortened(encoding, 40)}"),
            f"send JSON as it is, with the header Content-Type: {MEDIA_TYPE}",
        )


def parsed_object(body: bytes) -> dict[str, Any]:
    """Return a strict JSON object."""
    try:
        document = DECODER.decode(body.decode("utf-8"))
        check_size(document, MAX_VALUES, MAX_DEPTH)
    except UnicodeDecodeError:
        raise _malformed("it is not UTF-8") from None
    except RecursionError:
        raise _malformed(f"it has more than {MAX_DEPTH} levels") from None
    except (ConfigError, ValueError) as problem:
        raise _malformed(shortened(problem, 200)) from None
    if not isinstance(document, dict):
        raise ServiceError(
            422, "invalid", "the body is not an object", 'send an object, such as {"value": 71.3}'
        )
    return document


def _malformed(reason: str) -> ServiceError:
    return ServiceError(
        400, "malformed", f"the body is not strict JSON: {reason}", "send valid JSON in UTF-8"
    )


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not a number of JSON; a measurement that failed is failed: true")


def _float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {shortened(text, 40)} is too large")
    return value


def _int(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a whole number has more than {MAX_DIGITS} digits")
    return int(text)


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shortened(repr(twice), 60)} occurs twice in an object")
    return members


DECODER = json.JSONDecoder(
    parse_constant=_constant, parse_float=_float, parse_int=_int, object_pairs_hook=_pairs
)
