"""Errors as JSON: {"error": {"code": ..., "message": ..., "remedy": ...}}.

| status | code | when |
|---|---|---|
| 400 | malformed | the body is not strict JSON |
| 401 | token_missing | no Authorization: Bearer header |
| 403 | not_operator, limit, foreign | no operator's token; a limit; another host |
| 404 | unknown_problem, unknown_path | no such problem, or not of this token; no such path |
| 405 | method | the path exists, the method does not |
| 408 | timeout | the body did not arrive in time |
| 409 | conflict, not_now | the key was told another value; not possible in the present state |
| 413 | too_large | the body is too large |
| 415 | media_type | the body is not application/json |
| 422 | invalid | a value cannot be used |
| 429 | too_many | too many new problems in a minute |
| 500 | damaged | the journal of the problem cannot be read; repeating the call does not help |
| 500 | internal | an error of the server, which is in its log |
| 503 | busy, storage | many calls wait, or the disk is full; try again |
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from bolt_core.common.errors import (
    BoltError,
    BusyError,
    ConfigError,
    ConflictError,
    DamagedProblemError,
    LimitError,
    NotYoursError,
    RateError,
    RecordError,
    StateError,
    UnknownNameError,
    UnknownProblemError,
)
from bolt_core.common.text import shortened

log = logging.getLogger(__name__)

API_PATH = "/api"  # where the service is mounted
HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
MAX_MESSAGE = 2000  # characters
RETRY_SECONDS = 1  # after which a busy server may be asked again
STATUSES: tuple[tuple[type[BoltError], int, str], ...] = (  # the first that matches
    (RateError, 429, "too_many"),
    (LimitError, 403, "limit"),
    (NotYoursError, 403, "not_operator"),
    (UnknownProblemError, 404, "unknown_problem"),
    (BusyError, 503, "busy"),
    (ConflictError, 409, "conflict"),
    (StateError, 409, "not_now"),
    (UnknownNameError, 422, "invalid"),
    (ConfigError, 422, "invalid"),
    (DamagedProblemError, 500, "damaged"),
    (RecordError, 503, "storage"),
)
REMEDIES = {
    "busy": "try again in a second",
    "damaged": "tell the operator of this server",
    "storage": "try again with the same key; it is stored once",
    "invalid": "see /api/openapi.json for what can be sent",
    "not_now": "look at the present state first",
    "limit": "ask the operator of this server",
    "too_many": "wait a minute",
    "not_operator": "send the operator's token",
    "conflict": "use another key",
    "unknown_problem": "check the id and the token",
}


class ServiceError(Exception):
    """An answer that is an error."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        remedy: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.remedy = status, code, message, remedy
        self.headers = dict(headers or {})


def json_response(
    content: Any,  # noqa: ANN401 - JSON values
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return strict JSON in ASCII, so that any text of a user can be part of it."""
    text = json.dumps(content, allow_nan=False)
    return Response(text, status, {**HEADERS, **(headers or {})}, "application/json")


def error_response(problem: ServiceError) -> Response:
    """Return an error as JSON."""
    error = {"code": problem.code, "message": problem.message, "remedy": problem.remedy}
    return json_response({"error": error}, problem.status, problem.headers)


def service_error(problem: Exception) -> ServiceError:
    """Return the answer to any exception; one that was not expected is logged, not shown."""
    if isinstance(problem, ServiceError):
        return problem
    for kind, status, code in STATUSES:
        if isinstance(problem, kind):
            return _expected(problem, status, code)
    log.error("an unexpected error of the service", exc_info=problem)
    return ServiceError(
        500,
        "internal",
        "the server made an error, which is in its log",
        "try again; if it stays, show the log to the operator",
    )


def _expected(problem: BoltError, status: int, code: str) -> ServiceError:
    """Return the answer to an error of this package, whose message ends with the remedy."""
    text = str(problem)
    if len(text) > MAX_MESSAGE:  # it repeats what was sent
        text = f"{shortened(text, MAX_MESSAGE)}; {REMEDIES[code]}"
    message, _, remedy = text.rpartition("; ")
    headers = {}
    if isinstance(problem, RateError):
        headers["Retry-After"] = str(math.ceil(problem.retry_after))
    elif status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_SECONDS)
    if not message:
        return ServiceError(status, code, text, REMEDIES[code], headers)
    return ServiceError(status, code, message, remedy, headers)
