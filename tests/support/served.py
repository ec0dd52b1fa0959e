"""The HTTP service on a port of this machine, in a thread."""

import asyncio
import socket
import threading
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount


class Flaky:
    """Passes requests on; the answers of the next `lost` ones are replaced by an error."""

    def __init__(self, app):
        self._app = app
        self.lost = 0

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http" or not self.lost:
            await self._app(scope, receive, send)
            return
        self.lost -= 1

        async def swallow(_):
            """The call has taken its effect, but its answer gets lost."""

        await self._app(scope, receive, swallow)
        await PlainTextResponse("lost", 502)(scope, receive, send)


@contextmanager
def served(app, path="/api"):
    """Serve an application below a path; give the address and what loses answers."""
    flaky = Flaky(Starlette(routes=[Mount(path, app)]))
    config = uvicorn.Config(flaky, lifespan="off", log_level="critical", ws="none")
    server = uvicorn.Server(config)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()  # requests wait until the thread serves
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])))
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", flaky
        finally:
            server.should_exit = True
            thread.join()
