"""The service as part of the dashboard: hosts, origins, cookies."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette

from bolt_core.common.permissions import Permissions
from bolt_ui import launch, server_state
from bolt_ui.launch import MIDDLEWARE
from bolt_ui.routes import ROUTES
from tests.support.service import PROBLEM, error_code


def call(method, path, **options):
    async def answered():
        transport = httpx.ASGITransport(Starlette(routes=ROUTES, middleware=MIDDLEWARE))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)

    return asyncio.run(answered())


@pytest.fixture
def state(home):
    """The shared state of a server that listens on loopback only."""
    state = server_state.server(Permissions(local=True))
    yield state
    state.shutdown()


def test_a_problem_of_the_service_is_one_of_the_dashboard(state):
    made = call("POST", "/api/problems", json=PROBLEM)
    assert made.status_code == 201
    assert "set-cookie" not in made.headers
    assert state.problems.view(made.json()["id"]).told == 0
    assert state.races.find(f"problem-{made.json()['id']}").runs
    assert call("GET", "/api").headers["location"] == "./api/"
    assert call("GET", "/api/").json()["openapi"] == "/api/openapi.json"
    assert call("GET", "/api/openapi.json").json()["servers"] == [{"url": "/api"}]


def test_the_server_starts_with_the_permissions_of_its_address(home, monkeypatch):
    monkeypatch.setattr(launch.st, "get_option", {"server.address": "localhost"}.get)
    app = Starlette(routes=ROUTES, middleware=MIDDLEWARE, lifespan=launch.lifespan)
    sent = asyncio.run(_started_and_stopped(app))

    assert [message["type"] for message in sent] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]
    assert server_state.server().permissions.local


async def _started_and_stopped(app):
    """Return what an application answers to the start and the end of its server."""
    messages, sent = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}], []

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    await app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, receive, send)
    return sent


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}]
)
def test_foreign_hosts_and_origins_are_refused_as_json(headers):
    assert error_code(call("POST", "/api/problems", headers=headers, json=PROBLEM)) == (
        403,
        "foreign",
    )
