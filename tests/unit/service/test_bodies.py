"""Bodies that cannot be used."""

import asyncio

import pytest

from bolt_core.service import strict_json
from tests.support.service import JSON, Service, error_code


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A problem with one ask, for calls that change nothing."""
    service = Service(tmp_path_factory.mktemp("asked"))
    path, token = service.create()
    service.post(f"{path}/ask", token)
    yield service, path, token
    service.problems.shutdown()


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"{", (400, "malformed")),
        (b'{"value": NaN}', (400, "malformed")),
        (b'{"value": -Infinity}', (400, "malformed")),
        (b'{"value": 1e999}', (400, "malformed")),
        (b'{"value": ' + b"9" * 100 + b"}", (400, "malformed")),
        (b'{"value": 1, "value": 2}', (400, "malformed")),
        (b'{"a":' * 100 + b"1" + b"}" * 100, (400, "malformed")),
        (b"[" * 100_000, (413, "too_large")),
        (b"[" * 60_000, (400, "malformed")),
        (b'{"value": "\xff"}', (400, "malformed")),
        (b"[1]", (422, "invalid")),
        (b"null", (422, "invalid")),
        (b"{}", (422, "invalid")),
        (b'{"value": "1"}', (422, "invalid")),
        (b'{"value": true}', (422, "invalid")),
        (b'{"value": 1, "failed": true}', (422, "invalid")),
        (b'{"value": 1, "more": 1}', (422, "invalid")),
        (b'{"value": 1, "ask": 1.5}', (422, "invalid")),
        (b'{"value": 1, "ask": 99}', (422, "invalid")),
        (b'{"value": 1, "key": ""}', (422, "invalid")),
        (b'{"value": 1, "key": "\\ud800", "ask": 1}', (422, "invalid")),
        (b'{"value": 1, "ask": 1, "at": "2026-05-03T14:05:00"}', (422, "invalid")),
        (b'{"value": 1, "ask": 1, "at": "3026-05-03T14:05:00Z"}', (422, "invalid")),
        (b'{"value": 1, "ask": 1, "at": 1e99}', (422, "invalid")),
        (b'{"value": 1e60, "ask": 1}', (422, "invalid")),
        (b'{"value": 1, "setting": {"feed": 1}}', (422, "invalid")),
        (b'{"value": 1, "setting": {"feed": 1, "stages": [1]}}', (422, "invalid")),
    ],
)
def test_a_body_that_cannot_be_used_is_refused(asked, body, expected):
    service, path, token = asked
    answer = service.call("POST", f"{path}/tell", token, content=body, headers=JSON)

    assert error_code(answer) == expected
    assert service.get(path, token).json()["told"] == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {},
        JSON | {"Content-Encoding": "gzip"},
        {"Content-Type": "application/x-www-form-urlencoded"},
    ],
)
def test_a_body_of_another_type_is_refused(asked, headers):
    service, path, token = asked
    answer = service.call("POST", f"{path}/tell", token, content=b'{"value": 1}', headers=headers)

    assert error_code(answer) == (415, "media_type")


def test_a_body_without_a_length_is_cut_while_it_is_read(service, monkeypatch):
    read = []

    async def endless():
        while True:
            read.append(1)
            yield b" " * 10_000

    path, token = service.create()
    answer = service.call("POST", f"{path}/tell", token, content=endless(), headers=JSON)
    assert error_code(answer) == (413, "too_large")
    assert len(read) < 20
    monkeypatch.setattr(strict_json, "MAX_BODY_SECONDS", 0.0)

    async def slow():
        await asyncio.sleep(0.05)
        yield b"{}"

    late = service.call("POST", f"{path}/tell", token, content=slow(), headers=JSON)
    assert error_code(late) == (408, "timeout")
