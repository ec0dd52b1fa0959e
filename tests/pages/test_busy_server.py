"""A server with too many requests for charts refuses further ones at once."""

from starlette.applications import Starlette

from bolt_ui import routes
from tests.support import asgi


def test_beyond_the_waiting_requests_a_request_is_told_to_come_back(monkeypatch):
    app = Starlette(routes=routes.ROUTES)
    monkeypatch.setattr(routes, "MAX_WAITING_REQUESTS", 0)  # none may wait
    busy = asgi.get(app, "/bolt-api/frames?race=r")

    assert busy.status_code == 503
    assert busy.headers["retry-after"] == "1"
    assert asgi.get(app, f"/bolt-assets/{routes.stamp()}/store.js").status_code == 200
