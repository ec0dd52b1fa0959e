"""The launcher: `streamlit run app.py`.

The entry script is bolt_ui/entry/main.py. It cannot be this file: Streamlit skips an entry script
that stands beside pages/ when the first request to a fresh server is a link to a page.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bolt_ui.owner import OwnerCookie
from bolt_ui.routes import ROUTES


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Whatever runs when the server goes down is closed as stopped."""
    from bolt_ui.scoreboard.campaigns import background
    from bolt_ui.session import conductor, frames

    live, shown, campaign = conductor(), frames(), background()
    yield
    campaign.shutdown()
    live.shutdown()
    shown.shutdown()


app = st.App(
    "bolt_ui/entry/main.py", lifespan=lifespan, routes=ROUTES, middleware=[Middleware(OwnerCookie)]
)
