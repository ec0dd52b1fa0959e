"""Middleware that refuses requests from other web sites.

A browser sends the name it was given as `Host`, and the address of the page that makes a request as
`Origin`. A page of another site that reaches this server (by DNS rebinding, or by opening a
websocket) is recognised by one of the two and refused at once.

Accepted hosts are the names of loopback; on a server that listens on other addresses also the
address that the request reached and the names of this machine; and those listed in the environment
variable BOLT_ALLOWED_HOSTS, separated by commas, which a server behind a proxy needs.

An accepted origin is passed on as `http://localhost`: Streamlit would compare others with the
public address of this machine, which it asks the network for.
"""

import os
import socket
from collections import Counter
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from bolt_core.service.errors import API_PATH, ServiceError, error_response

VARIABLE = "BOLT_ALLOWED_HOSTS"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
MAX_WEBSOCKETS = 150  # open at a time; each takes descriptors, of which a process has a few hundred
# Of one address that is not loopback. A class of 30 behind one router has one address, and some
# have two tabs open; behind a reverse proxy every visitor has the address of loopback.
MAX_WEBSOCKETS_PER_ADDRESS = 100
POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013  # codes that close a websocket


class AllowedHosts:
    """Refuses foreign hosts and origins, and websockets beyond the maximum."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._websockets: Counter[str] = Counter()  # open ones by address of the client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif reason := self._refusal(scope):
            await _refuse(scope, receive, send, reason, 403, POLICY_VIOLATION)
        elif (full := self._full(scope)) and _opens_viewer(scope):
            await _refuse(scope, receive, send, full, 503, TRY_AGAIN_LATER)
        elif scope["type"] == "http":
            await self._app(scope, receive, send)
        else:
            client = _client(scope)
            self._websockets[client] += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._websockets[client] -= 1
                self._websockets += Counter()  # drops addresses without any

    def _full(self, scope: Scope) -> str | None:
        """Return why there is no room for another viewer at this address, or None."""
        if self._websockets.total() >= MAX_WEBSOCKETS:
            return f"this server has {MAX_WEBSOCKETS} viewers already; try again later"
        client = _client(scope)
        if not is_loopback(client) and self._websockets[client] >= MAX_WEBSOCKETS_PER_ADDRESS:
            return f"your address has {MAX_WEBSOCKETS_PER_ADDRESS} open pages here; close some"
        return None

    def _refusal(self, scope: Scope) -> str | None:
        """Return why a request is refused, or None; rewrite the origin of an accepted one."""
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        allowed = self._allowed(scope)
        if _hostname(f"//{host}") not in allowed:
            return f"this server does not answer to the name {host!r}; see {VARIABLE} in its docs"
        if origin is None:
            return None
        if origin.partition("://")[2] != host and _hostname(origin) not in configured_hosts():
            return f"requests from {origin!r} are not accepted; see {VARIABLE} in the docs"
        MutableHeaders(scope=scope)["origin"] = "http://localhost"
        return None

    def _allowed(self, scope: Scope) -> frozenset[str]:
        """Return the accepted host names; `scope` has the address that the request reached."""
        reached = str((scope.get("server") or ("",))[0]).lower()
        allowed = LOOPBACK_NAMES | configured_hosts()
        return allowed if is_loopback(reached) else allowed | {reached} | machine_names()


def _client(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _opens_viewer(scope: Scope) -> bool:
    """Whether a request opens a websocket, or a page in a browser, which is to open one."""
    if scope["type"] == "websocket":
        return True
    accepted = Headers(scope=scope).get("accept", "")
    return scope.get("method") == "GET" and "text/html" in accepted


def is_loopback(address: str) -> bool:
    """Whether an address or name reaches this machine only."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def configured_hosts() -> frozenset[str]:
    """Return the host names of the environment variable."""
    names = os.environ.get(VARIABLE, "").split(",")
    return frozenset(name.strip().lower() for name in names if name.strip())


@cache
def machine_names() -> frozenset[str]:
    """Return the names of this machine in its own network."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return frozenset({name, short, f"{short}.local"} - {""})


def _hostname(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _refusal_response(path: str, reason: str, status: int) -> Response:
    """Return a refusal: JSON for a program that calls the service, text for a browser."""
    if path == API_PATH or path.startswith(f"{API_PATH}/"):
        message, _, remedy = reason.partition("; ")
        return error_response(ServiceError(status, "foreign", message, remedy))
    return PlainTextResponse(reason + "\n", status)


async def _refuse(
    scope: Scope, receive: Receive, send: Send, reason: str, status: int, code: int
) -> None:
    if scope["type"] == "http":
        await _refusal_response(str(scope.get("path", "")), reason, status)(scope, receive, send)
    else:
        await send({"type": "websocket.close", "code": code, "reason": reason[:120]})
