"""Who started a race: a token in a cookie, so that a reload keeps the Stop button.

There are no accounts. The cookie comes with the page itself, before the websocket is opened, and
holds nothing but random letters; it never goes into a record.
"""

from __future__ import annotations

import secrets
from http.cookies import SimpleCookie

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "bolt_owner"
YEAR = 365 * 86_400  # seconds


class OwnerCookie:
    """Gives a visitor's first page a token; everything else passes untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or COOKIE in _cookies(scope):
            await self._app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    token = secrets.token_urlsafe(18)
                    crumbs = f"{COOKIE}={token}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax"
                    headers.append("set-cookie", crumbs)
            await send(message)

        await self._app(scope, receive, marked)


def token() -> str | None:
    """This visitor's; None where there are no cookies."""
    found: str | None = st.context.cookies.get(COOKIE)
    return found


def _cookies(scope: Scope) -> SimpleCookie:
    return SimpleCookie(Headers(scope=scope).get("cookie", ""))
