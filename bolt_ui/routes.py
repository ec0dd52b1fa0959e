"""What the server answers beside Streamlit's own pages: charts of a race, and the scripts that
draw them. `/arena` leads to the root.

`GET /bolt-api/frames?race=ID&c=chart;view;have&c=...` gives all charts of a page in one answer, as
what has changed since the serial `have` (empty: everything). `at=seconds` shows the race as it was.
Looking up may wait for a build, so it happens in a thread: the event loop never does.
"""

from __future__ import annotations

import gzip
import hashlib
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from bolt_core.charts import ChartRequest, UnknownRaceError
from bolt_core.charts.chart_registry import View
from bolt_core.common.errors import BoltError
from bolt_core.report.renderers.document import plotly_file
from bolt_ui.server_state import server

STATIC = Path(__file__).parent / "static"
MOST = 24  # charts in one request
WORTH = 1000  # bytes from which packing pays
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
NEVER = {"Cache-Control": "no-store"}
PACKED = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


async def frames(request: Request) -> Response:
    """All charts of a page."""
    try:
        asks, at = _asks(request.query_params.getlist("c")), _at(request.query_params.get("at"))
        race = request.query_params.get("race", "")
        body, headers = await run_in_threadpool(_page, race, asks, at, _packs(request))
    except UnknownRaceError as problem:
        return JSONResponse({"error": str(problem)}, 404, NEVER)
    except BoltError as problem:
        return JSONResponse({"error": str(problem)}, 400, NEVER)
    return Response(body, media_type="application/json", headers=headers)


async def script(request: Request) -> Response:
    """One of ui/static: for good under the hash of their contents, for once under another."""
    name = request.path_params["file"]
    if name not in _scripts():
        return JSONResponse({"error": f"there is no script {name!r}"}, 404, NEVER)
    known = request.path_params["stamp"] == stamp()
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return FileResponse(STATIC / name, media_type=kind, headers=FOREVER if known else NEVER)


async def plotly_js(_: Request) -> FileResponse:
    """Plotly out of the installed package: no copy here, nothing from the network."""
    return FileResponse(
        plotly_file(),
        media_type="text/javascript",
        headers={"Cache-Control": "public, max-age=86400"},
    )


async def arena(request: Request) -> Response:
    """The Arena is the first page, whose own address is the root; its name leads there too."""
    query = request.url.query
    return RedirectResponse("./" + (f"?{query}" if query else ""))


ROUTES = [
    Route("/arena", arena),
    Route("/bolt-api/frames", frames),
    Route("/bolt-assets/plotly.min.js", plotly_js),
    Route("/bolt-assets/{stamp}/{file}", script),
]


@cache
def stamp() -> str:
    """Changes with any of the scripts."""
    contents = [(STATIC / name).read_bytes() for name in sorted(_scripts())]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:12]


@cache
def _scripts() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir() if path.suffix in (".js", ".css"))


def _page(
    race: str, asks: Sequence[ChartRequest], at: float | None, packs: bool
) -> tuple[bytes, dict[str, str]]:
    body = server().charts.page(race, asks, at)
    if packs and len(body) > WORTH:
        return gzip.compress(body, 5), NEVER | PACKED
    return body, NEVER


def _asks(given: Sequence[str]) -> list[ChartRequest]:
    if len(given) > MOST:
        raise BoltError(f"{len(given)} charts in one request; ask for at most {MOST}")
    return [_ask(one) for one in given]


def _ask(given: str) -> ChartRequest:
    chart, _, rest = given.partition(";")
    view, _, have = rest.partition(";")
    return ChartRequest(
        chart, View.parse(view), int(have) if have.isascii() and have.isdecimal() else None
    )


def _at(given: str | None) -> float | None:
    if given is None:
        return None
    try:
        at = float(given)
    except ValueError:
        at = math.nan
    if not math.isfinite(at):
        raise BoltError(f"at={given} is not a time; give seconds, at=12.5")
    return max(at, 0.0)


def _packs(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")
