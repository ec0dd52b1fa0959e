"""Run calls of the service: who calls, the body, work in a thread, and errors as JSON.

The event loop is shared with Streamlit, so that nothing blocking runs on it: files are read and
optimizers compute in threads of their own, of which there is a bounded number.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import Response

from bolt_core.online.pending import check_id
from bolt_core.problems.caller import Caller
from bolt_core.problems.problems import Problems
from bolt_core.service.bodies import Body, checked
from bolt_core.service.errors import ServiceError, error_response, service_error
from bolt_core.service.strict_json import MAX_BODY_BYTES, read_object

MAX_THREADS = 16
MAX_WAITING_CALLS = 100  # for a thread
MAX_TOKEN = 500  # characters
BEARER = {"WWW-Authenticate": 'Bearer realm="BOLT"'}

T = TypeVar("T")
B = TypeVar("B", bound=Body)
P = ParamSpec("P")
A = TypeVar("A")  # the object of an endpoint


class Calls:
    """The problems behind the service, and the threads that work on them."""

    def __init__(self, find_problems: Callable[[], Problems]) -> None:
        self._find_problems = find_problems
        self._limiter: CapacityLimiter | None = None

    async def in_thread(self, work: Callable[[Problems], T]) -> T:
        """Return what `work` returns, from a thread."""
        if self._limiter is None:
            self._limiter = CapacityLimiter(MAX_THREADS)
        if self._limiter.statistics().tasks_waiting >= MAX_WAITING_CALLS:
            raise ServiceError(
                503,
                "busy",
                f"{MAX_WAITING_CALLS} calls wait already",
                "try again in a second",
                {"Retry-After": "1"},
            )
        return await to_thread.run_sync(lambda: work(self._find_problems()), limiter=self._limiter)

    async def admitted(self, request: Request, id: str) -> Caller:
        """Return who calls, after a check that the token opens this problem."""
        by = caller(request)
        if by.bearer is None:
            raise token_missing("the call has no token")
        if not await self.in_thread(lambda problems: problems.opens(id, by)):
            raise ServiceError(
                404,
                "unknown_problem",
                "this token opens no problem of that id",
                "check the id and the token; each problem has its own",
            )
        return by


def caller(request: Request) -> Caller:
    """Return who calls: the bearer of a token, or no one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    token = token.strip()
    is_token = scheme.lower() == "bearer" and 0 < len(token) <= MAX_TOKEN
    return Caller(bearer=token if is_token else None, is_program=True)


def token_missing(message: str) -> ServiceError:
    """Return the answer to a call without a token that needs one."""
    remedy = "send the header Authorization: Bearer TOKEN"
    return ServiceError(401, "token_missing", message, remedy, BEARER)


async def body_of(request: Request, model: type[B]) -> B:
    """Return the checked body of a call on a problem."""
    return checked(model, await read_object(request, MAX_BODY_BYTES))


def key_of(request: Request, in_body: str | None) -> str | None:
    """Return the key of a call, from its body or the header Idempotency-Key."""
    in_header = request.headers.get("idempotency-key")
    if in_header is not None:
        check_id(in_header)
    if in_header is not None and in_body is not None and in_header != in_body:
        raise ServiceError(
            422,
            "invalid",
            "the key in the body is not that of the header Idempotency-Key",
            "send one of them",
        )
    return in_body if in_header is None else in_header


def answers_errors(
    endpoint: Callable[Concatenate[A, P], Awaitable[Response]],
) -> Callable[Concatenate[A, P], Coroutine[Any, Any, Response]]:
    """Wrap an endpoint so that every exception is answered as JSON."""

    @wraps(endpoint)
    async def answered(api: A, /, *args: P.args, **kwargs: P.kwargs) -> Response:
        try:
            return await endpoint(api, *args, **kwargs)
        except Exception as problem:  # noqa: BLE001 - a border: the caller gets JSON, the log the rest
            return error_response(service_error(problem))

    return answered
