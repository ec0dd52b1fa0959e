"""The operator of a server: the settings that name one, the link, and the cookie."""

import asyncio
import re
import tomllib
from functools import partial

import pytest
import streamlit as st
from starlette.applications import Starlette

from bolt_core.common.permissions import Permissions
from bolt_ui import launch, owner, routes, server_state
from tests.support import asgi
from tests.support.project import ROOT

TOKEN = "the-operators"


@pytest.fixture
def client(monkeypatch):
    """Requests to a server whose operator has TOKEN."""
    monkeypatch.setattr(server_state.server(), "permissions", Permissions(TOKEN))
    return partial(asgi.get, Starlette(routes=routes.ROUTES))


def test_by_default_the_server_is_on_loopback_and_its_user_is_the_operator():
    settings = tomllib.loads((ROOT / ".streamlit/config.toml").read_text())
    rules = owner.permissions(settings["server"]["address"], {})

    assert rules == Permissions(local=True)
    assert rules.is_operator(None)


@pytest.mark.parametrize("address", ["0.0.0.0", "192.168.1.7", "::", None])
def test_a_server_that_others_can_reach_has_an_operators_token(address):
    rules, again = owner.permissions(address, {}), owner.permissions(address, {})

    assert not rules.local
    assert len(rules.operator_token) >= 24
    assert rules.operator_token != again.operator_token
    assert not rules.is_operator("a visitor")
    assert owner.permissions(address, {owner.ADMIN_VARIABLE: TOKEN}).operator_token == TOKEN


def test_a_token_ends_the_trust_in_local_visitors():
    rules = owner.permissions("localhost", {owner.ADMIN_VARIABLE: TOKEN})

    assert not rules.is_operator("a visitor behind a proxy")
    assert rules.is_operator(TOKEN)


@pytest.mark.parametrize(("value", "shared"), [("1", True), ("true", True), ("0", False), ("", 0)])
def test_a_shared_server_is_chosen_by_the_environment(value, shared):
    assert owner.permissions("0.0.0.0", {owner.SHARED_VARIABLE: value}).shared is bool(shared)


@pytest.mark.parametrize("address", ["0.0.0.0", "localhost"])
def test_the_link_of_the_operator_is_printed(monkeypatch, capsys, address):
    settings = {"server.address": address, "server.port": 8501}
    monkeypatch.setattr(st, "get_option", settings.get)

    async def start_and_end():
        async with launch.lifespan(None):
            return server_state.server().permissions.operator_token

    token = asyncio.run(start_and_end())
    links = re.findall(r"http://localhost:8501(\S+)", capsys.readouterr().out)

    assert (token is None) is (address == "localhost")
    assert links == ([f"{owner.OPERATOR_PATH}?token={token}"] if token else [])


def test_the_link_makes_a_browser_the_operators(client):
    answer = client(f"{owner.OPERATOR_PATH}?token={TOKEN}")
    cookie = answer.headers["set-cookie"].partition(";")[0]

    assert answer.status_code == 303
    assert owner.token_in([f"{owner.COOKIE}=mine; {cookie}"]) == TOKEN
    for wrong in ("", "?token=", "?token=other"):
        refused = client(owner.OPERATOR_PATH + wrong)
        assert refused.status_code == 403
        assert "set-cookie" not in refused.headers
        assert TOKEN not in refused.text
    assert owner.token_in([f"{owner.COOKIE}=mine; {owner.OPERATOR_COOKIE}=other"]) == "mine"


def test_cookies_are_hidden_from_scripts_and_other_sites(client):
    operator = client(f"{owner.OPERATOR_PATH}?token={TOKEN}").headers["set-cookie"]
    for cookie in (operator, owner._cookie(owner.COOKIE, "mine")):
        parts = cookie.split("; ")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(parts)
        assert "Secure" not in parts
