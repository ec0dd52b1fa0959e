"""Calls of the HTTP service with the standard library: errors, retries, no redirects.

A call is repeated after a lost connection, a timeout or an answer that says that the server is busy
or has failed, as long as `retry_seconds` allow. Callers see to it that a repeated call has no
second effect.
"""

from __future__ import annotations

import http.client
import json
import math
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.message import Message
from typing import IO, Any
from urllib.parse import urlsplit

from bolt_core.common.errors import (
    BoltError,
    ConfigError,
    ConflictError,
    DamagedProblemError,
    LimitError,
    NotYoursError,
    StateError,
    UnknownProblemError,
)
from bolt_core.common.text import shortened

LOOPBACK = ("localhost", "127.0.0.1", "::1")
FIRST_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.2, 5.0  # between tries; the pause doubles
MAX_ANSWER_BYTES = 256 * 2**20
NOT_CONNECTED = (ConnectionRefusedError, socket.gaierror)  # so that nothing was sent
NO_EFFECT = ("busy", "too_many")  # codes of answers of calls that did nothing
LOST = (OSError, http.client.HTTPException)  # URLError and timeouts are OSErrors
KINDS: Mapping[str, type[BoltError]] = {  # by the code of an error
    "conflict": ConflictError,
    "not_now": StateError,
    "invalid": ConfigError,
    "malformed": ConfigError,
    "unknown_problem": UnknownProblemError,
    "token_missing": NotYoursError,
    "not_operator": NotYoursError,
    "limit": LimitError,
    "too_many": LimitError,
    "damaged": DamagedProblemError,
}


class RemoteError(BoltError, ConnectionError):
    """A server cannot be reached, or its answer is not one of the BOLT service."""


@dataclass(frozen=True, slots=True)
class HttpClient:
    """Calls below one URL, with a token."""

    url: str
    token: str | None
    timeout: float = 60.0  # seconds, of one try
    retry_seconds: float = 60.0  # for which a call is repeated; 0: never
    sleep: Callable[[float], None] = time.sleep

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        key: str | None = None,
        *,
        has_second_effect: bool = False,
    ) -> Any:  # noqa: ANN401 - JSON
        """Return the answer of a call, which may be repeated without a second effect.

        With `has_second_effect`, it is repeated only as long as it has had no effect.
        """
        began, pause = time.monotonic(), FIRST_PAUSE_SECONDS
        while True:
            try:
                return self.call_once(method, path, body, key)
            except RemoteError as problem:
                wait_seconds = getattr(problem, "retry_after", None) or pause
                spent = time.monotonic() - began
                if has_second_effect and not getattr(problem, "had_no_effect", False):
                    raise
                if not is_passing(problem) or spent + wait_seconds > self.retry_seconds:
                    raise
            self.sleep(wait_seconds)
            pause = min(2.0 * pause, MAX_PAUSE_SECONDS)

    def call_once(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, key: str | None = None
    ) -> Any:  # noqa: ANN401 - JSON
        """Return the answer of a call, which is made once."""
        request = urllib.request.Request(self.url + path, _encoded(body), method=method)
        request.add_header("Accept", "application/json")
        if body is not None:
            request.add_header("Content-Type", "application/json")
        if self.token is not None:
            request.add_header("Authorization", f"Bearer {self.token}")
        if key is not None:
            request.add_header("Idempotency-Key", key)
        try:
            with _opener(self.url).open(request, timeout=self.timeout) as answer:
                data = _whole(answer)
        except urllib.error.HTTPError as problem:
            with problem:
                raise _error(problem, self.url) from None
        except RemoteError:
            raise
        except LOST as problem:
            reason = getattr(problem, "reason", None) or problem
            raise _passing(
                f"cannot reach {self.url}: {shortened(reason, 200) or type(problem).__name__}; "
                "check the address, and that the server runs",
                had_no_effect=isinstance(reason, NOT_CONNECTED),
            ) from None
        return _decoded(data, self.url)


def is_passing(problem: BoltError) -> bool:
    """Whether the same call may succeed later."""
    return getattr(problem, "passing", False)


class ServerAwayError(RemoteError):
    """An error after which the same call may succeed."""

    passing = True
    retry_after: float | None = None
    had_no_effect = False  # it is known: nothing was sent, or the server said so


def _passing(
    message: str, retry_after: float | None = None, *, had_no_effect: bool = False
) -> RemoteError:
    problem = ServerAwayError(message)
    problem.retry_after, problem.had_no_effect = retry_after, had_no_effect
    return problem


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, because that would give the token to another server."""

    def redirect_request(
        self,
        req: urllib.request.Request,  # noqa: ARG002
        fp: IO[bytes],  # noqa: ARG002
        code: int,  # noqa: ARG002
        msg: str,  # noqa: ARG002
        headers: Message,  # noqa: ARG002
        newurl: str,  # noqa: ARG002
    ) -> None:
        return None


def _opener(url: str) -> urllib.request.OpenerDirector:
    """Return what opens URLs; a proxy is not asked for this machine."""
    local = urlsplit(url).hostname in LOOPBACK
    proxies = [urllib.request.ProxyHandler({})] if local else []
    return urllib.request.build_opener(_NoRedirects, *proxies)


def _encoded(body: Mapping[str, Any] | None) -> bytes | None:
    if body is None:
        return None
    try:
        return json.dumps(body, allow_nan=False).encode()
    except (TypeError, ValueError) as problem:
        raise ConfigError(f"this cannot be sent as JSON: {problem}") from None


def _whole(answer: http.client.HTTPResponse) -> bytes | None:
    """Return the body of an answer, None if it has none; an HTTPException if a part is missing.

    A server that is killed may have sent the head of an answer and not the rest.
    """
    if answer.status == http.client.NO_CONTENT:
        return None
    if (answer.length or 0) > MAX_ANSWER_BYTES:
        raise RemoteError(f"the answer has more than {MAX_ANSWER_BYTES // 2**20} MiB")
    data = answer.read()  # without a number of bytes, because that would accept a part
    if not data:
        raise http.client.IncompleteRead(data)
    return data


def _decoded(data: bytes | None, url: str) -> Any:  # noqa: ANN401 - JSON
    if data is None:
        return None
    try:
        return json.loads(data)
    except ValueError:
        raise RemoteError(
            f"the answer of {url} is not JSON; check that it is the address of a BOLT server"
        ) from None


def _error(answer: urllib.error.HTTPError, url: str) -> BoltError:
    """Return the error of an answer, with the message of the server."""
    try:
        error = json.loads(answer.read(MAX_ANSWER_BYTES))["error"]
        code, message = str(error["code"]), f"{error['message']}; {error['remedy']}"
    except (ValueError, LookupError, TypeError, OSError, http.client.HTTPException):
        code, message = "", f"{url} answered with the status {answer.code}; check the address"
    if code != "damaged" and (answer.code >= 500 or code == "too_many"):
        after = _seconds(answer.headers.get("Retry-After"))
        return _passing(message, after, had_no_effect=code in NO_EFFECT)
    return KINDS.get(code, RemoteError)(message)


def _seconds(text: str | None) -> float | None:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds > 0 else None
