"""The HTTP service of a real server: malformed bodies, and many clients while it is killed.

Malformed bodies: each is refused with a status of 4xx and an error as JSON, and nothing changes.
Tells: eight clients at once tell results of eight problems, each client to all problems in turn,
with a key each; some results answer an ask. Meanwhile the server is killed with SIGKILL and started
again. In the end each result is there once, and those of one client are in the order in which it
told them.
"""

import http.client
import json
import statistics
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from bolt_core.common.errors import BoltError
from bolt_core.online.remote import Remote
from tools.chaos.malformed_bodies import malformed_bodies
from tools.chaos.processes import temporary_home
from tools.chaos.report import Check
from tools.chaos.web import HOST, Server, free_port, serving, serving_at

SHORT_BODIES, LONG_BODIES = 500, 5000
SHORT_TELLS, LONG_TELLS = 240, 10_000
SHORT_KILLS, LONG_KILLS = 1, 4
CLIENTS = PROBLEMS = 8
ASK_EVERY = 5  # of so many tells of a client, one answers an ask
CLIENT_STEP = 1_000_000  # value = client * step + number
PROBLEM = {
    "name": "Chaos",
    "maximize": "y",
    "think_within": 0.02,
    "knobs": {"a": {"low": 0, "high": 1}, "b": {"low": 0, "high": 1}},
}


def run(seed: int, *, long: bool) -> list[Check]:
    """Send malformed bodies to one server, then tell to others; return the checks."""
    with temporary_home() as home, serving(home) as server:
        bodies = _bodies(server, LONG_BODIES if long else SHORT_BODIES, seed)
    with temporary_home() as home:
        tells = _tells(
            home, LONG_TELLS if long else SHORT_TELLS, LONG_KILLS if long else SHORT_KILLS
        )
    return [bodies, tells]


def _bodies(server: Server, count: int, seed: int) -> Check:
    check, statuses = Check("service", "malformed bodies"), Counter[int]()
    remote = Remote.create(f"http://{HOST}:{server.port}", PROBLEM)
    remote.ask()
    before = remote.status().data["problem"]
    path = remote.url.partition(str(server.port))[2]
    connection = http.client.HTTPConnection(HOST, server.port, timeout=60)
    for request in malformed_bodies(count, seed):
        url = "/api/problems" if request.call == "create" else f"{path}/{request.call}"
        headers = {**request.headers, "Authorization": f"Bearer {remote.token}"}
        try:
            connection.request("POST", url, request.body, headers)
            answer = connection.getresponse()
            status, text = answer.status, answer.read()
        except (OSError, http.client.HTTPException):  # refused before it was read to its end
            connection.close()
            check.expect(request.what == "too large", f"no answer: {request.call} {request.what}")
            continue
        statuses[status] += 1
        is_error = _is_error(text) and 400 <= status < 500
        check.expect(is_error, f"{status} {request.call} {request.what}: {text[:200]!r}")
    connection.close()
    after = remote.status()
    check.expect(after.told == 0 and after.data["problem"] == before, "the problem has changed")
    check.expect(not server.tracebacks(), f"tracebacks: {server.tracebacks()[:3]}")
    check.figures = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    return check


def _is_error(text: bytes) -> bool:
    with suppress(ValueError, KeyError, TypeError):
        return set(json.loads(text)["error"]) == {"code", "message", "remedy"}
    return False


class Client(threading.Thread):
    """Tells results to all problems in turn."""

    def __init__(self, number: int, count: int, remotes: list[Remote]) -> None:
        super().__init__(name=f"client {number}", daemon=True)
        self.number, self.count, self.remotes = number, count, remotes
        self.done, self.seconds, self.problem = 0, list[float](), ""

    def run(self) -> None:
        try:
            for k in range(self.count):
                remote = self.remotes[(self.number + k) % len(self.remotes)]
                began = time.monotonic()
                self._tell(remote, k, self.number * CLIENT_STEP + k)
                self.seconds.append(time.monotonic() - began)
                self.done = k + 1
        except BoltError as problem:
            self.problem = f"{self.name} after {self.done}: {problem}"

    def _tell(self, remote: Remote, k: int, value: int) -> None:
        if k % ASK_EVERY:
            setting = {"a": (k % 97) / 97.0, "b": (k % 89) / 89.0}
            remote.tell(setting, None, float(value), key=None, id=f"{self.number}.{k}")
        else:
            remote.ask()
            remote.tell(None, None, float(value), id=remote.last_id)


def _tells(home: Path, count: int, kills: int) -> Check:
    check, port = Check("service", "tells of 8 clients"), free_port()
    clients: list[Client] = []
    began = time.monotonic()
    urls: list[tuple[str, str]] = []
    for life in range(kills + 1):
        with serving_at(port, home) as server:
            if not clients:
                made = [Remote.create(f"http://{HOST}:{port}", PROBLEM) for _ in range(PROBLEMS)]
                urls = [(remote.url, remote.token) for remote in made]
                clients = [_client(number, count // CLIENTS, urls) for number in range(CLIENTS)]
                for client in clients:
                    client.start()
            goal = count * (life + 1) // (kills + 1)
            _wait(clients, goal)
            sys.stderr.write(f"{_done(clients)} tells after {time.monotonic() - began:.0f} s\n")
            if life < kills:
                server.process.kill()
                server.process.wait()
                continue
            logs = [Remote(*url).log() for url in urls]
            check.expect(not server.tracebacks(), f"tracebacks: {server.tracebacks()[:3]}")
    for client in clients:
        check.expect(not client.problem, client.problem)
    _check_logs(check, logs, count // CLIENTS)
    seconds = sorted(s for client in clients for s in client.seconds)
    check.figures = (
        f"{_done(clients)} tells in {time.monotonic() - began:.0f} s with {kills} kill -9; a tell "
        f"took {1000 * statistics.median(seconds):.0f} ms (median), 99 % at most "
        f"{seconds[int(0.99 * (len(seconds) - 1))]:.2f} s"
    )
    return check


def _client(number: int, count: int, urls: list[tuple[str, str]]) -> Client:
    remotes = [Remote(url, token, timeout=120.0, retry_seconds=300.0) for url, token in urls]
    return Client(number, count, remotes)


def _done(clients: list[Client]) -> int:
    return sum(client.done for client in clients)


def _wait(clients: list[Client], goal: int) -> None:
    while _done(clients) < goal and any(client.is_alive() for client in clients):
        time.sleep(0.05)


def _check_logs(check: Check, logs: list[Any], per_client: int) -> None:
    """Check that each result is there once, and that those of a client are in order."""
    stored = Counter[int]()
    for number, log in enumerate(logs):
        values = [int(value) for value in log[~log["pending"]]["y"]]
        stored.update(values)
        for client in range(CLIENTS):
            own = [value for value in values if value // CLIENT_STEP == client]
            check.expect(own == sorted(own), f"problem {number}: order of client {client}")
    for client in range(CLIENTS):
        for k in range(per_client):
            times = stored.pop(client * CLIENT_STEP + k, 0)
            check.expect(times == 1, f"result {k} of client {client} is stored {times} times")
    check.expect(not stored, f"{len(stored)} results that were not told")
