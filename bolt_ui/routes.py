"""Routes of the server besides Streamlit's own: charts of a race, and the scripts that draw them.

`GET /bolt-api/frames?race=ID&c=chart;view;have&c=...` returns all charts of a page in one answer:
the changes since the serial `have` (empty: everything). `texts=chart;view` gives only the
alternative text and the caption of a chart. `at=seconds` gives the race at an earlier moment. The
head of the answer is the status row of a page that shows all runs, or with `run=NAME` one of them.
A request may wait until a chart is built, so it runs in a thread, not in the event loop.

A request also marks its race as watched. A page of a live race sends one at least every 5 s, also
from a hidden tab (then without charts) and while the charts are frozen or not refreshed. Browsers
let a tab that has been hidden for some minutes run once per minute; its race then counts as
unwatched, and yields to waiting races first.

`GET /bolt-api/tally?code=CODE` returns how many of a class have answered, and the counts if this
visitor may see them.

`/arena` redirects to the root. `/api` is the HTTP service (`bolt_core.service`).
"""

import gzip
import hashlib
import math
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from bolt_core.charts import ChartRequest, UnknownRaceError
from bolt_core.charts.chart_registry import View
from bolt_core.common.errors import BoltError
from bolt_core.live.class_tally import TallyView, UnknownTallyError
from bolt_core.report.renderers.document import plotly_file
from bolt_core.service.app import create_app
from bolt_core.service.errors import API_PATH
from bolt_ui.owner import OPERATOR_PATH, become_operator, token_in
from bolt_ui.server_state import server

STATIC = Path(__file__).parent / "static"
MAX_CHARTS_PER_REQUEST = 24
MAX_CHART_THREADS = 24  # each may wait for a chart
MAX_WAITING_REQUESTS = 200  # for such a thread
MIN_GZIP_BYTES = 1000  # smaller answers are sent as they are
CACHE_FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
NO_CACHE = {"Cache-Control": "no-store"}
GZIPPED = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}


@cache
def _chart_threads() -> CapacityLimiter:
    """Return the threads for charts: apart from those that send scripts and pages."""
    return CapacityLimiter(MAX_CHART_THREADS)


async def frames(request: Request) -> Response:
    """Return what is new in the charts of a page."""
    if _chart_threads().statistics().tasks_waiting >= MAX_WAITING_REQUESTS:
        message = "too many requests for charts; the next one is in a second"
        return JSONResponse({"error": message}, 503, NO_CACHE | {"Retry-After": "1"})
    try:
        query = request.query_params
        charts = _chart_requests(query.getlist("c"), query.getlist("texts"))
        at = _at(query.get("at"))
        race, run = query.get("race", ""), query.get("run", "")
        visitor = token_in(request.headers.getlist("cookie"))
        page = partial(_page, race, charts, at, run, visitor)
        body = await to_thread.run_sync(page, limiter=_chart_threads())
    except UnknownRaceError as problem:
        return JSONResponse({"error": str(problem)}, 404, NO_CACHE)
    except BoltError as problem:
        return JSONResponse({"error": str(problem)}, 400, NO_CACHE)
    headers = NO_CACHE
    if len(body) > MIN_GZIP_BYTES and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers = await to_thread.run_sync(gzip.compress, body, 5), NO_CACHE | GZIPPED
    return Response(body, media_type="application/json", headers=headers)


async def tally(request: Request) -> Response:
    """Return the state of a class's tally, as far as this visitor may know it."""
    visitor = token_in(request.headers.getlist("cookie"))
    try:
        view = server().tallies.view(request.query_params.get("code", ""), visitor)
    except UnknownTallyError as problem:
        return JSONResponse({"error": str(problem)}, 404, NO_CACHE)
    return JSONResponse(tally_payload(view), headers=NO_CACHE)


def tally_payload(view: TallyView) -> dict[str, Any]:
    """Return what the bars of a tally are drawn from."""
    names = ("question", "state", "answers", "counts", "outcome", "summary")
    return {name: getattr(view, name) for name in names}


async def script(request: Request) -> Response:
    """Return a file of bolt_ui/static, cached for good under the hash of the present contents."""
    name = request.path_params["file"]
    if name not in _scripts():
        return JSONResponse({"error": f"there is no script {name!r}"}, 404, NO_CACHE)
    current = request.path_params["stamp"] == stamp()
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return FileResponse(
        STATIC / name, media_type=kind, headers=CACHE_FOREVER if current else NO_CACHE
    )


async def plotly_js(_: Request) -> FileResponse:
    """Return plotly.js from the installed package, without a copy here or the network."""
    return FileResponse(
        plotly_file(),
        media_type="text/javascript",
        headers={"Cache-Control": "public, max-age=86400"},
    )


async def arena(request: Request) -> Response:
    """Redirect to the root, which is the address of the Arena."""
    query = request.url.query
    return RedirectResponse("./" + (f"?{query}" if query else ""))


async def api_index(_: Request) -> Response:
    """Redirect to the description of the service, which is mounted below this path."""
    return RedirectResponse(f".{API_PATH}/")


ROUTES = [
    Route("/arena", arena),
    Route("/bolt-api/frames", frames),
    Route("/bolt-api/tally", tally),
    Route(OPERATOR_PATH, become_operator),
    Route("/bolt-assets/plotly.min.js", plotly_js),
    Route("/bolt-assets/{stamp}/{file}", script),
    Route(API_PATH, api_index),
    Mount(API_PATH, create_app(lambda: server().problems)),
]


@cache
def stamp() -> str:
    """Return a hash of the contents of all scripts."""
    contents = [(STATIC / name).read_bytes() for name in sorted(_scripts())]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:12]


@cache
def _scripts() -> frozenset[str]:
    return frozenset(path.name for path in STATIC.iterdir() if path.suffix in (".js", ".css"))


def _page(
    race: str, charts: Sequence[ChartRequest], at: float | None, run: str, visitor: str | None
) -> bytes:
    """Mark the race as watched, and return the answer without compression."""
    server().conductor.touch(race, visitor)
    return server().charts.page(race, charts, at, run)


def _chart_requests(whole: Sequence[str], texts: Sequence[str]) -> list[ChartRequest]:
    """Return the charts of which all, and those of which only the texts are asked for."""
    number = len(whole) + len(texts)
    if number > MAX_CHARTS_PER_REQUEST:
        raise BoltError(f"{number} charts in one request; ask for at most {MAX_CHARTS_PER_REQUEST}")
    requests = [_chart_request(parameter) for parameter in whole]
    return requests + [_chart_request(text)._replace(texts_only=True) for text in texts]


def _chart_request(parameter: str) -> ChartRequest:
    """Read "chart;view;serial"; anything but a number as the serial means none."""
    chart, _, rest = parameter.partition(";")
    view, _, have = rest.partition(";")
    serial = int(have) if have.isascii() and have.isdecimal() else None
    return ChartRequest(chart, View.parse(view), serial)


def _at(parameter: str | None) -> float | None:
    """Read a moment in seconds; None for the present."""
    if parameter is None:
        return None
    try:
        at = float(parameter)
    except ValueError:
        at = math.nan
    if not math.isfinite(at):
        raise BoltError(f"at={parameter} is not a time; give seconds, at=12.5")
    return max(at, 0.0)
