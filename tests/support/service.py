"""Calls of the HTTP service without a server."""

import asyncio
import json

import httpx

from bolt_core.common.permissions import Permissions
from bolt_core.problems.problems import Problems
from bolt_core.service.app import create_app

PROBLEM = {
    "name": "Reactor",
    "maximize": "yield",
    "unit": "%",
    "warmup": 3,
    "knobs": {
        "feed": {"low": 0.0, "high": 8.0, "unit": "l/min"},
        "stages": {"type": "integer", "low": 1, "high": 6},
    },
}
JSON = {"Content-Type": "application/json"}


class Service:
    """The service on a folder. Errors that are not answered are raised."""

    def __init__(self, folder, permissions=None):
        self.problems = Problems(folder, permissions or Permissions(local=True))
        self.app = create_app(lambda: self.problems)

    def call(self, method, path, token=None, *, headers=None, **options):
        """Return the answer; `token` is sent as a bearer token."""
        sent = dict(headers or {}) | ({} if token is None else {"Authorization": f"Bearer {token}"})
        return asyncio.run(self._call(method, path, sent, options))

    async def _call(self, method, path, headers, options):
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, headers=headers, **options)

    def post(self, path, token=None, body=None, **options):
        if body is not None:
            options["json"] = body
        return self.call("POST", path, token, **options)

    def get(self, path, token=None, **options):
        return self.call("GET", path, token, **options)

    def create(self, problem=PROBLEM, token=None):
        """Create a problem; return its path and its token."""
        answer = self.post("/problems", token, problem)
        assert answer.status_code == 201, answer.text
        return f"/problems/{answer.json()['id']}", answer.json()["token"]


def error_code(answer):
    """Return (status, code) of an error, which has a message and a remedy."""
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "remedy"}
    assert error["message"]
    assert error["remedy"]
    assert "Traceback" not in answer.text
    assert answer.headers["content-type"] == "application/json"
    json.loads(answer.text)
    return answer.status_code, error["code"]
