"""The service as an ASGI application, mounted under /api by the dashboard.

Every answer is JSON, but for the log and the journal. `/openapi.json` describes it; there is no
page that shows this document, because such pages load their scripts from the network.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from bolt_core import __version__
from bolt_core.problems.problems import Problems
from bolt_core.service import bodies, openapi
from bolt_core.service.endpoints import Endpoints
from bolt_core.service.errors import ServiceError, error_response

PROBLEM = "/problems/{id}"


def create_app(find_problems: Callable[[], Problems]) -> FastAPI:
    """Return the application; `find_problems` returns the problems of the server."""
    app = FastAPI(
        title="BOLT",
        version=__version__,
        description=openapi.DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    api = Endpoints(find_problems)
    _add(app, "GET", "/", api.index)
    _add(app, "POST", "/problems", api.create, body=openapi.PROBLEM, status=201)
    _add(app, "GET", PROBLEM, api.show)
    _add(app, "POST", f"{PROBLEM}/ask", api.ask, body=openapi.schema(bodies.AskBody))
    _add(app, "POST", f"{PROBLEM}/tell", api.tell, body=openapi.schema(bodies.TellBody))
    _add(app, "POST", f"{PROBLEM}/undo", api.undo, body=openapi.schema(bodies.UndoBody))
    _add(app, "POST", f"{PROBLEM}/skip", api.skip, body=openapi.schema(bodies.SkipBody))
    _add(app, "POST", f"{PROBLEM}/change", api.change, body=openapi.schema(bodies.ChangeBody))
    _add(app, "POST", f"{PROBLEM}/correct", api.correct, body=openapi.schema(bodies.CorrectBody))
    _add(app, "GET", f"{PROBLEM}/best", api.best)
    _add(app, "GET", f"{PROBLEM}/log", api.log_rows)
    _add(app, "GET", f"{PROBLEM}/log.csv", api.log)
    _add(app, "GET", f"{PROBLEM}/journal.jsonl", api.journal)
    _add(app, "DELETE", PROBLEM, api.delete, status=204)
    app.add_exception_handler(HTTPException, _unknown)
    openapi.describe(app)
    return app


def _add(
    app: FastAPI,
    method: str,
    path: str,
    endpoint: Callable[..., Awaitable[Response]],
    *,
    body: dict[str, Any] | None = None,
    status: int = 200,
) -> None:
    app.add_api_route(
        path,
        endpoint,
        methods=[method],
        status_code=status,
        response_class=Response,
        responses=openapi.responses(path, method, endpoint.__name__),
        openapi_extra=openapi.extra(path, endpoint.__name__, body),
        operation_id=endpoint.__name__,
    )


async def _unknown(request: Request, problem: Exception) -> Response:
    """Answer a path or method that does not exist."""
    status = problem.status_code if isinstance(problem, HTTPException) else 404
    if status == 405:
        headers = {"Allow": ", ".join(_methods(request))}
        message = f"{request.method} is not possible here"
        error = ServiceError(405, "method", message, "see /api/openapi.json", headers)
    else:
        message = "there is no such path in this service"
        error = ServiceError(404, "unknown_path", message, "see /api/openapi.json")
    return error_response(error)


def _methods(request: Request) -> list[str]:
    """Return the methods of a path; it may have several routes."""
    found: set[str] = set()
    for route in request.app.routes:
        if route.matches(request.scope)[0] is not Match.NONE:
            found |= getattr(route, "methods", None) or set()
    return sorted(found)
