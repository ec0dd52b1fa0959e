"""The client of the service, against a server on this machine."""

import math
import socket
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta

import pytest

import bolt_core
from bolt_core import Remote
from bolt_core.common.errors import (
    BoltError,
    ConfigError,
    ConflictError,
    DamagedProblemError,
    NotYoursError,
    StateError,
    UnknownProblemError,
)
from bolt_core.common.permissions import Permissions
from bolt_core.online.http_client import RemoteError
from tests.support.problems import SPEC, value_of
from tests.support.served import served
from tests.support.service import PROBLEM, Service


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    service = Service(tmp_path_factory.mktemp("served"))
    with served(service.app) as (url, flaky):
        yield service, url, flaky
    service.problems.shutdown()


@pytest.fixture
def remote(server):
    return Remote.create(server[1], SPEC, sleep=lambda _: None)


def told(remote, count):
    for _ in range(count):
        setting = remote.ask()
        remote.tell(setting, None, value_of(setting))


def test_a_loop_as_with_bolt(server, remote):
    told(remote, 4)
    setting = remote.ask()
    assert remote.last_id == 5
    assert remote.pending[0].setting == setting == remote.last_setting
    assert remote.ask(reuse=True) == setting
    hour_ago = datetime.now(UTC) - timedelta(hours=1)
    remote.tell(setting, hour_ago, math.nan)
    remote.tell(setting, None, 3.5)  # the same setting, measured once more
    remote.tell({**setting, "feed": 2.0}, None, 4.5, id="sample 7")
    assert not remote.tell({**setting, "feed": 2.0}, None, 4.5, id="sample 7")
    status = remote.status()
    assert (status.told, status.failed, status.kept) == (7, 1, 6)
    assert str(status.told) in str(status)
    assert set(remote.best().setting) == set(SPEC.knobs)
    log = remote.log()
    view = server[0].problems.view(remote.url.rpartition("/")[2])
    assert log["yield"].equals(view.log["yield"])
    assert log["time"].tolist() == view.log["time"].tolist()
    assert log["ask"].equals(view.log["ask"])
    assert log["time"][4] == hour_ago


def test_changes_as_with_bolt(remote):
    told(remote, 3)
    remote.undo()
    assert remote.status().told == 2
    remote.withdraw()
    assert remote.pending == []
    remote.change("feed", high=6)
    assert remote.status().data["problem"]["knobs"]["feed"]["high"] == 6
    remote.correct(0, 5.5)
    remote.correct(1, math.nan)
    assert remote.log()["yield"][0] == 5.5
    remote.delete()
    with pytest.raises(UnknownProblemError):
        remote.status()


def test_calls_whose_answers_get_lost_take_effect_once(server, remote):
    flaky = server[2]
    flaky.lost = 2
    setting = remote.ask()
    flaky.lost = 2
    remote.tell(setting, None, 1.5)
    flaky.lost = 1
    remote.tell({**setting, "feed": 2.0}, None, 2.5)
    assert remote.log()["yield"].tolist() == [1.5, 2.5]
    flaky.lost = 1
    told(remote, 1)
    remote.status()
    flaky.lost = 0
    with_loss = remote.status().told
    _lose_after_reading(flaky, remote.undo)
    assert remote.status().told == with_loss - 1
    remote.ask()
    _lose_after_reading(flaky, lambda: remote.withdraw(remote.last_id))
    assert remote.last_id not in [ask.id for ask in remote.pending]


def _lose_after_reading(flaky, call):
    """Lose the answer of the first POST that a call makes."""
    original = flaky._app

    async def app(scope, receive, send):
        if scope["type"] == "http" and scope["method"] == "POST":
            flaky._app, flaky.lost = original, 1
            await flaky(scope, receive, send)
        else:
            await original(scope, receive, send)

    flaky._app = app
    try:
        call()
    finally:
        flaky._app = original


def test_errors_carry_the_message_of_the_server(remote):
    remote.ask()
    with pytest.raises(StateError, match="learned"):
        remote.best()
    remote.tell(None, None, 1.0, id=1)
    with pytest.raises(ConflictError, match="told 1"):
        remote.tell(None, None, 2.0, id=1)
    with pytest.raises(ConfigError, match="feed"):
        remote.change("fead", high=1)
    with pytest.raises(ConfigError):
        remote.tell({"feed": math.inf}, None, 1.0)
    with pytest.raises(ConfigError):
        remote.tell(None, None, 1.0)
    with pytest.raises(ConfigError):
        remote.tell({}, None, "x")
    with pytest.raises(UnknownProblemError):
        Remote(remote.url, "wrong").ask()


def test_creating_takes_the_operators_token(tmp_path):
    service = Service(tmp_path, Permissions("operator's"))
    with served(service.app) as (url, _):
        with pytest.raises(NotYoursError):
            Remote.create(url, PROBLEM)
        remote = Remote.create(url, PROBLEM, "operator's")
        told_by_page = Remote(f"{url}/problem?id={remote.url.rpartition('/')[2]}", remote.token)
        assert told_by_page.url == remote.url
        assert told_by_page.status().told == 0


def test_a_server_that_is_away_is_waited_for_and_then_named():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/api/problems/x"
        pauses = []
        away = Remote(url, "x", retry_seconds=0.5, sleep=pauses.append)
        with pytest.raises(RemoteError, match=r"127\.0\.0\.1"):
            away.ask()
    assert pauses == sorted(pauses)
    assert pauses


@pytest.mark.parametrize("sent", [0, 10, 60])
def test_an_answer_of_which_a_part_is_missing_is_asked_for_again(sent):
    body = b'{"ask": 1, "setting": {"feed": 1.0}, "at": "2026-05-03T14:05:00Z"}'
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
    answers = [head + body[:sent], head, b"", head + body]  # of a server that is killed

    def serve(listening):
        for answer in answers:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=[listening])
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/api/problems/x"
        assert Remote(url, "x", sleep=lambda _: None).ask() == {"feed": 1.0}
        thread.join()


@pytest.mark.parametrize("url", ["localhost", "ftp://x/api/problems/1", "http://x/api/problems/"])
def test_an_address_that_is_none_is_refused(url):
    with pytest.raises(ConfigError):
        Remote(url, "x")


def test_another_server_is_recognised(server):
    with pytest.raises(BoltError):
        Remote(f"{server[1]}/other/api/problems/x", "x", retry_seconds=0).ask()
    assert "Remote" in dir(bolt_core)


def test_the_client_needs_the_standard_library_only():
    code = (
        "import sys; import bolt_core.online.remote; "
        "print([m for m in ('numpy', 'scipy', 'pandas', 'fastapi') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_creating_waits_for_a_server_and_is_never_done_twice(server):
    service, url, flaky = server
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{free.getsockname()[1]}"
    pauses = []
    with pytest.raises(RemoteError, match="check the address"):
        Remote.create(away, PROBLEM, retry_seconds=0.5, sleep=pauses.append)
    assert pauses

    before = len(service.problems.ids())
    flaky.lost = 1
    with pytest.raises(RemoteError):
        Remote.create(url, PROBLEM, sleep=pauses.append)
    assert len(service.problems.ids()) == before + 1


def test_a_damaged_problem_is_not_asked_for_again(server):
    service, url, _ = server
    remote = Remote.create(url, PROBLEM, retry_seconds=math.inf, sleep=lambda _: 1 / 0)
    problem_id = remote.url.rpartition("/")[2]
    service.problems.shutdown()
    (service.problems._folder.path(problem_id) / "journal.jsonl").write_bytes(b"")
    with pytest.raises(DamagedProblemError):
        remote.ask()
