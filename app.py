"""The launcher: `streamlit run app.py`.

The entry script is ui/main.py, not this file: an entry script beside pages/ would be skipped when
the first request to a fresh server is a link to a page.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

sys.path.insert(0, str(Path(__file__).resolve().parent))


def plotly_js(_: Request) -> FileResponse:
    """Plotly out of the installed package: no copy here, nothing from the network."""
    import plotly

    return FileResponse(
        Path(plotly.__file__).parent / "package_data/plotly.min.js",
        media_type="text/javascript",
        headers={"Cache-Control": "public, max-age=86400"},
    )


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Whatever runs when the server goes down is closed as stopped."""
    from ui.session import conductor, frames

    live, scores = conductor(), frames()
    yield
    live.shutdown()
    scores.shutdown()


app = st.App(
    "ui/main.py", lifespan=lifespan, routes=[Route("/bolt-assets/plotly.min.js", plotly_js)]
)
