"""The service as part of the dashboard: hosts, origins, cookies."""

import asyncio

import httpx
import pytest
from starlette.applications import Starlette

from bolt_core.common.permissions import Permissions
from bolt_ui import server_state
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


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}]
)
def test_foreign_hosts_and_origins_are_refused_as_json(headers):
    assert error_code(call("POST", "/api/problems", headers=headers, json=PROBLEM)) == (
        403,
        "foreign",
    )
