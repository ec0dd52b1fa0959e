"""The CPU time that viewers cost the server, in ms per second: `python tools/viewers.py`.

The server runs in a process of its own and serves only charts, of a synthetic race with nine lanes
of 5,000 passes each, which grows by five passes per second. Each viewer requests, once per second,
what is new in the charts of the Arena, compressed, as a browser does. Charts are built only while
there is a viewer, so the cost of one more viewer is printed separately. One viewer comes before the
measurement, so that work which a server does only once is not counted.
"""

import gzip
import json
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

SECONDS = 15.0
VIEWERS = (0, 1, 3, 10)
ARENA = ("headline", "regret", "leaderboard", "size", "response", "landscape", "metronome")


def serve() -> None:
    """Serve on a free port and print it; for every line of input print the CPU seconds so far."""
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
    _print(web_server.servers[0].sockets[0].getsockname()[1])
    for _ in sys.stdin:
        _print(time.process_time())


def view(port: str) -> None:
    """Request the page once per second, with the serials of the previous answer."""
    have: dict[str, int] = {}
    due = time.monotonic()
    until = due + SECONDS
    while due < until:
        charts = "&".join(f"c={name};;{have.get(f'{name};', '')}" for name in ARENA)
        url = f"http://127.0.0.1:{port}/bolt-api/frames?race=bench&{charts}"
        asking = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(asking) as reply:
            packed = reply.headers.get("Content-Encoding") == "gzip"
            body = gzip.decompress(reply.read()) if packed else reply.read()
        have = {n: f["serial"] for n, f in json.loads(body)["frames"].items()}
        due += 1.0
        time.sleep(max(due - time.monotonic(), 0.0))


def _print(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def main() -> None:
    command, pipe = [sys.executable, __file__, "serve"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        port = server.stdout.readline().strip()

        def spent() -> float:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write("\n")
            server.stdin.flush()
            return float(server.stdout.readline())

        milliseconds = {}
        view(port)
        for viewers in VIEWERS:
            before = spent()
            threads = [threading.Thread(target=view, args=(port,)) for _ in range(viewers)]
            for thread in threads:
                thread.start()
            time.sleep(SECONDS)
            for thread in threads:
                thread.join()
            milliseconds[viewers] = 1e3 * (spent() - before) / SECONDS
            _print(f"{viewers:3d} viewers: {milliseconds[viewers]:6.1f} ms of CPU per second")
        each = (milliseconds[10] - milliseconds[1]) / 9
        _print(f"one more viewer: {each:.1f} ms per second")
        server.stdin.close()


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else main()
