"""Requests of other web sites are refused by their Host or Origin."""

import asyncio

import pytest

from bolt_ui import allowed_hosts
from bolt_ui.allowed_hosts import AllowedHosts


class ReachedError(Exception):
    """The request came through, with this scope."""


async def app(scope, receive, send):
    raise ReachedError(scope)


def ask(host, origin=None, *, reached="127.0.0.1", kind="http"):
    """Return "passed" and the origin behind the middleware, or the status or closing code."""
    headers = [(b"host", host.encode("latin-1"))]
    if origin is not None:
        headers.append((b"origin", origin.encode("latin-1")))
    scope = {"type": kind, "headers": headers, "server": (reached, 8501), "method": "GET"}
    sent = []

    async def send(message):
        sent.append(message)

    try:
        asyncio.run(AllowedHosts(app)(scope, None, send))
    except ReachedError as request:
        passed = dict(request.args[0]["headers"])
        return "passed", passed.get(b"origin")
    return sent[0].get("status", sent[0].get("code"))


@pytest.mark.parametrize("host", ["localhost:8501", "127.0.0.1:8501", "[::1]:8501", "LOCALHOST"])
def test_the_names_of_loopback_are_accepted(host):
    assert ask(host) == ("passed", None)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8501", "192.168.1.7", "localhost.evil.example", "", "[::1"],
)
def test_any_other_name_is_refused_on_loopback(host):
    assert ask(host) == 403
    assert ask(host, kind="websocket") == allowed_hosts.POLICY_VIOLATION


def test_a_server_on_a_network_accepts_its_own_address_and_name(monkeypatch):
    monkeypatch.setattr(allowed_hosts, "machine_names", lambda: frozenset({"lab", "lab.local"}))
    for host in ("192.168.1.7:8501", "lab:8501", "lab.local:8501", "localhost:8501"):
        assert ask(host, reached="192.168.1.7") == ("passed", None)
    assert ask("192.168.1.8:8501", reached="192.168.1.7") == 403


def test_names_for_a_proxy_come_from_the_environment(monkeypatch):
    assert ask("bolt.example.org") == 403
    monkeypatch.setenv(allowed_hosts.VARIABLE, " bolt.example.org, other ")
    assert ask("bolt.example.org") == ("passed", None)
    behind = ask("localhost:8501", "https://bolt.example.org", kind="websocket")
    assert behind == ("passed", b"http://localhost")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:3000", "null", "file://", "http://[::1", ""]
)
def test_a_page_of_another_origin_is_refused(origin):
    assert ask("localhost:8501", origin) == 403
    assert ask("localhost:8501", origin, kind="websocket") == allowed_hosts.POLICY_VIOLATION


def test_the_own_origin_is_accepted_and_hidden_from_the_check_that_asks_the_network():
    assert ask("localhost:8501", "http://localhost:8501") == ("passed", b"http://localhost")


def test_websockets_beyond_the_maximum_are_refused(monkeypatch):
    monkeypatch.setattr(allowed_hosts, "MAX_WEBSOCKETS", 1)
    release = asyncio.Event()

    async def both():
        async def held(scope, receive, send):
            await release.wait()

        middleware, sent = AllowedHosts(held), []
        scope = {"type": "websocket", "headers": [(b"host", b"localhost")], "server": ("::1", 1)}

        async def send(message):
            sent.append(message)

        first = asyncio.ensure_future(middleware(dict(scope), None, send))
        await asyncio.sleep(0)
        await middleware(dict(scope), None, send)
        release.set()
        await first
        await middleware(dict(scope), None, send)  # there is room again
        return sent

    assert [message["code"] for message in asyncio.run(both())] == [allowed_hosts.TRY_AGAIN_LATER]


def opened(addresses, accept=b""):
    """Return the codes and statuses of refusals, one websocket per address, then a page."""

    async def visits():
        release, sent = asyncio.Event(), []

        async def held(scope, receive, send):
            if scope["type"] == "websocket":
                await release.wait()

        async def send(message):
            sent.append(message)

        middleware, waiting = AllowedHosts(held), []
        headers = [(b"host", b"localhost"), (b"accept", accept)]
        for address in addresses:
            scope = {"type": "websocket", "headers": list(headers), "server": ("::1", 1)}
            scope["client"] = (address, 5000)
            waiting.append(asyncio.ensure_future(middleware(scope, None, send)))
            await asyncio.sleep(0)
        page = {"type": "http", "headers": headers, "server": ("::1", 1), "method": "GET"}
        await middleware(page | {"client": (addresses[-1], 5000)}, None, send)
        release.set()
        await asyncio.gather(*waiting)
        return [m.get("code", m.get("status")) for m in sent if m["type"] != "http.response.body"]

    return asyncio.run(visits())


def test_one_address_does_not_take_every_websocket(monkeypatch):
    monkeypatch.setattr(allowed_hosts, "MAX_WEBSOCKETS_PER_ADDRESS", 2)

    assert opened(["10.0.0.7"] * 3 + ["10.0.0.8"]) == [allowed_hosts.TRY_AGAIN_LATER]
    assert opened(["127.0.0.1"] * 5) == []  # a reverse proxy: everyone has this address


def test_a_new_page_of_a_full_server_says_so_and_other_requests_are_answered(monkeypatch):
    monkeypatch.setattr(allowed_hosts, "MAX_WEBSOCKETS", 2)

    assert opened(["127.0.0.1"] * 2, b"text/html,*/*") == [503]
    assert opened(["127.0.0.1"] * 2, b"*/*") == []  # charts of open pages
