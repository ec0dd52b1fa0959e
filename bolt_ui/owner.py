"""Who started a race: a token in a cookie, so that a reload keeps the Stop button.

There are no accounts. The cookie comes with the page itself, before the websocket is opened, and
holds nothing but random letters; it never goes into a record.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

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
        if scope["type"] != "http" or _token(Headers(scope=scope).getlist("cookie")):
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
    return _token(st.context.headers.get_all("cookie"))


def _token(headers: Iterable[str]) -> str | None:
    """Ours alone is read: whatever else lives on this host may have cookies of any shape."""
    crumbs = (crumb.partition("=") for header in headers for crumb in header.split(";"))
    found = {name.strip(): value.strip() for name, _, value in crumbs}
    return found.get(COOKIE) or None
