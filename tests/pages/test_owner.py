"""The cookie by which a visitor's races are known."""

import asyncio

import pytest

from bolt_ui.owner import COOKIE, OwnerCookie


def answer(content_type, cookie=None, kind="http", *, status=200, accept=b"*/*"):
    """The headers that reach a visitor who sends `cookie` and accepts these types."""
    sent = []

    async def app(scope, receive, send):
        headers = [(b"content-type", content_type)] if content_type else []
        await send({"type": "http.response.start", "status": status, "headers": headers})

    async def send(message):
        sent.append(message)

    crumbs = [(b"cookie", cookie)] if cookie else []
    scope = {"type": kind, "headers": [(b"accept", accept), *crumbs]}
    asyncio.run(OwnerCookie(app)(scope, None, send))
    return dict(sent[0]["headers"])


def test_the_first_page_brings_a_token():
    crumbs = answer(b"text/html; charset=utf-8")[b"set-cookie"].decode()
    name, _, rest = crumbs.partition("=")

    assert name == COOKIE
    assert len(rest.partition(";")[0]) >= 24
    assert "HttpOnly" in crumbs


def test_a_visitor_who_has_one_keeps_it():
    assert b"set-cookie" not in answer(b"text/html", f"a=b; {COOKIE}=mine".encode())


@pytest.mark.parametrize("strange", ["a[1]=b", "a b=c", "=", ";;", '{"x": 1}', "a=\x01", "a"])
def test_somebody_elses_cookie_of_any_shape_hides_nothing(strange):
    for crumbs in (f"{strange}; {COOKIE}=mine", f"{COOKIE}=mine; {strange}"):
        assert b"set-cookie" not in answer(b"text/html", crumbs.encode())


def test_an_empty_token_is_none():
    assert b"set-cookie" in answer(b"text/html", f"{COOKIE}=; x{COOKIE}=theirs".encode())


def test_two_visitors_have_two_tokens():
    assert answer(b"text/html") != answer(b"text/html")


def test_data_and_websockets_bring_none():
    assert b"set-cookie" not in answer(b"application/json")
    assert b"set-cookie" not in answer(b"text/html", kind="websocket")


def test_a_page_that_the_browser_still_has_brings_a_token_too():
    page = {"status": 304, "accept": b"text/html,application/xhtml+xml,*/*;q=0.8"}

    assert b"set-cookie" in answer(None, **page)
    assert b"set-cookie" not in answer(None, f"{COOKIE}=mine".encode(), **page)
    assert b"set-cookie" not in answer(None, status=304)  # a script or an image
