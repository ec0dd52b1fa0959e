"""The settings of the web server: what runs as long as it does, and its middleware.

`app.py` passes them and the routes to the literal `st.App(...)`, which Streamlit finds by parsing
that file.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.middleware import Middleware

from bolt_ui.owner import OwnerCookie
from bolt_ui.server_state import server

MIDDLEWARE = [Middleware(OwnerCookie)]


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[None]:
    """Create what all visitors share, and close it in good order when the server ends."""
    state = server()
    yield
    state.shutdown()
