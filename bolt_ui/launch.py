"""The settings of the web server: what runs as long as it does, and its middleware.

`app.py` passes them and the routes to the literal `st.App(...)`, which Streamlit finds by parsing
that file.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

from bolt_ui import owner
from bolt_ui.allowed_hosts import AllowedHosts
from bolt_ui.server_state import server

MIDDLEWARE = [Middleware(AllowedHosts), Middleware(owner.OwnerCookie)]


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """Create what all visitors share, and close it in good order when the server ends."""
    state = server(owner.permissions(st.get_option("server.address")))
    if state.permissions.operator_token is not None:
        _print_operator_link(state.permissions.operator_token)
    yield
    state.shutdown()


def _print_operator_link(token: str) -> None:
    """Print the link that makes a browser the operator's, as the terminal is the operator's."""
    port = st.get_option("server.port")
    link = f"http://localhost:{port}{owner.OPERATOR_PATH}?token={token}"
    sys.stdout.write(f"\n  Operator (may stop and delete everything): {link}\n\n")
    sys.stdout.flush()
