"""The visitor's token: a cookie that tells who started a race, so that a reload keeps Stop.

There are no accounts. The cookie is set with the page itself, before the websocket is opened. It
holds only random letters and is never written to a record.
"""

import secrets
from collections.abc import Iterable

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "bolt_owner"
YEAR_SECONDS = 365 * 86_400


class OwnerCookie:
    """Middleware that sets the cookie with a visitor's first page and changes nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or _token(Headers(scope=scope).getlist("cookie")):
            await self._app(scope, receive, send)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    token = secrets.token_urlsafe(18)
                    cookie = (
                        f"{COOKIE}={token}; Path=/; Max-Age={YEAR_SECONDS}; HttpOnly; SameSite=Lax"
                    )
                    headers.append("set-cookie", cookie)
            await send(message)

        await self._app(scope, receive, send_with_cookie)


def token() -> str | None:
    """Return the token of the present visitor; None without cookies."""
    return _token(st.context.headers.get_all("cookie"))


def _token(headers: Iterable[str]) -> str | None:
    """Return our cookie; other cookies of this host may have any form and are not parsed."""
    pairs = (pair.partition("=") for header in headers for pair in header.split(";"))
    cookies = {name.strip(): value.strip() for name, _, value in pairs}
    return cookies.get(COOKIE) or None
