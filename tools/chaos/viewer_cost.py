"""The CPU time that viewers cost the server, in ms per second: `python -m tools.chaos.viewer_cost`.

The server runs in a process of its own and serves only charts, of a synthetic race with nine lanes
of 5,000 passes each, which grows by five passes per second. Each viewer requests, once per second,
what is new in the charts of the Arena, compressed, as a browser does. Charts are built only while
there is a viewer, so the cost of one more viewer is printed separately. One viewer comes before the
measurement, so that work which a server does only once is not counted.
"""

import sys
import threading
import time
from pathlib import Path

from tools.chaos.processes import child, say
from tools.chaos.viewers import Viewer, watch
from tools.chaos.web import Server

SECONDS = 15.0
VIEWERS = (0, 1, 3, 10)
RACE = "bench"


def serve() -> None:
    """Serve on a free port and print it."""
    import numpy as np
    import uvicorn
    from starlette.applications import Starlette

    from bolt_core import algorithms
    from bolt_core.bench import frames as made_up
    from bolt_core.charts import ChartServer
    from bolt_core.common import runtime
    from bolt_ui import routes
    from bolt_ui.server_state import server

    runtime.configure()
    rng = np.random.default_rng(0)
    catalog = algorithms.catalog().items()
    keys = [key for key, spec in catalog if spec.kind in ("paper", "control")]
    histories = {key: made_up.history(key, 6000, rng) for key in keys}
    began = time.monotonic()
    frames = ChartServer(
        lambda _: made_up.race(histories, min(5000 + int(5 * (time.monotonic() - began)), 6000))
    )
    server().charts = frames
    app = Starlette(routes=routes.ROUTES)
    web_server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    threading.Thread(target=web_server.run, daemon=True).start()
    while not web_server.started:
        time.sleep(0.05)
    say(port=web_server.servers[0].sockets[0].getsockname()[1])
    threading.Event().wait()


def main() -> None:
    with child("tools.chaos.viewer_cost", "serve") as process:
        process.wait_for_first()
        server = Server(process.heard[0]["port"], process.process, Path())
        milliseconds = {}
        watch([Viewer(server.port, RACE)], SECONDS)
        for viewers in VIEWERS:
            before = server.cpu_seconds
            watch([Viewer(server.port, RACE) for _ in range(viewers)], SECONDS)
            milliseconds[viewers] = 1e3 * (server.cpu_seconds - before) / SECONDS
            sys.stdout.write(
                f"{viewers:3d} viewers: {milliseconds[viewers]:6.1f} ms of CPU per second\n"
            )
            sys.stdout.flush()
        each = (milliseconds[10] - milliseconds[1]) / 9
        sys.stdout.write(f"one more viewer: {each:.1f} ms per second\n")


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
