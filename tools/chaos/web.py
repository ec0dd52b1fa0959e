"""A real server on loopback, in a process of its own, and plain HTTP requests to it."""

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.chaos.processes import ROOT, START_SECONDS

HOST = "127.0.0.1"
STOP_SECONDS = 10.0
LOGGED_BY_STREAMLIT = (  # with a traceback, though nothing is wrong with the server
    "DecodeError: Error parsing message with type 'BackMsg'",  # a message that is garbage
    'Cannot call "send" once a close message has been sent',  # a visitor left meanwhile
)
PAGE_KIB = os.sysconf("SC_PAGE_SIZE") / 1024
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def cpu_seconds(self) -> float:
        """The CPU time that it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND

    @property
    def resident_mib(self) -> float:
        """Its resident memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * PAGE_KIB / 1024

    @property
    def alive(self) -> bool:
        """Whether it answers."""
        try:
            return self.process.poll() is None and self.get("/_stcore/health")[0] == 200
        except OSError:
            return False

    def get(self, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        """Return status and body of a request."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=30)
        try:
            connection.request("GET", path, headers=headers or {})
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()

    def tracebacks(self) -> list[str]:
        """Return the last line of every traceback in its log, but for those of Streamlit itself."""
        found, inside = [], False
        for line in self.log.read_text(errors="replace").splitlines():
            if "Traceback (most recent call last)" in line:
                inside = True
            elif inside and line and not line.startswith(" "):
                found.append(line)
                inside = False
        return [line for line in found if not any(text in line for text in LOGGED_BY_STREAMLIT)]


def free_port() -> int:
    """Return a port of this machine that is not in use."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(home: Path, **environment: str) -> Iterator[Server]:
    """Start a server with this data directory; it has ended afterwards, whatever happens."""
    with serving_at(free_port(), home, **environment) as server:
        yield server


@contextmanager
def serving_at(port: int, home: Path, **environment: str) -> Iterator[Server]:
    """Start a server at a port, as one that was killed is started again."""
    log = home / "server.log"
    options = [f"--server.port={port}", f"--server.address={HOST}"]
    with log.open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT,
            env=os.environ | {"BOLT_HOME": str(home)} | environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    server = Server(port, process, log)
    try:
        _wait_until_alive(server)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_alive(server: Server) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not server.alive:
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the server did not start: {server.log.read_text()[-2000:]}")
        time.sleep(0.1)
