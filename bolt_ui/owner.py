"""Who a visitor is: a random token in a cookie, or the operator's token in another.

There are no accounts. The cookie is set with the page itself, before the websocket is opened, so
that a reload keeps Stop. It holds only random letters; records and files never hold it, but a
salted hash (`store.race_file`). The operator opens `/bolt-operator?token=...` once per browser.
"""

import os
import secrets
from collections.abc import Iterable, Mapping

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.status import HTTP_304_NOT_MODIFIED
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bolt_core.common.permissions import Permissions
from bolt_ui.allowed_hosts import is_loopback
from bolt_ui.server_state import server

COOKIE, OPERATOR_COOKIE = "bolt_owner", "bolt_operator"
YEAR_SECONDS = 365 * 86_400
ADMIN_VARIABLE, SHARED_VARIABLE = "BOLT_ADMIN_TOKEN", "BOLT_SHARED"
OPERATOR_PATH = "/bolt-operator"


def permissions(address: str | None, environment: Mapping[str, str] = os.environ) -> Permissions:
    """Return the rules of a server that listens on `address`; None: on all addresses.

    A server that others can reach has an operator's token: that of the environment, or a new one.
    """
    operator_token = environment.get(ADMIN_VARIABLE) or None
    local = operator_token is None and address is not None and is_loopback(address)
    if operator_token is None and not local:
        operator_token = secrets.token_urlsafe(18)
    shared = environment.get(SHARED_VARIABLE, "").strip().lower() in ("1", "true", "yes")
    return Permissions(operator_token, local, shared)


class OwnerCookie:
    """Middleware that sets the cookie with a visitor's first page and changes nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = Headers(scope=scope)
        if scope["type"] != "http" or _cookies(asked.getlist("cookie")).get(COOKIE):
            await self._app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if _is_page(message["status"], headers, asked):
                    headers.append("set-cookie", _cookie(COOKIE, secrets.token_urlsafe(18)))
            await send(message)

        await self._app(scope, receive, send_with_cookie)


def _is_page(status: int, headers: MutableHeaders, asked: Headers) -> bool:
    """Whether the answer is a page, or says that the browser's copy of it is still good.

    Who has cleared the cookies, but not the cache, is sent no page, yet needs a cookie.
    """
    if status == HTTP_304_NOT_MODIFIED:
        return "text/html" in asked.get("accept", "")
    return headers.get("content-type", "").startswith("text/html")


async def become_operator(request: Request) -> Response:
    """Give this browser the operator's cookie if the link has the operator's token."""
    offered = request.query_params.get("token")
    rules = server().permissions
    if rules.operator_token is None or not rules.is_operator(offered):
        return PlainTextResponse(
            "This is not the operator's token. It is in the environment variable "
            f"{ADMIN_VARIABLE} of the server, or in the link that it prints when it starts.\n",
            403,
        )
    response = RedirectResponse("./", 303)
    response.headers.append("set-cookie", _cookie(OPERATOR_COOKIE, rules.operator_token))
    return response


def token() -> str | None:
    """Return the token of the present visitor: the operator's, or the visitor's own, or None."""
    return token_in(st.context.headers.get_all("cookie"))


def token_in(headers: Iterable[str]) -> str | None:
    """Return the token in the cookie headers of a request; None without cookies."""
    cookies = _cookies(headers)
    operator = cookies.get(OPERATOR_COOKIE)
    if operator and server().permissions.is_operator(operator):
        return operator
    return cookies.get(COOKIE) or None


def _cookie(name: str, value: str) -> str:
    return f"{name}={value}; Path=/; Max-Age={YEAR_SECONDS}; HttpOnly; SameSite=Lax"


def _cookies(headers: Iterable[str]) -> dict[str, str]:
    """Return cookies by name; those of other programs may have any form and are not parsed."""
    pairs = (pair.partition("=") for header in headers for pair in header.split(";"))
    return {name.strip(): value.strip() for name, _, value in pairs}
